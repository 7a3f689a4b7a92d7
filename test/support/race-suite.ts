import { afterAll, beforeAll, describe, it } from "vitest";
import { memoryStores } from "../../src/persistence/memory-store.ts";
import { migrate } from "../../src/persistence/migrate.ts";
import { postgresStores } from "../../src/persistence/postgres-store.ts";
import type { Stores } from "../../src/persistence/stores.ts";
import { freshDatabase, MIGRATIONS, needsPostgres, postgresAvailable } from "./postgres.ts";
import type { Random } from "./seeded.ts";

/** Where a race is run: stores, a time that it moves, and their name. */
export interface Track {
  readonly stores: Stores;
  readonly time: { at: number };
  readonly name: string;
}

/** A suite of races over the stores in memory and over a PostgreSQL of its own. */
export const raceSuite = (
  names: { readonly suite: string; readonly test: string },
  races: (track: Track) => Promise<void>,
): void => {
  describe(names.suite, () => {
    const time = { at: Date.UTC(2026, 0, 1) };
    const track = { stores: memoryStores(() => time.at), time, name: "memory" };
    it(`in memory ${names.test}`, () => races(track), 60_000);
  });

  describe.skipIf(!postgresAvailable)(needsPostgres(`${names.suite}, on PostgreSQL`), () => {
    const time = { at: Date.UTC(2026, 0, 1) };
    let stores: Stores;
    let drop: () => Promise<void>;
    beforeAll(async () => {
      const database = await freshDatabase();
      ({ drop } = database);
      await migrate({ connection: database.url, folder: MIGRATIONS });
      stores = postgresStores({ connection: database.url });
    });
    afterAll(async () => {
      await stores?.close();
      await drop?.();
    });

    it(names.test, () => races({ stores, time, name: "PostgreSQL" }), 120_000);
  });
};

/** Starts all of them at once, in an order and after so many turns of the event loop as chance has it. */
export const atOnce = async (
  choices: Random,
  rivals: readonly (() => Promise<unknown>)[],
  turnsMax: number,
): Promise<void> => {
  const inAnyOrder = rivals
    .map((rival) => ({ rival, lot: choices.below(1_000_000) }))
    .sort((a, b) => a.lot - b.lot);
  await Promise.all(
    inAnyOrder.map(async ({ rival }) => {
      for (let turn = choices.below(turnsMax); turn > 0; turn--) await Promise.resolve();
      await rival();
    }),
  );
};
