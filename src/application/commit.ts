import { hiddenLabel, tableOf } from "./load.ts";
import type { MatchRecord } from "./match.ts";
import { playedGames } from "./players.ts";
import type { Changed, NewAnswer, PlayedGame } from "./ports.ts";
import type { Service } from "./service.ts";
import { IDLE_MS_MAX } from "./service.ts";
import type { Draft, Table } from "./table.ts";
import { printSnapshot } from "./table.ts";
import type { Timing } from "./timing.ts";
import { isClockRunning, verdictDue } from "./timing.ts";

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
  return row.status === "over" ? row : { ...row, dueAt: dueAfter(row.at, table.timing) };
};

/**
 * When a match last touched at `at` ends by itself: when time says so, or, unless a clock runs, when it is
 * abandoned. Rounded up, since it is indexed and few appends should pay for the index: a verdict to the
 * minute (whoever looks meets it at once; the sweeper is for matches at which nobody looks), being
 * abandoned after `IDLE_MS_MAX` to the end of the day (UTC).
 */
const dueAfter = (at: number, timing: Timing): number => {
  const verdict = verdictDue(timing) ?? Number.POSITIVE_INFINITY;
  const abandoned = isClockRunning(timing) ? Number.POSITIVE_INFINITY : at + IDLE_MS_MAX;
  return Math.min(roundedUp(verdict, MINUTE_MS), roundedUp(abandoned, DAY_MS));
};

const roundedUp = (at: number, unit: number): number => Math.ceil(at / unit) * unit;

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Appends the draft's lines, and the answer with them: one statement, all or nothing. */
export const commit = async (
  service: Service,
  before: MatchRecord,
  draft: Draft,
  stored: { readonly answer?: NewAnswer },
): Promise<Changed> => {
  const record = rowOf(service, draft.table);
  const lines = draft.lines.map(({ text }) => text);
  const played = await newlyPlayed(service, before, draft.table);
  const onTurn = seatsOnTurn(draft.table);
  const change = { next: record, lines, onTurn, played, ...stored };
  const changed = await service.matches.change(before, change);
  if (changed === "done") service.tables.put({ ...draft.table, record });
  return changed;
};

/** The seats that are to act at a table. */
export const seatsOnTurn = ({ game, state }: Table): readonly number[] => {
  const turn = game.turn(state);
  return turn.kind === "seats" ? turn.seats : [];
};

/** The games of an app's players that have ended since the match was as it was before. */
const newlyPlayed = async (
  service: Service,
  before: MatchRecord,
  after: Table,
): Promise<readonly PlayedGame[]> => {
  if (before.app === undefined || after.game.ended(after.state).length === 0) return [];
  if (before.version < 0) return playedGames(after, 0);
  const { game, state } = await tableOf(service, before);
  return playedGames(after, game.ended(state).length);
};
