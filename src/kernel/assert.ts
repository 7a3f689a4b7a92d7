/** A bug of ours, or a broken world: never a player's mistake. */
export class InvariantViolation extends Error {
  override readonly name = "InvariantViolation";
}

/** States what must hold. `invariant` says it in words; a false condition is a bug and throws. */
export function assert(condition: boolean, invariant: string): asserts condition {
  if (!condition) throw new InvariantViolation(invariant);
}

/** The value, where it is known to be there; `invariant` says why it must be. */
export const present = <Value>(value: Value | undefined | null, invariant: string): Value => {
  if (value === undefined || value === null) throw new InvariantViolation(invariant);
  return value;
};

/** Ends an exhaustive switch: compiles only where every case has been handled. */
export const unreachable = (value: never): never => {
  throw new InvariantViolation(`unreachable: ${JSON.stringify(value)}`);
};
