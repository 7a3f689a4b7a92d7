import { hiddenLabel } from "./load.ts";
import type { MatchRecord } from "./match.ts";
import type { Changed, NewAnswer } from "./ports.ts";
import type { Service } from "./service.ts";
import { IDLE_MS_MAX } from "./service.ts";
import type { Draft, Table } from "./table.ts";
import { printSnapshot } from "./table.ts";

/** The row of a table: its snapshot, its hidden half sealed, and when to look at it again. */
export const rowOf = (service: Service, table: Table): MatchRecord => {
  const { dueAt: _dueAt, ...record } = table.record;
  const row = {
    ...record,
    snapshot: printSnapshot(table),
    hidden:
      record.hidden ??
      service.vault.seal(hiddenLabel(record.id), { engines: { ...table.hidden.engines } }),
  };
  return row.status === "over" ? row : { ...row, dueAt: dueAfter(row.at) };
};

/**
 * When a match last touched at `at` is abandoned: after `IDLE_MS_MAX`, up to the end of that day (UTC).
 * A whole day, since the time is indexed: so only the day's first append pays for the index.
 */
const dueAfter = (at: number): number => Math.ceil((at + IDLE_MS_MAX) / DAY_MS) * DAY_MS;

const DAY_MS = 24 * 3_600_000;

/** Appends the draft's lines, and the answer with them: one statement, all or nothing. */
export const commit = async (
  service: Service,
  before: Pick<MatchRecord, "version" | "claims">,
  draft: Draft,
  stored: { readonly answer?: NewAnswer },
): Promise<Changed> => {
  const record = rowOf(service, draft.table);
  const lines = draft.lines.map(({ text }) => text);
  const changed = await service.matches.change(before, { next: record, lines, ...stored });
  if (changed === "done") service.tables.put({ ...draft.table, record });
  return changed;
};
