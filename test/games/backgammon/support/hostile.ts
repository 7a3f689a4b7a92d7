/** A text just below the length that is read: one part over and over. */
export const megabyte = (before: string, part: string): string =>
  before + part.repeat((1_048_000 - before.length) / part.length);

/** How long the work takes, in milliseconds: the quickest of three if it seems slow, as others use the machine. */
export const quickestMs = (work: () => unknown): number => {
  let quickest = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 3 && quickest > 500; tries++) {
    const began = performance.now();
    work();
    quickest = Math.min(quickest, performance.now() - began);
  }
  return quickest;
};
