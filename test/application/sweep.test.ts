import { describe, expect, it } from "vitest";
import type { MatchStore } from "../../src/application/ports.ts";
import { readMatch } from "../../src/application/read.ts";
import { IDLE_MS_MAX, OPEN_MS_MAX } from "../../src/application/service.ts";
import { SWEEP_LEASE_MS, sweep } from "../../src/application/sweep.ts";
import { memoryStores } from "../../src/persistence/memory-store.ts";
import {
  answered,
  audited,
  bodiesOf,
  engine,
  failed,
  HUMAN,
  linesOf,
  movedClock,
  nextCommand,
  OPEN,
  playOn,
  quickService,
  sat,
  tryClaiming,
  tryReplying,
  trySending,
} from "../support/table-talk.ts";

const served = async () => {
  const { time, clock } = movedClock();
  const { service, stores } = await quickService({ clock });
  const swept = (holder = "one") => sweep(service, stores.leases, holder);
  return { time, clock, service, stores, swept };
};

describe("the sweeper", () => {
  it("ends a match that nobody touches: the seat on turn loses", async () => {
    const { time, service, stores, swept } = await served();
    const seated = await sat(service, [HUMAN, HUMAN]);
    await playOn(service, seated, 5);
    const { seat } = await nextCommand(service, seated.id);
    time.at += IDLE_MS_MAX - 1;
    expect(await swept()).toBe(0);
    time.at += 1;
    expect(await swept()).toBe(1);
    expect(await swept()).toBe(0);
    const ended = (await bodiesOf(stores, seated.id)).slice(-3);
    expect(ended).toMatchObject([
      { type: "seat-forfeited", seat, reason: "abandoned" },
      { type: "game-won", winner: 1 - seat, reason: "abandoned", points: 1 },
      { type: "close", reason: "abandoned", result: { winner: 1 - seat } },
    ]);
    expect(await audited(stores, seated.id)).toMatch(/closed$/);
    const read = await readMatch(service, { match: seated.id });
    expect(read.ok && read.value.value).toMatchObject({ status: "over", turn: { kind: "over" } });
    const late = trySending(service, seated.id, { type: "roll" }, { token: seated.grants[seat] });
    expect((await failed(late)).code).toBe("match-over");
  });

  it("counts from the last command", async () => {
    const { time, service, stores, swept } = await served();
    const seated = await sat(service, [HUMAN, engine()]);
    const dueAt = async () => (await stores.matches.load(seated.id))?.dueAt ?? 0;
    const first = await dueAt();
    time.at = first - 1;
    await playOn(service, seated, 1);
    time.at = first;
    expect(await swept()).toBe(0);
    const next = await dueAt();
    expect(next - first).toBeGreaterThanOrEqual(IDLE_MS_MAX - 1);
    time.at = next;
    expect(await swept()).toBe(1);
  });

  it("ends a match between engines that nobody asks to go on", async () => {
    const { time, service, stores, swept } = await served();
    const { id } = await sat(service, [engine(), engine()]);
    time.at += IDLE_MS_MAX;
    expect(await swept()).toBe(1);
    expect(await audited(stores, id)).toBe("OK: 6 lines, 1 rolls, closed");
    expect((await failed(tryReplying(service, id, 1))).code).toBe("match-over");
  });

  it("removes a match whose seat nobody claims", async () => {
    const { time, service, stores, swept } = await served();
    const { id, grants } = await sat(service, [HUMAN, OPEN]);
    time.at += OPEN_MS_MAX - 1;
    expect(await swept()).toBe(0);
    time.at += 1;
    expect(await swept()).toBe(1);
    expect(await stores.matches.load(id)).toBeUndefined();
    expect((await failed(tryClaiming(service, id, { token: grants[1] }))).code).toBe(
      "match-not-found",
    );
  });

  it("gives a match with a claim its time again", async () => {
    const { time, service, stores, swept } = await served();
    const { id, grants } = await sat(service, [OPEN, OPEN]);
    time.at += OPEN_MS_MAX - 1;
    await answered(tryClaiming(service, id, { token: grants[0] }));
    time.at += OPEN_MS_MAX - 1;
    expect(await swept()).toBe(0);
    expect(await stores.matches.load(id)).toMatchObject({ status: "open", claims: 1 });
  });

  it("ends the others where one cannot be ended, and says so afterwards", async () => {
    const { time, service, stores } = await served();
    const broken = await sat(service, [HUMAN, HUMAN]);
    const sound = await sat(service, [HUMAN, HUMAN]);
    time.at += 2 * IDLE_MS_MAX;
    const matches: MatchStore = {
      ...stores.matches,
      load: (id) =>
        id === broken.id ? Promise.reject(new Error("unreadable")) : stores.matches.load(id),
    };
    await expect(sweep({ ...service, matches }, stores.leases, "one")).rejects.toThrow("1 of 2");
    expect((await stores.matches.load(sound.id))?.status).toBe("over");
    expect((await stores.matches.load(broken.id))?.status).toBe("playing");
  });

  it("works in one process at a time", async () => {
    const { time, service, stores, swept } = await served();
    const { id } = await sat(service, [HUMAN, HUMAN]);
    time.at += IDLE_MS_MAX;
    expect(await stores.leases.acquire("sweeper", "another", SWEEP_LEASE_MS)).toBe(true);
    const lines = await linesOf(stores, id);
    expect(await swept()).toBe(0);
    expect(await linesOf(stores, id)).toEqual(lines);
    time.at += SWEEP_LEASE_MS;
    expect(await swept()).toBe(1);
    expect(await swept("another")).toBe(0);
  });

  it("loses to a command that comes between", async () => {
    const { time, clock } = movedClock();
    const stores = memoryStores(clock);
    const { service: player } = await quickService({ stores, clock });
    const seated = await sat(player, [HUMAN, HUMAN]);
    time.at += IDLE_MS_MAX;
    let raced = false;
    const matches: MatchStore = {
      ...stores.matches,
      change: async (expected, change) => {
        if (!raced) {
          raced = true;
          await playOn(player, seated, 1);
        }
        return stores.matches.change(expected, change);
      },
    };
    const { service } = await quickService({ clock, stores: { ...stores, matches } });
    expect(await sweep(service, stores.leases, "one")).toBe(0);
    expect((await stores.matches.load(seated.id))?.status).toBe("playing");
    expect((await bodiesOf(stores, seated.id)).at(-1)).toMatchObject({ type: "played" });
  });
});
