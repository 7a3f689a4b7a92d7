import { type Chain, chain } from "../../src/fairness/chain.ts";
import {
  cardChain,
  type Deck,
  type DeckPlan,
  drawnCard,
  makeDeck,
} from "../../src/fairness/deck.ts";
import { textContribution } from "../../src/fairness/derive.ts";
import { chainLine, GENESIS } from "../../src/fairness/line.ts";
import { seatNames, serverRoll } from "../../src/fairness/roll.ts";
import { sealOf } from "../../src/fairness/seal.ts";
import { present } from "../../src/kernel/assert.ts";
import type { Draw } from "../../src/kernel/draw.ts";
import type { JsonObject } from "../../src/kernel/json.ts";

// A match as the application would log it, scripted: an opening with a tie, a switch of cards because
// the first chain is short, a second game, a close. What is played in between does not matter here.

/** What each seat brings to the rolls. */
export type SampleSource =
  | { readonly kind: "none" }
  | { readonly kind: "chain"; readonly seed: string }
  | { readonly kind: "text"; readonly text: string };

export interface SamplePlan {
  readonly seats: readonly SampleSource[];
  /** A drand round's randomness in hex, or none. */
  readonly beacon: string | null;
  /** The draw of each roll, at most ten; without them two games of backgammon. */
  readonly draws?: readonly Draw[];
}

/** A log as objects, so that tests may tamper with it, and the decks that it needs. */
export interface SampleLog {
  readonly lines: readonly JsonObject[];
  readonly decks: JsonObject;
}

export const NO_SOURCES: SamplePlan = {
  seats: [{ kind: "none" }, { kind: "none" }],
  beacon: null,
};

/** Rolls before the second card is in force. */
export const SHORT_CHAIN = 4;
const SEAT_CHAIN = 20;
const SWITCH_AFTER = 3;
const ROLL: Draw = { kind: "2d6" };
const OPENING: Draw = { kind: "open" };
const TWO_GAMES = [OPENING, ROLL, ROLL, ROLL, ROLL, ROLL, OPENING, ROLL, ROLL];
const SALT = "5a".repeat(32);
const ENGINES = { "1": { seed: "77".repeat(32) } };

const FIRST: DeckPlan = { deck: 12, secret: Buffer.alloc(32, 1), size: 64, length: SHORT_CHAIN };
const SECOND: DeckPlan = { deck: 13, secret: Buffer.alloc(32, 2), size: 11, length: 64 };
const SECOND_CARD = 10;

/** The log of a plan. The first card is the first one of its deck that ties in the opening. */
export const sampleLog = (plan: SamplePlan = NO_SOURCES): SampleLog => {
  const decks = [makeDeck(FIRST), makeDeck(SECOND)] as const;
  const chains = plan.seats.map((source) =>
    source.kind === "chain" ? chain(source.seed, SEAT_CHAIN) : undefined,
  );
  const first = firstTie(plan, chains);
  const cards = [
    { card: drawnCard(decks[0], first), chain: cardChain(FIRST, { deck: 12, index: first }) },
    {
      card: drawnCard(decks[1], SECOND_CARD),
      chain: cardChain(SECOND, { deck: 13, index: SECOND_CARD }),
    },
  ] as const;

  const bodies: JsonObject[] = [openBody(plan, chains, cards[0].card)];
  const draws = plan.draws ?? TWO_GAMES;
  for (const [index, draw] of draws.entries()) {
    const roll = index + 1;
    const [server, link] = roll <= SHORT_CHAIN ? [cards[0], roll] : [cards[1], roll - SHORT_CHAIN];
    const made = serverRoll({
      draw,
      link: server.chain.link(link),
      card: server.card.card,
      roll,
      seats: contributions(plan, chains, roll),
      beacon: plan.beacon,
    });
    bodies.push(made.body, eventOf(made.body));
    if (roll === SWITCH_AFTER) {
      bodies.push({
        type: "entropy",
        from: SHORT_CHAIN + 1,
        set: { server: asJson(cards[1].card) },
      });
    }
    bodies.push({ type: "played", seat: roll % 2, moves: [[24, 18]] });
  }
  bodies.push({
    type: "close",
    reason: "finished",
    rolls: draws.length,
    next: cards[1].chain.link(draws.length - SHORT_CHAIN + 1),
    openSeals: { engines: { salt: SALT, value: ENGINES } },
  });
  return {
    lines: chained(bodies),
    decks: { decks: [deckJson(decks[0], FIRST), deckJson(decks[1], SECOND)] },
  };
};

/** A log that is closed before its first roll: `next` then steps to the tip itself. */
export const unrolledLog = (): SampleLog => {
  const { lines, decks } = sampleLog();
  const [open, close] = [present(lines[0], "open"), present(lines.at(-1), "close")];
  const { card } = (open["set"] as { server: { card: string } }).server;
  const index = Number(card.split("/")[1]);
  const next = cardChain(FIRST, { deck: 12, index }).link(1);
  return { lines: chained([open, { ...close, reason: "abandoned", rolls: 0, next }]), decks };
};

/** Gives every line its `seq` and `prev` again, as an operator would who rewrites a log. */
export const chained = (lines: readonly JsonObject[]): JsonObject[] => {
  let prev = GENESIS;
  return lines.map((line, seq) => {
    const {
      seq: _seq,
      prev: _prev,
      match = "m-1",
      at = "2026-01-01T00:00:00.000Z",
      ...body
    } = line;
    const made = chainLine({ match: String(match), seq, prev, at: String(at), body });
    prev = made.hash;
    return JSON.parse(made.text) as JsonObject;
  });
};

const openBody = (plan: SamplePlan, chains: Chains, server: object): JsonObject => {
  const set: JsonObject = {
    server: asJson(server),
    beacon: plan.beacon && { drand: "52db9b/1000" },
  };
  for (const [seat, source] of plan.seats.entries()) {
    const name = seatNames(plan.seats.length)[seat] ?? "";
    const tip = chains[seat]?.tip;
    if (source.kind === "text") set[name] = { text: source.text };
    else set[name] = tip === undefined ? null : { tip };
  }
  const seals = { engines: sealOf({ salt: SALT, value: ENGINES }) };
  const seats = plan.seats.map((_, seat) => ({ kind: seat === 0 ? "human" : "engine" }));
  const what = {
    game: "backgammon",
    rules: "backgammon/1",
    variant: "standard",
    options: { length: 3 },
  };
  return { type: "open", v: "fair/1", from: 1, ...what, seats, seals, set };
};

type Chains = readonly (Chain | undefined)[];

const contributions = (
  plan: SamplePlan,
  chains: Chains,
  roll: number,
): readonly (string | null)[] =>
  plan.seats.map((source, seat) =>
    source.kind === "text" ? textContribution(source.text) : (chains[seat]?.link(roll) ?? null),
  );

const firstTie = (plan: SamplePlan, chains: Chains): number => {
  for (let index = 0; index < FIRST.size; index += 1) {
    const { drawn } = serverRoll({
      draw: { kind: "open" },
      link: cardChain(FIRST, { deck: 12, index }).link(1),
      card: `12/${index}`,
      roll: 1,
      seats: contributions(plan, chains, 1),
      beacon: plan.beacon,
    });
    if (drawn.kind === "open" && drawn.pairs.length > 1) return index;
  }
  return present<number>(undefined, "one card in 64 ties in the opening");
};

const eventOf = (roll: JsonObject): JsonObject => {
  if (roll["kind"] !== "open" && roll["kind"] !== "2d6")
    return { type: "drawn", what: roll["out"] ?? null };
  const pairs = roll["out"] as number[][];
  return roll["kind"] === "open"
    ? { type: "opening-rolled", rolls: pairs }
    : { type: "dice-rolled", seat: 0, dice: present(pairs[0], "a roll has a pair") };
};

const deckJson = ({ deck, size, root }: Deck, { length }: DeckPlan): JsonObject => ({
  deck,
  size,
  length,
  root,
});

const asJson = (value: object): JsonObject => JSON.parse(JSON.stringify(value)) as JsonObject;
