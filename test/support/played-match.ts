import { createHash } from "node:crypto";
import type { Cards } from "../../src/application/cards.ts";
import type { SeatRecord } from "../../src/application/match.ts";
import { matchId } from "../../src/application/match.ts";
import { REPLIES_MAX } from "../../src/application/service.ts";
import type { Croupier } from "../../src/application/settle.ts";
import { closed, opened, settle } from "../../src/application/settle.ts";
import type { Draft, Table } from "../../src/application/table.ts";
import { withEvents } from "../../src/application/table.ts";
import type { Thinker } from "../../src/application/thinking.ts";
import { startTiming } from "../../src/application/timing.ts";
import { parseCard } from "../../src/fairness/card.ts";
import { cardChain, drawnCard, makeDeck } from "../../src/fairness/deck.ts";
import { GENESIS } from "../../src/fairness/line.ts";
import { seededPick } from "../../src/fairness/pick.ts";
import type { FileFormat, HostedGame, HostedState } from "../../src/games/host.ts";
import { assert, present } from "../../src/kernel/assert.ts";
import type { Json, JsonObject } from "../../src/kernel/json.ts";
import { atOnce, ENGINES } from "./engines.ts";

/*
 * Matches through the application's own steps, with nothing left to chance: the deck, the engines' seed, the
 * clock and the players' choices all follow from one seed. So the same plan gives the same bytes for ever.
 */

/** A match that is to be played. */
export interface MatchPlan {
  readonly game: HostedGame;
  readonly variant: string;
  readonly options: Json;
  /** The file of another program that the match goes on from; it says variant and options. */
  readonly file?: { readonly format: FileFormat; readonly text: string };
  /** `human` chooses by the seed, each listed command that does not give up as likely as another. */
  readonly seats: readonly string[];
  readonly seed: string;
  /** Links in a card's chain; few make the match change its card. */
  readonly chainLength?: number;
  /** The seat on turn loses after so many human commands. */
  readonly abandonAfter?: number;
}

export interface PlayedMatch {
  readonly lines: readonly string[];
  readonly decks: Json;
  readonly state: HostedState;
}

const FIRST_AT = Date.UTC(2026, 0, 1);
const SECOND_MS = 1_000;
const COMMANDS_MAX = 10_000;
/** Cards of a deck; a match with short chains takes several. */
const DECK_SIZE = 64;
const CHAIN_LENGTH = 1_024;

/** Plays the plan to its end, by `settle` as a request would. */
export const playedMatch = async (
  plan: MatchPlan,
  thinker: Thinker = atOnce(),
): Promise<PlayedMatch> => {
  const { game } = plan;
  const { cards, decks } = fixedCards(plan.seed, plan.chainLength ?? CHAIN_LENGTH);
  const croupier: Croupier = { cards, clock: risingClock(), engines: ENGINES, thinker };
  const pick = seededPick(hash(plan.seed, "human"), "choices");
  const { options, played } = begunBy(plan);
  const printed = game.printOptions(options);
  const table: Table = {
    record: recordOf(plan, printed),
    game,
    state: game.init(options),
    rolls: 0,
    cards: [],
    timing: startTiming(game, options, plan.seats.length),
    hidden: { engines: { salt: hex(plan.seed, "salt"), value: hex(plan.seed, "engines") } },
  };
  const open = opened(croupier, { table, lines: [] }, await cards.draw(), printed);
  const begun = withEvents(open, croupier.clock(), played);
  let draft = await settle(croupier, begun, REPLIES_MAX);
  for (let commands = 0; ; commands++) {
    assert(commands < COMMANDS_MAX, "a planned match ends");
    const { state, record } = draft.table;
    if (record.status === "over") break;
    const turn = game.turn(state);
    assert(turn.kind === "seats", "a settled match waits for a seat");
    const seat = present(turn.seats[0], "somebody is on turn");
    if (commands === plan.abandonAfter) {
      draft = await closed(
        croupier,
        logged(draft, croupier, game.concede(state, seat, "abandoned")),
        "abandoned",
      );
    } else if (record.seats[seat]?.kind === "engine") {
      draft = await settle(croupier, draft, REPLIES_MAX);
    } else {
      const legal = game.legal(state, seat);
      assert(legal.kind === "listed", "planned players choose from a list");
      const given = legal.commands.filter(
        (one) => !GIVES_UP.has(String(game.printCommand(one)["type"])),
      );
      const command = present(given[pick(given.length)], "a seat on turn may play on");
      const decided = game.decide(state, seat, command);
      assert(decided.ok, "a listed command is accepted");
      draft = await settle(croupier, logged(draft, croupier, decided.value), REPLIES_MAX);
    }
  }
  return { lines: draft.lines.map(({ text }) => text), decks, state: draft.table.state };
};

/** Planned players never do this: a match of giving up shows nothing. */
const GIVES_UP: ReadonlySet<string> = new Set(["offer-resignation", "resign-match"]);

/** The options, and what the plan's file says was played before. */
const begunBy = ({ game, variant, options, file }: MatchPlan) => {
  if (file === undefined) {
    const read = game.readOptions(variant, options);
    assert(read.ok, "a plan has readable options");
    return { options: read.value, played: [] };
  }
  const read = present(game.files, "the game has files").read(file.format, file.text);
  assert(read.ok, `a plan has a readable file: ${JSON.stringify(read)}`);
  return { options: read.value.options, played: read.value.events };
};

type Events = ReturnType<HostedGame["resolve"]>;

const logged = (draft: Draft, { clock }: Croupier, events: Events): Draft =>
  events.reduce((before, event) => withEvents(before, clock(), [event]), draft);

const recordOf = ({ game, variant, seats, seed, file }: MatchPlan, options: JsonObject) => ({
  id: fixedId(seed),
  game: game.card.id,
  variant,
  options,
  visibility: "public" as const,
  ...(file === undefined ? {} : { imported: file.format }),
  status: "playing" as const,
  seats: seats.map(
    (level): SeatRecord =>
      level === "human"
        ? { kind: "human", tokenHash: hex(seed, "token") }
        : { kind: "engine", level },
  ),
  claims: 0,
  version: -1,
  head: GENESIS,
  createdAt: FIRST_AT,
  at: FIRST_AT,
  snapshot: null,
  hidden: null,
});

/** The cards of a deck that a seed makes. */
export const fixedCards = (
  seed: string,
  length: number,
): { readonly cards: Cards; readonly decks: Json } => {
  const plan = { deck: 1, secret: hash(seed, "deck"), size: DECK_SIZE, length };
  const deck = makeDeck(plan);
  let next = 0;
  const cards: Cards = {
    draw: async () => drawnCard(deck, next++),
    chainOf: async (card) => cardChain(plan, present(parseCard(card), "a card of this deck")),
  };
  return { cards, decks: [{ deck: 1, size: deck.size, length, root: deck.root }] };
};

/** A second later each time it is read. */
const risingClock = () => {
  let at = FIRST_AT;
  return () => {
    at += SECOND_MS;
    return at;
  };
};

const hash = (seed: string, what: string): Buffer =>
  createHash("sha256").update(`${seed} ${what}`).digest();

const hex = (seed: string, what: string): string => hash(seed, what).toString("hex");

const fixedId = (seed: string) => {
  const digits = hex(seed, "match");
  return matchId(
    [8, 4, 4, 4, 12].map((length, part) => digits.slice(4 * part, 4 * part + length)).join("-"),
  );
};
