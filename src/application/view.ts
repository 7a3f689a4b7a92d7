import type { FileFormat, HostedGame } from "../games/host.ts";
import { clockAt, nextFall } from "../kernel/clock.ts";
import type { Json, JsonObject } from "../kernel/json.ts";
import type { Seat, Viewer } from "../kernel/seat.ts";
import { SPECTATOR } from "../kernel/seat.ts";
import type { MatchId, MatchRecord, SeatRecord, Status, Visibility } from "./match.ts";
import type { NudgeView } from "./nudge.ts";
import { nudgeView } from "./nudge.ts";
import type { Principal } from "./policy.ts";
import { engineOnTurn } from "./settle.ts";
import { object } from "./stored.ts";
import type { NewLine, Table } from "./table.ts";
import { eventLine, isProtocolType } from "./table.ts";

/** A place at the match as everybody sees it. */
export type SeatView =
  | {
      readonly seat: number;
      readonly kind: "human";
      readonly name?: string;
      /** Only for the app that opened the match. */
      readonly player?: string;
    }
  | { readonly seat: number; readonly kind: "engine"; readonly level: string }
  | { readonly seat: number; readonly kind: "open" };

export type TurnView =
  | { readonly kind: "seats"; readonly seats: readonly number[] }
  | { readonly kind: "over" };

/** Where the dice of a match come from, and what a seat contributes to them. */
export interface FairnessView {
  readonly protocol: "fair/1";
  /** D: the server's committed card alone. */
  readonly grade: "D";
  /** The cards that served or will serve, the last one in force. */
  readonly cards: readonly string[];
  readonly rolls: number;
}

/** The seats' clocks as of the view's `serverTime`; between two views of one version only time has passed. */
export interface ClockView {
  readonly kind: "fischer" | "delay";
  /** By seat. */
  readonly remainingMs: readonly number[];
  /** By seat; with `delay` only. */
  readonly delayLeftMs?: readonly number[];
  /** Seats whose time runs. */
  readonly running: readonly number[];
  /** The last moment in time of the flag that falls first, if nothing happens. */
  readonly fallsAt?: string;
}

interface SharedView {
  readonly id: MatchId;
  readonly game: string;
  readonly variant: string;
  readonly options: Json;
  readonly visibility: Visibility;
  readonly seats: readonly SeatView[];
  /** The format of the file that the match was imported from; its dice up to there are no audit's. */
  readonly imported?: FileFormat;
  /** The caller's seat. */
  readonly you?: number;
  readonly serverTime: string;
}

/** A match as a viewer may see it. While a seat is open there is no version and no state. */
export type MatchView =
  | (SharedView & { readonly status: "open"; readonly claims: number })
  | (SharedView & {
      readonly status: Exclude<Status, "open">;
      readonly version: number;
      readonly score: readonly number[];
      readonly turn: TurnView;
      readonly state: JsonObject;
      /** Only for the caller's seat on turn. */
      readonly legal?: JsonObject;
      /** Only once the match is over. */
      readonly result?: JsonObject;
      /** An engine is on turn and has not moved: `replies` lets it. */
      readonly replyOwed: boolean;
      readonly clock?: ClockView;
      readonly nudge?: NudgeView;
      readonly fairness: FairnessView;
    });

/** The viewer that a principal is. */
export const viewerOf = (principal: Principal): Viewer =>
  principal.kind === "seat" ? { kind: "seat", seat: principal.seat } : SPECTATOR;

const sharedView = (record: MatchRecord, viewer: Viewer, now: number): SharedView => ({
  id: record.id,
  game: record.game,
  variant: record.variant,
  options: record.options,
  visibility: record.visibility,
  seats: record.seats.map(seatView),
  ...(record.imported === undefined ? {} : { imported: record.imported }),
  ...(viewer.kind === "seat" ? { you: viewer.seat } : {}),
  serverTime: new Date(now).toISOString(),
});

const seatView = (record: SeatRecord, seat: number): SeatView => {
  switch (record.kind) {
    case "human":
      return record.name === undefined
        ? { seat, kind: "human" }
        : { seat, kind: "human", name: record.name };
    case "engine":
      return { seat, kind: "engine", level: record.level };
    case "open":
      return { seat, kind: "open" };
  }
};

/** A match that waits for a seat to be claimed. */
export const openView = (record: MatchRecord, viewer: Viewer, now: number): MatchView => ({
  ...sharedView(record, viewer, now),
  status: "open",
  claims: claimsOf(record),
});

/** Seats that were claimed: they remember their invite. */
const claimsOf = ({ seats }: MatchRecord): number =>
  seats.filter((held) => held.kind === "human" && held.inviteHash !== undefined).length;

/** A match in play or over. */
export const tableView = (table: Table, viewer: Viewer, now: number): MatchView => {
  const { game, state, record } = table;
  const turn = game.turn(state);
  const result = game.result(state);
  const clock = clockView(table, now);
  const nudge = nudgeView(table);
  const mine = viewer.kind === "seat" && isOnTurn(table, viewer.seat) ? viewer.seat : undefined;
  return {
    ...sharedView(record, viewer, now),
    status: record.status === "over" ? "over" : "playing",
    version: record.version,
    score: game.score(state),
    turn: turn.kind === "seats" ? { kind: "seats", seats: turn.seats } : { kind: "over" },
    state: game.view(state, viewer),
    ...(mine === undefined ? {} : { legal: game.legalView(state, mine) }),
    ...(result === undefined ? {} : { result }),
    replyOwed: engineOnTurn(table) !== undefined,
    ...(clock === undefined ? {} : { clock }),
    ...(nudge === undefined ? {} : { nudge }),
    fairness: {
      protocol: "fair/1",
      grade: "D",
      cards: table.cards.map(({ card }) => card),
      rolls: table.rolls,
    },
  };
};

const clockView = ({ timing }: Table, now: number): ClockView | undefined => {
  if (timing.kind !== "clock") return undefined;
  const { kind } = timing.plan;
  const { times, running } = clockAt(timing.clock, now);
  const fall = nextFall(timing.clock);
  return {
    kind,
    remainingMs: times.map(({ remainingMs }) => remainingMs),
    ...(kind === "delay" ? { delayLeftMs: times.map(({ delayLeftMs }) => delayLeftMs) } : {}),
    running,
    ...(fall === undefined ? {} : { fallsAt: new Date(fall.lastAt).toISOString() }),
  };
};

const isOnTurn = ({ game, state }: Table, seat: Seat): boolean => {
  const turn = game.turn(state);
  return turn.kind === "seats" && turn.seats.includes(seat);
};

/** An event as a viewer may see it, with its number and time. Every line has one, so no number is missing. */
export type EventView = { readonly seq: number; readonly at: string } & JsonObject;

/** A line that was just written. */
export const newEventView = (game: HostedGame, line: NewLine, viewer: Viewer): EventView => ({
  seq: line.seq,
  at: line.at,
  ...(line.event === undefined ? line.body : game.viewEvent(line.event, viewer)),
});

/** A line as it was stored. */
export const storedEventView = (game: HostedGame, text: string, viewer: Viewer): EventView => {
  const line = object(JSON.parse(text) as Json);
  const body = eventLine(line);
  const shown = isProtocolType(body.type)
    ? body
    : game.viewEvent(game.join(body, undefined), viewer);
  return { seq: Number(line["seq"]), at: String(line["at"]), ...shown };
};
