import { expect, it } from "vitest";
import { StoreUnavailable } from "../../src/application/ports.ts";
import { memoryStores } from "../../src/persistence/memory-store.ts";
import { matchStoreContract } from "../contract/match-store.ts";

matchStoreContract("the stores in memory", async () => ({
  stores: memoryStores(() => 1_700_000_000_000),
  drop: async () => {},
}));

it("is unavailable once it is closed", async () => {
  const stores = memoryStores(() => 0);
  await stores.close();
  await expect(stores.ping()).rejects.toThrow(StoreUnavailable);
  await expect(stores.decks.last()).rejects.toThrow(StoreUnavailable);
});

it("never claims to survive a power loss", async () => {
  expect(await memoryStores(() => 0).durability()).toBe("process");
});
