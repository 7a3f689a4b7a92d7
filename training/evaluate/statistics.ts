/** A mean of independent numbers, and how far it may be from the true one. */
export interface Summary {
  readonly count: number;
  /** 0 of no numbers. */
  readonly mean: number;
  /** Of the mean: the sample's standard deviation (divisor n - 1) by the root of n. 0 of fewer than two. */
  readonly standardError: number;
}

export const summaryOf = (numbers: readonly number[]): Summary => {
  const count = numbers.length;
  const mean = numbers.reduce((sum, one) => sum + one, 0) / Math.max(1, count);
  const squares = numbers.reduce((sum, one) => sum + (one - mean) ** 2, 0);
  return {
    count,
    mean,
    standardError: count < 2 ? 0 : Math.sqrt(squares / (count - 1) / count),
  };
};

/** `-0.0281 ± 0.0061`. */
export const printSummary = ({ mean, standardError }: Summary, digits = 4): string =>
  `${mean >= 0 ? "+" : "-"}${Math.abs(mean).toFixed(digits)} ± ${standardError.toFixed(digits)}`;
