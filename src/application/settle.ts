import { randomBytes } from "node:crypto";
import type { Level } from "../engines/level.ts";
import type { Engines } from "../engines/registry.ts";
import type { DrawnCard } from "../fairness/deck.ts";
import { seededPick } from "../fairness/pick.ts";
import { seatNames, serverRoll } from "../fairness/roll.ts";
import { SALT_BYTES, sealOf } from "../fairness/seal.ts";
import { present, unreachable } from "../kernel/assert.ts";
import type { Draw } from "../kernel/draw.ts";
import type { ConcessionReason, EventLine, Pick } from "../kernel/game.ts";
import type { JsonObject } from "../kernel/json.ts";
import type { Seat } from "../kernel/seat.ts";
import type { Cards } from "./cards.ts";
import type { SeatRecord } from "./match.ts";
import type { Clock } from "./ports.ts";
import type { CardInForce, Draft, Hidden, Table } from "./table.ts";
import { withEvents, withLine } from "./table.ts";
import type { Thinker } from "./thinking.ts";

/** What a match needs to go on by itself. */
export interface Croupier {
  readonly cards: Cards;
  readonly clock: Clock;
  readonly engines: Engines;
  readonly thinker: Thinker;
}

/** How long what is settled may take. */
export interface Patience {
  /** Aborted once nobody waits for more replies: then no other is begun. */
  readonly signal?: AbortSignal | undefined;
  /** False: only replies that come at once. Default: true. */
  readonly mayThink?: boolean;
}

/**
 * Goes on until a human must act, the match is over, the engines have moved `repliesMax` times, or so many
 * others wait for an engine that this one has to wait too.
 *
 * Chance that is owed is always drawn. An engine that is on turn then owes a reply: see `replyOwed`.
 *
 */
export const settle = async (
  croupier: Croupier,
  draft: Draft,
  repliesMax: number,
  { signal, mayThink = true }: Patience = {},
): Promise<Draft> => {
  let replies = 0;
  let settled = draft;
  for (;;) {
    const { table } = settled;
    const turn = table.game.turn(table.state);
    switch (turn.kind) {
      case "over":
        return closed(croupier, settled, "finished");
      case "chance":
        settled = await rolled(croupier, settled, turn.draw);
        break;
      case "seats": {
        const seat = engineOnTurn(table);
        if (seat === undefined || replies >= repliesMax || signal?.aborted) return settled;
        if (!mayThink && isDeep(croupier, table, seat)) return settled;
        const answered = await replied(croupier, settled, seat);
        if (answered === undefined) return settled;
        settled = answered;
        replies += 1;
        break;
      }
      default:
        return unreachable(turn);
    }
  }
};

const isDeep = ({ engines }: Croupier, { record }: Table, seat: Seat): boolean =>
  levelOf(engines, record.game, levelAt(record.seats[seat])).pace === "deep";

/** The engine's seat that is to act, if it is an engine's turn. */
export const engineOnTurn = ({ game, state, record }: Table): Seat | undefined => {
  const turn = game.turn(state);
  if (turn.kind !== "seats") return undefined;
  return turn.seats.find((seat) => record.seats[seat]?.kind === "engine");
};

/** Fresh secrets of a match that is about to open. */
export const newHidden = (): Hidden => ({
  engines: {
    salt: randomBytes(SALT_BYTES).toString("hex"),
    value: randomBytes(32).toString("hex"),
  },
});

/** The draft with line 0: who sits where, by which rules, and the sources of chance. */
export const opened = (
  croupier: Croupier,
  draft: Draft,
  { card, tip, proof }: DrawnCard,
  options: JsonObject,
): Draft => {
  const { record, game, hidden } = draft.table;
  const set: JsonObject = { server: { card, tip, proof: [...proof] }, beacon: null };
  for (const name of seatNames(record.seats.length)) set[name] = null;
  const open: EventLine = {
    type: "open",
    v: "fair/1",
    rules: game.card.ruleset,
    game: record.game,
    variant: record.variant,
    options,
    seats: record.seats.map((seat) => seatLine(croupier, record.game, seat)),
    ...(record.imported === undefined ? {} : { imported: { format: record.imported } }),
    seals: { engines: sealOf(hidden.engines) },
    from: 1,
    set,
  };
  const logged = withLine(draft, croupier.clock(), open);
  return { ...logged, table: { ...logged.table, cards: [{ card, from: 1 }] } };
};

/** A seat in the public log, which cannot forget: no names. */
const seatLine = ({ engines }: Croupier, game: string, seat: SeatRecord): JsonObject =>
  seat.kind === "engine"
    ? { kind: "engine", level: seat.level, build: levelOf(engines, game, seat.level).engine.build }
    : { kind: "human" };

/** The level of a seat that an engine fills. */
const levelAt = (filled: SeatRecord | undefined): string =>
  filled?.kind === "engine" ? filled.level : "";

const levelOf = ({ games }: Engines, game: string, level: string): Level =>
  present(games.get(game)?.levels.get(level), "a stored engine level is known");

const cardOf = (cards: readonly CardInForce[], roll: number): CardInForce =>
  present(
    cards.findLast(({ from }) => from <= roll),
    "every roll has a card",
  );

/** The server's link of a roll: the first roll of a card opens its link 1. */
const linkOf = async (
  cards: Cards,
  inForce: readonly CardInForce[],
  roll: number,
): Promise<string> => {
  const { card, from } = cardOf(inForce, roll);
  return (await cards.chainOf(card)).link(roll - from + 1);
};

const rolled = async (croupier: Croupier, draft: Draft, draw: Draw): Promise<Draft> => {
  const { cards, record, rolls } = draft.table;
  const roll = rolls + 1;
  const { card } = cardOf(cards, roll);
  const { body, drawn } = serverRoll({
    draw,
    card,
    roll,
    link: await linkOf(croupier.cards, cards, roll),
    seats: record.seats.map(() => null),
    beacon: null,
  });
  const now = croupier.clock();
  const logged = withLine(draft, now, body as EventLine);
  const counted = { ...logged, table: { ...logged.table, rolls: roll } };
  const { game, state } = counted.table;
  return freshCard(croupier, withEvents(counted, now, game.resolve(state, drawn)));
};

/** Links kept back at a chain's end: `close` opens the one after the last roll's. */
const LINKS_LEFT_MIN = 8;

/** Draws a new card when a chain nears its end; it serves from the roll after the next. */
const freshCard = async ({ cards, clock }: Croupier, draft: Draft): Promise<Draft> => {
  const { rolls, cards: inForce } = draft.table;
  const { card, from } = present(inForce.at(-1), "a match has a card");
  if ((await cards.chainOf(card)).length - (rolls - from + 1) > LINKS_LEFT_MIN) return draft;
  const next = await cards.draw();
  const since = rolls + 2;
  const entropy: EventLine = {
    type: "entropy",
    from: since,
    why: "chain-end",
    set: { server: { card: next.card, tip: next.tip, proof: [...next.proof] } },
  };
  const logged = withLine(draft, clock(), entropy);
  const drawn: CardInForce = { card: next.card, from: since };
  return { ...logged, table: { ...logged.table, cards: [...inForce, drawn] } };
};

/** The draft after the engine's command; undefined where too many others wait for an engine. */
const replied = async (
  croupier: Croupier,
  draft: Draft,
  seat: Seat,
): Promise<Draft | undefined> => {
  const { game, record, state, hidden } = draft.table;
  const level = levelAt(record.seats[seat]);
  const seed = hidden.engines.value;
  const label = `${seat} ${record.version + 1}`;
  const task = {
    view: game.view(state, { kind: "seat", seat }),
    commands: commandsFor(draft.table, seat, seededPick(Buffer.from(seed, "hex"), label)),
    seat,
    seed,
    label,
  };
  const chosen = await croupier.thinker.think("reply", { game: record.game, level, task });
  if (!chosen.ok) return undefined;
  const command = game.readCommand(chosen.value);
  const events = command.ok ? game.decide(state, seat, command.value) : command;
  if (!events.ok) throw new EngineMistake(`${level} at seat ${seat} chose what is not legal`);
  const now = croupier.clock();
  return withEvents(draft, now, events.value);
};

/** The commands of the list, or one of a sample, as they can be sent. */
const commandsFor = ({ game, state }: Table, seat: Seat, pick: Pick): readonly JsonObject[] => {
  const legal = game.legal(state, seat);
  const commands = legal.kind === "listed" ? legal.commands : [legal.sample(pick)];
  return commands.map(game.printCommand);
};

/** An engine chose an illegal command: our bug. */
class EngineMistake extends Error {
  override readonly name = "EngineMistake";
}

/** Why a match was closed, in the protocol's words. */
export type CloseReason = "finished" | ConcessionReason;

/** The draft with the last line: the result, the link of the roll that was not made, the opened seals. */
export const closed = async (
  { cards, clock }: Croupier,
  draft: Draft,
  reason: CloseReason,
): Promise<Draft> => {
  const { game, state, rolls, hidden, cards: inForce } = draft.table;
  const result = present(game.result(state), "a match that is over has a result");
  const close: EventLine = {
    type: "close",
    result,
    reason,
    rolls,
    next: await linkOf(cards, inForce, rolls + 1),
    openSeals: { engines: { ...hidden.engines } },
  };
  const logged = withLine(draft, clock(), close);
  const { dueAt: _dueAt, ...ended } = logged.table.record;
  return { ...logged, table: { ...logged.table, record: { ...ended, status: "over" } } };
};
