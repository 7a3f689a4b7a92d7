export const ADVICE_LEVELS = ["intermediate", "expert", "grandmaster"] as const;
/** Of an engine that is asked for advice, weakest first. */
export type AdviceLevel = (typeof ADVICE_LEVELS)[number];

export const DECISION_KINDS = [
  "play",
  "double",
  "answer",
  "resignation",
  "resignation-answer",
] as const;
/** To play a roll; whether to double; the answer to a double, beaver or raccoon; to resign; the answer to that. */
export type DecisionKind = (typeof DECISION_KINDS)[number];

export const ERROR_CLASSES = ["none", "error", "blunder"] as const;
/** How bad a decision was. */
export type ErrorClass = (typeof ERROR_CLASSES)[number];
