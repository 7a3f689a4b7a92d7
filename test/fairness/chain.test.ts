import { createHash, createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { cardLeaf, cardSeed, parseCard, printCard } from "../../src/fairness/card.ts";
import { CHAIN_LENGTH, chain, step } from "../../src/fairness/chain.ts";
import { cardChain, deckOf, deckTips, drawnCard, makeDeck } from "../../src/fairness/deck.ts";
import { isIncluded } from "../../src/fairness/tree.ts";
import { InvariantViolation } from "../../src/kernel/assert.ts";

const SEED = "8c0df3e0751cbf32769f02669d47990f6e599aa4278679cfe863894276b8351b";
const SECRET = Buffer.alloc(32, 9);

/** The links 0…length, by stepping from the seed as design.md 1 says and nothing else. */
const stepped = (length: number): readonly string[] => {
  const links = [SEED];
  let link = Buffer.from(SEED, "hex");
  for (let left = length; left > 0; left -= 1) {
    link = createHash("sha256").update("fair/1 link\n").update(link).digest();
    links.unshift(link.toString("hex"));
  }
  return links;
};

describe("a chain", () => {
  it.each([1, 2, 31, 32, 33, 64, 100, CHAIN_LENGTH])(
    "of %d links gives each by stepping",
    (length) => {
      const oracle = stepped(length);
      const made = chain(SEED, length);
      expect(made.tip).toBe(oracle[0]);
      expect(oracle.map((_, k) => made.link(k))).toEqual(oracle);
      expect(step(made.link(1))).toBe(made.tip);
    },
  );

  it("has no link beyond its seed, before its tip or between", () => {
    const made = chain(SEED, 8);
    for (const k of [-1, 9, 1.5]) expect(() => made.link(k)).toThrow(InvariantViolation);
    expect(() => chain(SEED, 0)).toThrow(InvariantViolation);
    expect(() => chain("seed", 8)).toThrow(InvariantViolation);
  });
});

describe("a card", () => {
  it.each(["0/0", "12/345", "999999999/1023"])("%s is read and written the same", (text) => {
    const card = parseCard(text);
    expect(card && printCard(card)).toBe(text);
  });

  it.each([
    "",
    "12",
    "12/",
    "/3",
    "012/3",
    "12/03",
    "12/3 ",
    "12/3\n",
    "-1/3",
    "1e3/3",
    "12/3/4",
    "1234567890/1",
  ])("%j is none", (text) => {
    expect(parseCard(text)).toBeUndefined();
  });

  it("has whole numbers of nine digits", () => {
    for (const index of [-1, 1.5, 1_000_000_000]) {
      expect(() => printCard({ deck: 1, index })).toThrow(InvariantViolation);
    }
  });

  it("has the leaf and the seed of the protocol", () => {
    const card = { deck: 12, index: 345 };
    expect(cardLeaf(card, SEED).toString()).toBe(`fair/1 card\n12/345\n${SEED}`);
    const seed = createHmac("sha256", SECRET).update("fair/1 seed\n12/345").digest("hex");
    expect(cardSeed(SECRET, card)).toBe(seed);
    expect(() => cardSeed(SECRET.subarray(1), card)).toThrow(InvariantViolation);
  });
});

describe("a deck", () => {
  const plan = { deck: 7, secret: SECRET, size: 11, length: 40 };

  it("holds the tip of each card's chain, with a proof", () => {
    const deck = makeDeck(plan);
    for (let index = 0; index < plan.size; index += 1) {
      const { card, tip, proof } = drawnCard(deck, index);
      expect(card).toBe(`7/${index}`);
      expect(tip).toBe(cardChain(plan, { deck: 7, index }).tip);
      const entry = cardLeaf({ deck: 7, index }, tip);
      expect(isIncluded({ entry, index, size: plan.size, proof }, deck.root)).toBe(true);
    }
    expect(() => drawnCard(deck, plan.size)).toThrow(InvariantViolation);
  });

  it("is the same when its tips come from another thread", () => {
    const deck = deckOf(plan.deck, structuredClone(deckTips(plan)));
    expect(deck.root).toBe(makeDeck(plan).root);
  });

  it("differs in every tip under another number or secret", () => {
    const tips = new Set([
      ...deckTips(plan),
      ...deckTips({ ...plan, deck: 8 }),
      ...deckTips({ ...plan, secret: Buffer.alloc(32, 8) }),
    ]);
    expect(tips.size).toBe(3 * plan.size);
  });
});
