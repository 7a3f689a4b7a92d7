import { chainLine } from "../fairness/line.ts";
import type { HostedEvent, HostedGame, HostedState } from "../games/host.ts";
import { assert, present } from "../kernel/assert.ts";
import type { EventLine } from "../kernel/game.ts";
import type { Json, JsonObject } from "../kernel/json.ts";
import type { MatchRecord } from "./match.ts";

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

/** The draft with one line more. Time never runs backwards in a match. */
export const withLine = (
  draft: Draft,
  now: number,
  body: EventLine,
  event?: HostedEvent,
): Draft => {
  const { record } = draft.table;
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
  return {
    table: { ...draft.table, record: { ...record, version: seq, head: hash, at } },
    lines: [...draft.lines, event === undefined ? line : { ...line, event }],
  };
};

/** The draft with the game's event logged and folded in. */
export const withEvent = (draft: Draft, now: number, event: HostedEvent): Draft => {
  const { game, state } = draft.table;
  const { line, secret } = game.split(event);
  assert(secret === undefined, "no game hides events yet");
  const logged = withLine(draft, now, line, event);
  return { ...logged, table: { ...logged.table, state: game.evolve(state, event) } };
};

/** The number of a snapshot's shape. Another number in the database: the log is folded again. */
const SNAPSHOT_SCHEMA = 2;

/** The public half of the folded state, as the match's row keeps it. */
export const printSnapshot = ({ game, state, rolls, cards }: Table): JsonObject => ({
  schema: SNAPSHOT_SCHEMA,
  rolls,
  cards: cards.map(({ card, from }) => ({ card, from })),
  state: game.printState(state),
});

/** What a snapshot says; undefined where another release wrote it in another shape. */
export const readSnapshot = (
  game: HostedGame,
  snapshot: Json,
): Pick<Table, "state" | "rolls" | "cards"> | undefined => {
  const given = object(snapshot);
  if (given["schema"] !== SNAPSHOT_SCHEMA) return undefined;
  return {
    state: game.readState(present(given["state"], "a snapshot holds a state")),
    rolls: number(given["rolls"]),
    cards: list(given["cards"]).map((card) => {
      const entry = object(card);
      return { card: String(entry["card"]), from: number(entry["from"]) };
    }),
  };
};

/** What a match's own lines say: the log, folded again. */
export const foldLines = (
  game: HostedGame,
  lines: readonly string[],
): Pick<Table, "state" | "rolls" | "cards"> => {
  let state: HostedState | undefined;
  let rolls = 0;
  const cards: CardInForce[] = [];
  for (const line of lines) {
    const body = object(JSON.parse(line) as Json);
    const type = String(body["type"]);
    if (type === "open") state = game.init(optionsOfLine(game, body));
    if (type === "roll") rolls += 1;
    if (type === "open" || type === "entropy") {
      const server = object(object(body["set"])["server"]);
      cards.push({ card: String(server["card"]), from: number(body["from"]) });
    }
    if (isProtocolType(type)) continue;
    state = game.evolve(present(state, "`open` is line 0"), game.join(eventLine(body), undefined));
  }
  return { state: present(state, "a log begins with `open`"), rolls, cards };
};

const optionsOfLine = (game: HostedGame, open: JsonObject) => {
  const options = game.readLoggedOptions(
    String(open["rules"]),
    String(open["variant"]),
    open["options"] ?? {},
  );
  assert(options.ok, "logged options are readable for ever");
  return options.value;
};

const PROTOCOL_TYPES: readonly string[] = ["open", "roll", "deal", "entropy", "close"];

/** Lines of these types belong to the protocol; all others are the game's events. */
export const isProtocolType = (type: string): boolean => PROTOCOL_TYPES.includes(type);

/** What a stored line says, without the chain around it. */
export const eventLine = (line: JsonObject): EventLine => {
  const { match: _match, seq: _seq, prev: _prev, at: _at, ...body } = line;
  return body as EventLine;
};

export const object = (json: Json | undefined): JsonObject => {
  assert(typeof json === "object" && json !== null && !Array.isArray(json), "an object was stored");
  return json;
};

const list = (json: Json | undefined): readonly Json[] => {
  assert(Array.isArray(json), "a list was stored");
  return json;
};

const number = (json: Json | undefined): number => {
  assert(typeof json === "number", "a number was stored");
  return json;
};
