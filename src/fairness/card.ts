import { assert } from "../kernel/assert.ts";
import { hmacSha256, isHash } from "./hash.ts";

/** A place in a deck: its number, and which card of it. Both whole, 0 ≤ n ≤ `CARD_NUMBER_MAX`. */
export interface Card {
  readonly deck: number;
  /** Counted from 0. */
  readonly index: number;
}

/** The highest deck number and index that a card's text can hold: nine digits. */
const CARD_NUMBER_MAX = 999_999_999;

/** Bytes of a deck's secret. */
export const DECK_SECRET_BYTES = 32;

const CARD = /^(0|[1-9][0-9]{0,8})\/(0|[1-9][0-9]{0,8})$/;

/**
 * The card of a text such as `12/345`; nothing for any other spelling.
 *
 * Decimals have no leading zeros (design.md 1): two spellings of one card would be two cards.
 */
export const parseCard = (text: string): Card | undefined => {
  const match = CARD.exec(text);
  return match === null ? undefined : { deck: Number(match[1]), index: Number(match[2]) };
};

/** The text of a card, `<deck>/<index>`: the only one that `parseCard` reads as it. */
export const printCard = ({ deck, index }: Card): string => {
  assert(isCardNumber(deck) && isCardNumber(index), "a card's numbers are whole, of nine digits");
  return `${deck}/${index}`;
};

/**
 * The bytes that stand for a card in its deck's tree: `"fair/1 card\n" ‖ card ‖ "\n" ‖ hex(tip)`
 * (design.md 1).
 *
 * @param tip - of the card's chain, hex
 */
export const cardLeaf = (card: Card, tip: string): Buffer => {
  assert(isHash(tip), "a tip is 32 bytes in hex");
  return Buffer.from(`fair/1 card\n${printCard(card)}\n${tip}`);
};

/**
 * The seed of a card's chain: `HMAC(deck_secret, "fair/1 seed\n" ‖ card)`, hex (design.md 1). Secret.
 *
 * @param secret - the deck's 32 random bytes
 */
export const cardSeed = (secret: Uint8Array, card: Card): string => {
  assert(secret.length === DECK_SECRET_BYTES, "a deck's secret is 32 bytes");
  return hmacSha256(secret, `fair/1 seed\n${printCard(card)}`).toString("hex");
};

const isCardNumber = (number: number): boolean =>
  Number.isInteger(number) && number >= 0 && number <= CARD_NUMBER_MAX;
