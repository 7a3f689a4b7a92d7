import { randomBytes } from "node:crypto";
import { DECK_SECRET_BYTES, parseCard } from "../fairness/card.ts";
import type { Chain } from "../fairness/chain.ts";
import { CHAIN_LENGTH } from "../fairness/chain.ts";
import type { Deck, DeckPlan, DrawnCard } from "../fairness/deck.ts";
import { cardChain, deckOf, drawnCard } from "../fairness/deck.ts";
import { assert, present } from "../kernel/assert.ts";
import type { Clock, DeckRecord, DeckStore, Vault } from "./ports.ts";
import { StoreUnavailable } from "./ports.ts";

/** The service's committed secrets: cards to begin a match with, and the chains behind them. */
export interface Cards {
  /** The next card of this process's deck. Each is given once; one that is not used is burnt. */
  draw(): Promise<DrawnCard>;
  /** The chain of a card of any process. */
  chainOf(card: string): Promise<Chain>;
}

/** Makes a deck's tips. Heavy: some 0.8 ms a card, so a large deck is made in a worker. */
export type MakeTips = (deck: DeckPlan) => Promise<readonly string[]>;

/** Cards in the first deck of a process, so that it starts at once, and in the later ones. */
const FIRST_DECK_SIZE = 64;
const DECK_SIZE = 1_024;
/** Chains kept in memory, 1 KiB each. */
const CHAINS_MAX = 4_096;
/** The share of a deck that is left when the next one is begun. */
const LOW_WATER = 1 / 4;

/**
 * The cards of one process. Decks belong to the process that made them; a card is in memory only until
 * it is drawn, so no restart can draw it again.
 */
export const openCards = async (ports: {
  readonly decks: DeckStore;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly makeTips: MakeTips;
  /** Links in a chain; fewer only in tests. */
  readonly length?: number;
  readonly firstSize?: number;
}): Promise<Cards> => {
  const length = ports.length ?? CHAIN_LENGTH;
  const secrets = new Map<number, Buffer>();
  const chains = new Map<string, Chain>();

  const adopt = (deck: OwnDeck): OwnDeck => {
    secrets.set(deck.deck, deck.secret);
    return deck;
  };
  let current = adopt(await newDeck(ports, ports.firstSize ?? FIRST_DECK_SIZE, length));
  let next = 0;
  let following: Promise<OwnDeck> | undefined;

  /** The deck after this one, begun once; after a failure the next caller begins again. */
  const later = (): Promise<OwnDeck> => {
    if (following !== undefined) return following;
    const making = newDeck(ports, DECK_SIZE, length);
    making.catch(() => {
      if (following === making) following = undefined;
    });
    following = making;
    return making;
  };

  const draw = async (): Promise<DrawnCard> => {
    while (next >= current.size) {
      const making = later();
      const made = adopt(await making);
      if (following !== making) continue;
      current = made;
      next = 0;
      following = undefined;
    }
    const index = next;
    next += 1;
    if (current.size - next <= current.size * LOW_WATER) later().catch(() => undefined);
    return drawnCard(current.cards, index);
  };

  const secretOf = async (deck: number): Promise<Buffer> => {
    const known = secrets.get(deck);
    if (known !== undefined) return known;
    const record = present(await ports.decks.get(deck), "a card is of a recorded deck");
    const secret = Buffer.from(
      String(ports.vault.open(deckLabel(deck), record.sealedSecret)),
      "hex",
    );
    secrets.set(deck, secret);
    return secret;
  };

  const chainOf = async (card: string): Promise<Chain> => {
    const known = chains.get(card);
    if (known !== undefined) return known;
    const place = present(parseCard(card), "a logged card is well formed");
    const made = cardChain({ secret: await secretOf(place.deck), length }, place);
    if (chains.size >= CHAINS_MAX) chains.delete(present(chains.keys().next().value, "not empty"));
    chains.set(card, made);
    return made;
  };

  return { draw, chainOf };
};

const deckLabel = (deck: number): string => `fair/1 deck ${deck}`;

interface OwnDeck {
  readonly deck: number;
  readonly secret: Buffer;
  readonly size: number;
  readonly cards: Deck;
}

/** Tries to take the next deck number; several processes may want the same one. */
const ATTEMPTS_MAX = 50;

const newDeck = async (
  ports: {
    readonly decks: DeckStore;
    readonly vault: Vault;
    readonly clock: Clock;
    readonly makeTips: MakeTips;
  },
  size: number,
  length: number,
): Promise<OwnDeck> => {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const deck = (await ports.decks.last()) + 1;
    const secret = randomBytes(DECK_SECRET_BYTES);
    const tips = await ports.makeTips({ deck, secret, size, length });
    assert(tips.length === size, "a deck has a tip for each card");
    const cards = deckOf(deck, tips);
    const record: DeckRecord = {
      deck,
      size,
      length,
      root: cards.root,
      sealedSecret: ports.vault.seal(deckLabel(deck), secret.toString("hex")),
      createdAt: ports.clock(),
    };
    if (await ports.decks.add(record)) return { deck, secret, size, cards };
  }
  throw new StoreUnavailable(`no deck number was free in ${ATTEMPTS_MAX} tries`);
};
