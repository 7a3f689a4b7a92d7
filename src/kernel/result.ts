/** What may fail without anybody having a bug: a value, or a failure that says why. */
export type Result<Value, Failure> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: Failure };

export const ok = <Value>(value: Value): { readonly ok: true; readonly value: Value } => ({
  ok: true,
  value,
});

export const err = <Failure>(error: Failure): { readonly ok: false; readonly error: Failure } => ({
  ok: false,
  error,
});

/** Facts that a client may be told about a failure, for programs and for texts in any language. */
export type Facts = Readonly<Record<string, string | number | readonly string[]>>;

/** A player's or a client's mistake: a stable code, and what is known about it. Nothing is recorded. */
export interface Rejection<Code extends string> {
  readonly code: Code;
  readonly facts: Facts;
}

export const reject = <Code extends string>(
  code: Code,
  facts: Facts = {},
): { readonly ok: false; readonly error: Rejection<Code> } => err({ code, facts });
