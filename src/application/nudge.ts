import type { Json } from "../kernel/json.ts";
import { canonical } from "../kernel/json.ts";
import type { Result } from "../kernel/result.ts";
import { ok, reject } from "../kernel/result.ts";
import type { Seat } from "../kernel/seat.ts";
import type { Failure } from "./failure.ts";
import type { Draft, Table } from "./table.ts";
import { withLine } from "./table.ts";
import type { Wait } from "./timing.ts";

// The nudge: in a match without a clock, what a seat that waits can do about one that does not act.

const NUDGE = canonical({ type: "nudge" });

/** Whether a command is the table's own. */
export const isNudge = (command: Json): boolean => canonical(command) === NUDGE;

/** The draft with `by`'s nudge of the seat that has kept it waiting longest, or why there is none. */
export const nudged = (table: Table, by: Seat, now: number): Result<Draft, Failure> => {
  const { timing, record } = table;
  if (record.status === "over") return reject("match-over");
  if (timing.kind !== "nudge") return reject("nudge-not-offered");
  const target = idlest(table, timing.waits);
  if (target === undefined || timing.waits.some(({ seat }) => seat === by)) {
    return reject("not-nudgeable", { seat: by });
  }
  if (timing.nudged !== undefined) {
    return reject("already-nudged", {
      seat: timing.nudged.seat,
      deadline: instant(timing.nudged.deadline),
    });
  }
  const at = Math.max(now, record.at);
  const possibleAt = target.since + timing.afterMs;
  if (at < possibleAt) {
    return reject("nudge-too-early", { seat: target.seat, possibleAt: instant(possibleAt) });
  }
  const { seat } = target;
  const deadline = instant(at + timing.afterMs);
  return ok(withLine({ table, lines: [] }, now, { type: "nudged", seat, by, deadline }));
};

/** How a nudge stands: when one is possible, or until when the nudged seat must act. */
export type NudgeView =
  | { readonly seat: number; readonly possibleAt: string }
  | { readonly nudgedSeat: number; readonly deadline: string };

/** Nothing where no seat waits for another's. */
export const nudgeView = (table: Table): NudgeView | undefined => {
  const { timing, record } = table;
  if (timing.kind !== "nudge") return undefined;
  if (timing.nudged !== undefined) {
    return { nudgedSeat: timing.nudged.seat, deadline: instant(timing.nudged.deadline) };
  }
  const target = idlest(table, timing.waits);
  const isAwaited = record.seats.some(
    ({ kind }, place) => kind === "human" && !timing.waits.some(({ seat }) => seat === place),
  );
  return target === undefined || !isAwaited
    ? undefined
    : { seat: target.seat, possibleAt: instant(target.since + timing.afterMs) };
};

/** The human seat that the match has waited for longest; of several, the lowest. */
const idlest = ({ record }: Table, waits: readonly Wait[]): Wait | undefined =>
  waits
    .filter(({ seat }) => record.seats[seat]?.kind === "human")
    .sort((a, b) => a.since - b.since || a.seat - b.seat)[0];

const instant = (at: number): string => new Date(at).toISOString();
