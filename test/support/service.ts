import { analysisCache } from "../../src/application/analysis.ts";
import { openCards } from "../../src/application/cards.ts";
import { tableCache } from "../../src/application/load.ts";
import type { Clock } from "../../src/application/ports.ts";
import type { Service } from "../../src/application/service.ts";
import type { Thinker } from "../../src/application/thinking.ts";
import type { Engines } from "../../src/engines/registry.ts";
import { deckTips } from "../../src/fairness/deck.ts";
import { vault } from "../../src/fairness/vault.ts";
import { GAMES } from "../../src/games/registry.ts";
import { httpApp } from "../../src/http/app.ts";
import { memoryStores } from "../../src/persistence/memory-store.ts";
import type { Stores } from "../../src/persistence/stores.ts";
import { atOnce, ENGINES } from "./engines.ts";

/** What a test may choose of a service; the rest is as in production, in memory. */
export interface TestSettings {
  readonly stores?: Stores;
  readonly clock?: Clock;
  /** Links in a card's chain; production has 1,024, which take longer to make. Default 128. */
  readonly chainLength?: number;
  readonly secretKey?: Buffer;
  /** Default: those of the registry, which think at once. */
  readonly engines?: Engines;
  readonly thinker?: Thinker;
  /** Gets what the service logs. */
  readonly log?: (entry: unknown) => void;
}

/** A whole service in this process: its use cases, its stores, and its HTTP interface. */
export const testService = async (settings: TestSettings = {}) => {
  const clock = settings.clock ?? Date.now;
  const stores = settings.stores ?? memoryStores(clock);
  const secretKey = settings.secretKey ?? Buffer.alloc(32, 7);
  const sealed = vault(secretKey);
  const { matches, decks, apps } = stores;
  const service: Service = {
    games: GAMES,
    engines: settings.engines ?? ENGINES,
    thinker: settings.thinker ?? atOnce(settings.engines),
    matches,
    decks,
    apps,
    vault: sealed,
    clock,
    cards: await openCards({
      decks,
      vault: sealed,
      clock,
      makeTips: async (plan) => deckTips(plan),
      firstSize: 64,
      length: settings.chainLength ?? 128,
    }),
    serviceKey: secretKey,
    tables: tableCache(100),
    analyses: analysisCache(10),
  };
  const note = (entry: unknown, message: string): void => settings.log?.({ entry, message });
  const app = httpApp({
    service,
    log: { info: note, error: note },
    referenceScript: new URL("../../dist/reference.js", import.meta.url),
    about: {
      name: "qiju",
      version: "0.0.0-test",
      commit: "test",
      database: stores.server,
      durability: stores.durability,
      ready: stores.ping,
    },
  });
  return { service, stores, app };
};
