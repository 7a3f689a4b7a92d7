import { assert, present } from "../kernel/assert.ts";
import { type Card, cardLeaf, cardSeed, printCard } from "./card.ts";
import { type Chain, chain, stepBack } from "./chain.ts";
import { treeOf } from "./tree.ts";

// A deck fixes the chains of many matches at once, before any of them begins. Its tips are the slow
// part: `deckTips` gives plain data, so that a worker can make them, and `deckOf` does the rest.

/** What a deck is made of. */
export interface DeckPlan {
  /** The deck's number, ≥ 0. */
  readonly deck: number;
  /** 32 random bytes. */
  readonly secret: Uint8Array;
  /** Cards, ≥ 1. */
  readonly size: number;
  /** Links in each card's chain, ≥ 1. */
  readonly length: number;
}

/** A committed deck: nothing in it is secret. */
export interface Deck {
  readonly deck: number;
  /** Cards. */
  readonly size: number;
  /** Root of the tree over the card leaves, hex. */
  readonly root: string;
  /** The tip of each card's chain, hex, in order. */
  readonly tips: readonly string[];
  /** The proof that card `index` is one of the deck's: hashes in hex, from the leaf's sibling up. */
  proof(index: number): readonly string[];
}

/**
 * The tips of a deck's cards in order, hex.
 *
 * Heavy: `size` × `length` steps, about 0.8 ms a card of 1,024 links. Plain data in and out, for a worker.
 */
export const deckTips = ({ deck, secret, size, length }: DeckPlan): readonly string[] => {
  assert(Number.isInteger(size) && size >= 1, "a deck has at least one card");
  assert(Number.isInteger(length) && length >= 1, "a chain has at least one link");
  return Array.from({ length: size }, (_, index) =>
    stepBack(cardSeed(secret, { deck, index }), length),
  );
};

/** The deck of known tips: the tree over its cards; about 5 ms for 1,024 of them. */
export const deckOf = (deck: number, tips: readonly string[]): Deck => {
  const tree = treeOf(tips.map((tip, index) => cardLeaf({ deck, index }, tip)));
  return { deck, size: tree.size, root: tree.root, tips, proof: tree.proof };
};

/** A deck in one go, for small ones and tests: `deckOf` of `deckTips`. */
export const makeDeck = (plan: DeckPlan): Deck => deckOf(plan.deck, deckTips(plan));

/** The chain of one card of a deck. Secret, as the deck's secret is. */
export const cardChain = (plan: Pick<DeckPlan, "secret" | "length">, card: Card): Chain =>
  chain(cardSeed(plan.secret, card), plan.length);

/** What a line says of the card it draws: its text is `<deck>/<index>`. */
export interface DrawnCard {
  readonly card: string;
  /** Hex. */
  readonly tip: string;
  /** Hashes in hex. */
  readonly proof: readonly string[];
}

/** The card as `open` and `entropy` lines carry it in `set.server`. */
export const drawnCard = (deck: Deck, index: number): DrawnCard => ({
  card: printCard({ deck: deck.deck, index }),
  tip: present(deck.tips[index], "the card is one of the deck"),
  proof: deck.proof(index),
});
