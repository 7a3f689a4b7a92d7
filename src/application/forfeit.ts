import { present } from "../kernel/assert.ts";
import { commit } from "./commit.ts";
import { tableOf } from "./load.ts";
import type { MatchRecord } from "./match.ts";
import type { Service } from "./service.ts";
import { closed } from "./settle.ts";
import type { Draft, Table } from "./table.ts";
import { mayTimeEnd, withEvents } from "./table.ts";
import type { Verdict } from "./timing.ts";
import { verdictAt } from "./timing.ts";

/**
 * A match in play at the moment `now`, which is then the time of whatever is done to it: so that a command
 * is in time, and its line says so. Or time had ended the match: that is on record now (`ended`), unless
 * somebody was faster (`overtaken`) and the match has to be looked at again.
 */
export type Met =
  | { readonly kind: "in-time"; readonly table: Table; readonly now: number }
  | { readonly kind: "ended" }
  | { readonly kind: "overtaken" };

/** Meets a match that has begun. What time has decided is recorded before anything else happens. */
export const meet = async (service: Service, record: MatchRecord): Promise<Met> => {
  const table = await tableOf(service, record);
  const now = service.clock();
  const verdict = verdictAt(table.timing, now);
  if (verdict === undefined) return { kind: "in-time", table, now };
  const draft = await forfeited(service, table, verdict, now);
  const changed = await commit(service, record, draft, {});
  return { kind: changed === "done" ? "ended" : "overtaken" };
};

/** The match as it is to be read: once what time has decided is on record. */
export const upToDate = async (service: Service, record: MatchRecord): Promise<MatchRecord> => {
  if (!mayTimeEnd(record)) return record;
  const { kind } = await meet(service, record);
  if (kind === "in-time") return record;
  const moved = present(await service.matches.load(record.id), "a match that has begun stays");
  return upToDate(service, moved);
};

/** The draft in which a seat has lost the match without a command of its own. */
export const forfeited = (
  service: Service,
  table: Table,
  { seat, reason }: Verdict,
  now: number,
): Promise<Draft> => {
  const events = table.game.concede(table.state, seat, reason);
  const conceded = withEvents({ table, lines: [] }, now, events);
  return closed(service, conceded, reason);
};
