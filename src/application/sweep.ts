import { present } from "../kernel/assert.ts";
import { commit } from "./commit.ts";
import { forfeited, meet } from "./forfeit.ts";
import type { MatchId, MatchRecord } from "./match.ts";
import type { LeaseStore } from "./ports.ts";
import type { Service } from "./service.ts";
import { IDLE_MS_MAX } from "./service.ts";
import type { Table } from "./table.ts";
import { isClockRunning, type Verdict } from "./timing.ts";

/** How long one process keeps the right to sweep, and how often it does. */
export const SWEEP_LEASE_MS = 60_000;
export const SWEEP_EVERY_MS = 20_000;
const MATCHES_PER_SWEEP = 100;

/**
 * Ends the matches that nobody touches any more, one process at a time. A match that waits for a seat
 * is removed; one in play ends as time says: a flag has fallen, a nudged seat has not acted, or nothing has
 * happened for so long that the seat on turn loses.
 *
 * One match that cannot be ended keeps no other from its end: what failed is thrown after the rest.
 *
 * @returns how many matches were ended; 0 where another process sweeps
 */
export const sweep = async (
  service: Service,
  leases: LeaseStore,
  holder: string,
): Promise<number> => {
  if (!(await leases.acquire("sweeper", holder, SWEEP_LEASE_MS))) return 0;
  const due = await service.matches.due(service.clock(), MATCHES_PER_SWEEP);
  const outcomes: PromiseSettledResult<boolean>[] = [];
  for (const id of due) outcomes.push(...(await Promise.allSettled([expire(service, id)])));
  const failed = outcomes.filter((outcome) => outcome.status === "rejected");
  if (failed.length > 0) {
    const reasons = failed.map(({ reason }): unknown => reason);
    throw new AggregateError(reasons, `${failed.length} of ${due.length} due matches failed`);
  }
  return outcomes.filter((outcome) => outcome.status === "fulfilled" && outcome.value).length;
};

const expire = async (service: Service, id: MatchId): Promise<boolean> => {
  const record = await service.matches.load(id);
  if (record === undefined || !isDue(record, service.clock())) return false;
  if (record.status === "open") {
    await service.matches.removeOpen(id, record.claims);
    return true;
  }
  const met = await meet(service, record);
  if (met.kind !== "in-time") return met.kind === "ended";
  // It was due by an earlier look at the clock, which may have jumped back since.
  const isIdle = met.now >= record.at + IDLE_MS_MAX && !isClockRunning(met.table.timing);
  if (!isIdle) return false;
  const draft = await forfeited(service, met.table, abandoned(met.table), met.now);
  return (await commit(service, record, draft, {})) === "done";
};

const isDue = ({ dueAt }: MatchRecord, now: number): boolean => dueAt !== undefined && dueAt <= now;

const abandoned = ({ game, state }: Table): Verdict => {
  const turn = game.turn(state);
  const seat = present(
    turn.kind === "seats" ? turn.seats[0] : undefined,
    "a match in play waits for a seat",
  );
  return { seat, reason: "abandoned" };
};
