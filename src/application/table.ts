import { chainLine } from "../fairness/line.ts";
import type { HostedEvent, HostedGame, HostedState } from "../games/host.ts";
import { assert, present } from "../kernel/assert.ts";
import type { EventLine } from "../kernel/game.ts";
import type { Json, JsonObject } from "../kernel/json.ts";
import type { MatchRecord, SeatRecord } from "./match.ts";
import { list, number, object } from "./stored.ts";
import type { Timing } from "./timing.ts";
import { printTiming, readTiming, startTiming, timingAfter } from "./timing.ts";

/** A card in force: its chain gives the links of rolls `from`, `from + 1`, …. */
export interface CardInForce {
  readonly card: string;
  readonly from: number;
}

/** What only the service knows of a running match; sealed at rest, opened by `close`. */
export interface Hidden {
  /** The engines' seed and the salt of its seal, hex. */
  readonly engines: { readonly salt: string; readonly value: string };
}

/** A match that is being played, folded: the working value of one request. */
export interface Table {
  readonly record: MatchRecord;
  readonly game: HostedGame;
  readonly state: HostedState;
  /** Rolls made so far. */
  readonly rolls: number;
  /** In the order of `from`; the last one with `from` ≤ roll serves the roll. */
  readonly cards: readonly CardInForce[];
  readonly timing: Timing;
  readonly hidden: Hidden;
}

/** One line of the log as it was just written: the text, and what it says. */
export interface NewLine {
  readonly seq: number;
  readonly at: string;
  readonly text: string;
  readonly body: EventLine;
  /** The game's event, where the line is one. */
  readonly event?: HostedEvent;
}

/** A table and the lines that were added to it since it was loaded. */
export interface Draft {
  readonly table: Table;
  readonly lines: readonly NewLine[];
}

/** The draft with one line more, which is not of the game. Time never runs backwards in a match. */
export const withLine = (draft: Draft, now: number, body: EventLine): Draft =>
  added(draft, now, body, draft.table.state);

const added = (
  { table, lines }: Draft,
  now: number,
  body: EventLine,
  state: HostedState,
  event?: HostedEvent,
): Draft => {
  const { record, game } = table;
  const at = Math.max(now, record.at);
  const seq = record.version + 1;
  const printed = new Date(at).toISOString();
  const { text, hash } = chainLine({
    match: record.id,
    seq,
    prev: record.head,
    at: printed,
    body: { ...body },
  });
  const line = { seq, at: printed, text, body };
  const { seats } = record;
  const timing = timingAfter(table.timing, { at, body, turn: game.turn(state), seats });
  return {
    table: { ...table, state, timing, record: { ...record, version: seq, head: hash, at } },
    lines: [...lines, event === undefined ? line : { ...line, event }],
  };
};

const withEvent = (draft: Draft, now: number, event: HostedEvent): Draft => {
  const { game, state } = draft.table;
  const { line, secret } = game.split(event);
  assert(secret === undefined, "no game hides events yet");
  return added(draft, now, line, game.evolve(state, event), event);
};

/** The draft with the game's events logged and folded in, one after the other. */
export const withEvents = (draft: Draft, now: number, events: readonly HostedEvent[]): Draft => {
  const lines = [...draft.lines];
  let { table } = draft;
  for (const event of events) {
    const grown = withEvent({ table, lines: [] }, now, event);
    table = grown.table;
    lines.push(...grown.lines);
  }
  return { table, lines };
};

/** The number of a snapshot's shape. Another number in the database: the log is folded again. */
const SNAPSHOT_SCHEMA = 2;

/** The public half of the folded state, as the match's row keeps it. */
export const printSnapshot = ({ game, state, rolls, cards, timing }: Table): JsonObject => ({
  schema: SNAPSHOT_SCHEMA,
  rolls,
  cards: cards.map(({ card, from }) => ({ card, from })),
  timing: printTiming(timing),
  state: game.printState(state),
});

/** What the lines of a match say, folded. */
type Folded = Pick<Table, "state" | "rolls" | "cards" | "timing">;

/** What a snapshot says; undefined where another release wrote it in another shape. */
export const readSnapshot = (game: HostedGame, snapshot: Json): Folded | undefined => {
  const given = object(snapshot);
  if (given["schema"] !== SNAPSHOT_SCHEMA) return undefined;
  return {
    state: game.readState(present(given["state"], "a snapshot holds a state")),
    rolls: number(given["rolls"]),
    cards: list(given["cards"]).map((card) => {
      const entry = object(card);
      return { card: String(entry["card"]), from: number(entry["from"]) };
    }),
    timing: readTiming(given["timing"]),
  };
};

/** Whether time alone may end the match. A snapshot of another release does not say, so it may. */
export const mayTimeEnd = ({ status, snapshot }: MatchRecord): boolean => {
  if (status !== "playing") return false;
  const given = object(snapshot);
  return given["schema"] !== SNAPSHOT_SCHEMA || object(given["timing"])["kind"] !== "untimed";
};

/** What a match's own lines say: the log, folded again. */
export const foldLines = (game: HostedGame, lines: readonly string[]): Folded => {
  let state: HostedState | undefined;
  let timing: Timing = { kind: "untimed" };
  let seats: readonly Pick<SeatRecord, "kind">[] = [];
  let rolls = 0;
  const cards: CardInForce[] = [];
  for (const line of lines) {
    const body = object(JSON.parse(line) as Json);
    const type = String(body["type"]);
    if (type === "open") {
      const options = loggedOptions(game, body);
      seats = list(body["seats"]).map(seatOfLine);
      state = game.init(options);
      timing = startTiming(game, options, seats.length);
    }
    if (type === "roll") rolls += 1;
    if (type === "open" || type === "entropy") {
      const server = object(object(body["set"])["server"]);
      cards.push({ card: String(server["card"]), from: number(body["from"]) });
    }
    const before = present(state, "`open` is line 0");
    const event = eventLine(body);
    state = isProtocolType(type) ? before : game.evolve(before, game.join(event, undefined));
    const at = Date.parse(String(body["at"]));
    timing = timingAfter(timing, { at, body: event, turn: game.turn(state), seats });
  }
  return { state: present(state, "a log begins with `open`"), rolls, cards, timing };
};

const seatOfLine = (seat: Json): Pick<SeatRecord, "kind"> => ({
  kind: object(seat)["kind"] === "engine" ? "engine" : "human",
});

/** The options that line 0 of a log names, by the rules that it names. */
export const loggedOptions = (game: HostedGame, open: JsonObject) => {
  const options = game.readLoggedOptions(
    String(open["rules"]),
    String(open["variant"]),
    open["options"] ?? {},
  );
  assert(options.ok, "logged options are readable for ever");
  return options.value;
};

const PROTOCOL_TYPES: readonly string[] = ["open", "roll", "deal", "entropy", "close"];
/** The application's own: what happens at any table, whatever is played there. */
const TABLE_TYPES: readonly string[] = ["nudged"];

/** Lines of these types belong to the protocol or to the table; all others are the game's events. */
export const isProtocolType = (type: string): boolean =>
  PROTOCOL_TYPES.includes(type) || TABLE_TYPES.includes(type);

/** What a stored line says, without the chain around it. */
export const eventLine = (line: JsonObject): EventLine => {
  const { match: _match, seq: _seq, prev: _prev, at: _at, ...body } = line;
  return body as EventLine;
};
