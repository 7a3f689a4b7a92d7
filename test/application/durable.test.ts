import { describe, expect, it } from "vitest";
import { hiddenLabel } from "../../src/application/load.ts";
import type { MatchStore } from "../../src/application/ports.ts";
import { readEvents, readLegal, readMatch } from "../../src/application/read.ts";
import { present } from "../../src/kernel/assert.ts";
import type { JsonObject } from "../../src/kernel/json.ts";
import { memoryStores } from "../../src/persistence/memory-store.ts";
import type { Stores } from "../../src/persistence/stores.ts";
import {
  answered,
  audited,
  bodiesOf,
  engine,
  HUMAN,
  LONG_KEY,
  linesOf,
  movedClock,
  nextCommand,
  OPEN,
  playOn,
  quickService,
  sat,
  tryClaiming,
  tryOpening,
  tryReplying,
  trySending,
} from "../support/table-talk.ts";

describe("another process", () => {
  it("goes on with a match where the last one stopped, with the cards of its decks", async () => {
    const stores = memoryStores(Date.now);
    const seated = await sat((await quickService({ stores })).service, [HUMAN, HUMAN]);
    for (let process = 0; process < 4; process++) {
      const { service } = await quickService({ stores });
      await playOn(service, seated, 5);
    }
    expect(await audited(stores, seated.id)).toMatch(/^OK/);
  });

  it("whose release wrote no such snapshot folds the log, to the same state", async () => {
    const { clock } = movedClock();
    const stores = memoryStores(clock);
    const { service } = await quickService({ stores, clock });
    const seated = await sat(service, [HUMAN, engine()]);
    await playOn(service, seated, 6);
    const token = seated.grants[0] ?? "";
    for (const snapshot of [{ schema: 0 }, { schema: 99, state: "of tomorrow" }, { state: {} }]) {
      const matches: MatchStore = {
        ...stores.matches,
        load: async (id) => {
          const record = await stores.matches.load(id);
          return record && { ...record, snapshot };
        },
      };
      const other = await quickService({ clock, stores: { ...stores, matches } });
      const reading = { match: seated.id, token };
      expect(await readMatch(other.service, reading)).toEqual(await readMatch(service, reading));
      expect(await readLegal(other.service, reading)).toEqual(await readLegal(service, reading));
      const { command } = await nextCommand(other.service, seated.id);
      await answered(trySending(other.service, seated.id, command, { token }));
      expect(await audited(stores, seated.id)).toMatch(/^OK/);
    }
  });

  it("shows events as they were shown when they happened", async () => {
    const { service, stores } = await quickService();
    const seated = await sat(service, [HUMAN, engine()]);
    const token = seated.grants[0] ?? "";
    const { command } = await nextCommand(service, seated.id);
    const { body } = await answered(trySending(service, seated.id, command, { token }));
    const { events } = JSON.parse(body) as { readonly events: readonly JsonObject[] };
    const after = Number(events[0]?.["seq"]) - 1;
    const read = await readEvents(service, { match: seated.id, token, after, limit: 100 });
    expect(read.ok && read.value.events).toEqual(events);
    expect(await linesOf(stores, seated.id)).toHaveLength(after + 1 + events.length);
  });
});

describe("a chain that nears its end", () => {
  it.each([9, 10, 20])(
    "of %i links is followed by another card, and the audit agrees",
    async (chainLength) => {
      const { service, stores } = await quickService({ chainLength });
      // Without a cube: a random engine passes doubles, and its games would be short.
      const seats = [engine(), engine("random")];
      const { id } = await sat(service, seats, { options: { cube: false } });
      while ((await stores.matches.load(id))?.status === "playing") {
        await answered(tryReplying(service, id, 100));
      }
      const entropy = (await bodiesOf(stores, id)).filter(({ type }) => type === "entropy");
      expect(entropy.length).toBeGreaterThan(1);
      const cards = entropy.map(({ set }) => JSON.stringify(set));
      expect(new Set(cards).size).toBe(cards.length);
      expect(await audited(stores, id)).toMatch(/closed$/);
    },
  );
});

/** The stores, and a text of everything that was ever given to them. */
const watched = (stores: Stores) => {
  const given: string[] = [];
  const noting =
    <Args extends readonly unknown[], Value>(method: (...args: Args) => Value) =>
    (...args: Args): Value => {
      given.push(JSON.stringify(args));
      return method(...args);
    };
  const { matches, decks } = stores;
  return {
    given,
    stores: {
      ...stores,
      matches: {
        ...matches,
        create: noting(matches.create),
        change: noting(matches.change),
        answer: noting(matches.answer),
      },
      decks: { ...decks, add: noting(decks.add) },
    },
  };
};

describe("no secret", () => {
  it("is in a stored row, line or answer before it is opened", async () => {
    const { given, stores } = watched(memoryStores(Date.now));
    const { service } = await quickService({ stores });
    const answers: string[] = [];
    const opened = await answered(tryOpening(service, [engine(), OPEN], { key: LONG_KEY }));
    const [{ invite }] = JSON.parse(opened.body).seats;
    const claim = { token: invite, key: "claim" };
    const claimed = await answered(tryClaiming(service, opened.match, claim));
    const [{ token }] = JSON.parse(claimed.body).seats;
    for (let turn = 0; turn < 8; turn++) {
      const { command } = await nextCommand(service, opened.match);
      const asking = { token, key: `turn ${turn}` };
      answers.push((await answered(trySending(service, opened.match, command, asking))).body);
    }
    const id = opened.match;
    const record = present(await stores.matches.load(id), "it exists");
    const hidden = service.vault.open(hiddenLabel(id), record.hidden ?? "") as {
      readonly engines: { readonly salt: string; readonly value: string };
    };
    const [deck] = await stores.decks.list(0, 1);
    const deckSecret = service.vault.open("fair/1 deck 1", present(deck, "a deck").sealedSecret);
    const bodies = await bodiesOf(stores, id);
    const rolls = bodies.filter(({ type }) => type === "roll").length;
    const { set } = present(bodies[0], "a first line");
    const { server } = set as { readonly server: { readonly card: string } };
    const chain = await service.cards.chainOf(server.card);
    const links = [1, 2, 3, 10, 20].map((ahead) => chain.link(rolls + ahead));
    const secrets = { ...hidden.engines, deckSecret: String(deckSecret), links: links.join("|") };
    const stored = given.join("\n");
    const shown = [...answers, ...(await linesOf(stores, id))].join("\n");
    expect(stored).toContain(chain.link(rolls));
    for (const [name, secret] of Object.entries(secrets)) {
      for (const part of secret.split("|")) {
        expect(part, name).toMatch(/^[0-9a-f]{64}$/);
        expect(stored.includes(part), `${name} is stored`).toBe(false);
        expect(shown.includes(part), `${name} is shown`).toBe(false);
      }
    }
    for (const one of [invite, token, LONG_KEY, service.serviceKey.toString("hex")]) {
      expect(stored.includes(one), "a token or the key is stored").toBe(false);
    }
    expect(stored).not.toMatch(/qj_(seat|inv)_/);
  });

  it("but the engines' seed is opened by `close`", async () => {
    const { service, stores } = await quickService();
    const { id } = await sat(service, [engine(), engine()], { variant: "hypergammon" });
    const { hidden } = present(await stores.matches.load(id), "it exists");
    while ((await stores.matches.load(id))?.status === "playing") {
      await answered(tryReplying(service, id, 100));
    }
    const close = present((await bodiesOf(stores, id)).at(-1), "a last line");
    expect(close["openSeals"]).toEqual(service.vault.open(hiddenLabel(id), hidden ?? ""));
  });
});
