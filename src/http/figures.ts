/*
 * How answers give an engine's figures: with 5 decimals, far finer than any engine judges, so that 0 and 1 are
 * written so wherever they are meant.
 */

const SCALE = 1e5;

/** The figure with 5 decimals; never −0. */
const figure = (value: number): number => Math.round(value * SCALE) / SCALE + 0;

/** The same data with every number in it to 5 decimals; whole numbers stay as they are. */
export const rounded = <Value>(value: Value): Value => roundedAny(value) as Value;

const roundedAny = (value: unknown): unknown => {
  if (typeof value === "number") return figure(value);
  if (Array.isArray(value)) return value.map(roundedAny);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, roundedAny(member)]),
  );
};

/** A ranking, best first, in such figures: each difference is that of the equities as they are given. */
export const roundedRanking = <
  Entry extends { readonly equity: number; readonly difference: number },
>(
  entries: readonly Entry[],
): Entry[] => {
  const given = entries.map(rounded);
  const best = given[0]?.equity ?? 0;
  return given.map((entry) => ({
    ...entry,
    difference: figure(Math.min(0, entry.equity - best)),
  }));
};
