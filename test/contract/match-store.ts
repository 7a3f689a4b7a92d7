import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { MatchId, MatchRecord } from "../../src/application/match.ts";
import type { Change, NewAnswer } from "../../src/application/ports.ts";
import { InvariantViolation } from "../../src/kernel/assert.ts";
import type { Stores } from "../../src/persistence/stores.ts";
import { answer, created, line, moved, newId, open, playing } from "../support/matches.ts";
import { appStoreContract } from "./app-store.ts";

/**
 * What `MatchStore`, `DeckStore` and `LeaseStore` promise. A store passes, or it is not one.
 *
 * @param makeStores - stores with nothing in them, or with matches that are not ours
 */
export const matchStoreContract = (
  name: string,
  makeStores: () => Promise<{ readonly stores: Stores; readonly drop: () => Promise<void> }>,
): void => {
  describe(name, () => {
    let stores: Stores;
    let drop: () => Promise<void>;
    beforeAll(async () => {
      ({ stores, drop } = await makeStores());
    });
    afterAll(async () => {
      await stores?.close();
      await drop?.();
    });

    const start = async (match: MatchRecord, extra: Partial<Change> = {}): Promise<MatchRecord> => {
      expect(await stores.matches.create(created(match, extra))).toBe("done");
      return match;
    };
    const linesOf = (id: MatchId) => stores.matches.lines(id, -1, 1_000);
    const keyOf = (match: MatchRecord, { principal, key }: NewAnswer) => ({
      match: match.id,
      principal,
      key,
    });

    describe("create", () => {
      it("keeps the match, its lines and the answer", async () => {
        const match = await start(playing({ version: 1, dueAt: 1_800_000_000_000 }), {
          answer: answer(),
        });
        expect(await stores.matches.load(match.id)).toEqual(match);
        expect(await linesOf(match.id)).toEqual([line(match, 0), line(match, 1)]);
        expect(await stores.matches.answer(keyOf(match, answer()))).toEqual({
          requestHash: "ef".repeat(32),
          tag: "0",
          body: '{"version":0}',
        });
      });

      it("gives the match and the answer of one moment", async () => {
        const match = await start(playing(), { answer: answer() });
        const stored = await stores.matches.answer(keyOf(match, answer()));
        expect(await stores.matches.loadWithAnswer(keyOf(match, answer()))).toEqual({
          record: match,
          answer: stored,
        });
        const unused = keyOf(match, answer({ key: "unused" }));
        expect(await stores.matches.loadWithAnswer(unused)).toEqual({ record: match });
        const unknown = keyOf(playing(), answer());
        expect(await stores.matches.loadWithAnswer(unknown)).toBeUndefined();
      });

      it("keeps a match that waits for its players, without lines", async () => {
        const match = await start(open());
        expect(await stores.matches.load(match.id)).toEqual(match);
        expect(await linesOf(match.id)).toEqual([]);
      });

      it("says answered where the id exists, and changes nothing", async () => {
        const match = await start(playing(), { answer: answer() });
        const twin = { ...match, game: "luzhanqi", snapshot: "other" };
        const other = answer({ key: "other" });
        expect(await stores.matches.create(created(twin, { answer: other }))).toBe("answered");
        expect(await stores.matches.load(match.id)).toEqual(match);
        expect(await linesOf(match.id)).toHaveLength(1);
        expect(await stores.matches.answer(keyOf(match, other))).toBeUndefined();
      });

      it("lets one of two twins through", async () => {
        const match = playing();
        const said = await Promise.all([1, 2].map(() => stores.matches.create(created(match))));
        expect(said.sort()).toEqual(["answered", "done"]);
      });

      it("refuses a version that is not the last line's", async () => {
        const match = playing();
        const change = { next: { ...match, version: 3 }, lines: [line(match, 0)] };
        await expect(stores.matches.create(change)).rejects.toThrow(InvariantViolation);
        expect(await stores.matches.load(match.id)).toBeUndefined();
      });

      it("gives back what it was given, not the same object", async () => {
        const snapshot = { points: [0] };
        const match = await start(playing({ snapshot }));
        snapshot.points.push(1);
        expect(await stores.matches.load(match.id)).toEqual({
          ...match,
          snapshot: { points: [0] },
        });
      });
    });

    describe("load", () => {
      it("knows no match that was not created", async () => {
        expect(await stores.matches.load(newId())).toBeUndefined();
      });

      it("leaves dueAt out where there is none", async () => {
        const match = await start(playing());
        expect(Object.keys((await stores.matches.load(match.id)) ?? {})).not.toContain("dueAt");
      });
    });

    describe("change", () => {
      it("moves the match, and adds its lines and its answer", async () => {
        const match = await start(playing({ dueAt: 5_000_000_000_000 }));
        const { dueAt: _, ...rest } = match;
        const next: MatchRecord = {
          ...rest,
          status: "over",
          version: 3,
          head: "11".repeat(32),
          at: match.at + 1,
          snapshot: { over: true },
          hidden: "sealed",
        };
        const change = { ...moved(match, 3), next, answer: answer({ tag: "open-1" }) };
        expect(await stores.matches.change(match, change)).toBe("done");
        expect(await stores.matches.load(match.id)).toEqual(next);
        expect(await linesOf(match.id)).toEqual([0, 1, 2, 3].map((seq) => line(match, seq)));
        const kept = await stores.matches.answer(keyOf(match, answer()));
        expect(kept).toEqual({
          requestHash: "ef".repeat(32),
          tag: "open-1",
          body: '{"version":0}',
        });
      });

      it("changes nothing where the version is not the expected one", async () => {
        const match = await start(playing());
        expect(await stores.matches.change(match, moved(match))).toBe("done");
        const late = moved(match, 2, { answer: answer() });
        expect(await stores.matches.change(match, late)).toBe("stale");
        expect((await stores.matches.load(match.id))?.version).toBe(1);
        expect(await linesOf(match.id)).toHaveLength(2);
        expect(await stores.matches.answer(keyOf(match, answer()))).toBeUndefined();
      });

      it("changes nothing where the expected version is still to come", async () => {
        const match = await start(playing());
        const early = { ...match, version: 4 };
        expect(await stores.matches.change(early, moved(early))).toBe("stale");
        expect(await linesOf(match.id)).toHaveLength(1);
      });

      it("changes nothing where another has claimed a seat", async () => {
        const match = await start(open());
        const claimed = { ...match, claims: 1 };
        expect(await stores.matches.change(match, { next: claimed, lines: [] })).toBe("done");
        const late = { next: claimed, lines: [], answer: answer() };
        expect(await stores.matches.change(match, late)).toBe("stale");
        expect(await stores.matches.answer(keyOf(match, answer()))).toBeUndefined();
        expect((await stores.matches.load(match.id))?.claims).toBe(1);
      });

      it("takes the last seat and the first lines together", async () => {
        const match = await start(open());
        const next = playing({ id: match.id, claims: 1, version: 2 });
        const change = { next, lines: [0, 1, 2].map((seq) => line(match, seq)) };
        expect(await stores.matches.change(match, change)).toBe("done");
        expect(await stores.matches.load(match.id)).toEqual(next);
        expect(await linesOf(match.id)).toEqual(change.lines);
      });

      it("is stale for a match that does not exist, and leaves nothing of it", async () => {
        const match = playing();
        expect(await stores.matches.change(match, moved(match, 1, { answer: answer() }))).toBe(
          "stale",
        );
        expect(await stores.matches.load(match.id)).toBeUndefined();
        expect(await linesOf(match.id)).toEqual([]);
        expect(await stores.matches.answer(keyOf(match, answer()))).toBeUndefined();
      });

      it("leaves no line and the version unmoved where the key is answered", async () => {
        const match = await start(playing());
        expect(await stores.matches.change(match, moved(match, 1, { answer: answer() }))).toBe(
          "done",
        );
        const now = { ...match, version: 1, snapshot: "now" };
        const twin = moved(now, 2, { answer: answer({ body: "another" }) });
        expect(await stores.matches.change(now, twin)).toBe("answered");
        expect(await stores.matches.load(match.id)).toEqual({ ...match, version: 1 });
        expect(await linesOf(match.id)).toHaveLength(2);
        const kept = await stores.matches.answer(keyOf(match, answer()));
        expect(kept?.body).toBe('{"version":0}');
      });

      it("keeps the principals' and the matches' keys apart", async () => {
        const [one, two] = [await start(playing()), await start(playing())];
        const mine = answer({ body: "mine" });
        const theirs = answer({ principal: "seat-1", body: "theirs" });
        expect(await stores.matches.change(one, moved(one, 1, { answer: mine }))).toBe("done");
        const next = { ...one, version: 1 };
        expect(await stores.matches.change(next, moved(next, 1, { answer: theirs }))).toBe("done");
        expect(await stores.matches.change(two, moved(two, 1, { answer: mine }))).toBe("done");
        expect((await stores.matches.answer(keyOf(one, mine)))?.body).toBe("mine");
        expect((await stores.matches.answer(keyOf(one, theirs)))?.body).toBe("theirs");
        expect(await stores.matches.answer(keyOf(two, theirs))).toBeUndefined();
      });

      it("refuses a change of nothing", async () => {
        const match = await start(playing());
        const nothing = { next: match, lines: [] };
        await expect(stores.matches.change(match, nothing)).rejects.toThrow(InvariantViolation);
        expect(await stores.matches.load(match.id)).toEqual(match);
      });

      it("never lowers a version, nor skips one", async () => {
        const match = await start(playing({ version: 2 }));
        for (const version of [1, 2, 4]) {
          const change = { next: { ...match, version }, lines: [line(match, version)] };
          await expect(stores.matches.change(match, change)).rejects.toThrow(InvariantViolation);
        }
        expect(await linesOf(match.id)).toHaveLength(3);
      });

      it("keeps what a match was opened with", async () => {
        const match = await start(playing());
        const other = { ...match, game: "luzhanqi", options: 1, createdAt: 1, version: 1 };
        await stores.matches.change(match, { next: other, lines: [line(match, 1)] });
        expect(await stores.matches.load(match.id)).toEqual({ ...match, version: 1 });
      });
    });

    describe("texts", () => {
      it("keeps every character of a line, an answer and a record", async () => {
        const text = "双陆棋 🎲 é\u2028\u2029 \\ ' \" \\n \t $1 %s {} NULL";
        const match = await start(
          playing({ seats: [{ kind: "human", name: text, tokenHash: text }], snapshot: text }),
        );
        const odd = JSON.stringify({ text, nul: "\u0000", half: "\ud83c" });
        const kept = answer({ key: text, body: `${text}\n${odd}` });
        const change = { ...moved(match), lines: [odd], answer: kept };
        expect(await stores.matches.change(match, change)).toBe("done");
        expect((await stores.matches.lines(match.id, 0, 1))[0]).toBe(odd);
        expect((await stores.matches.answer(keyOf(match, kept)))?.body).toBe(kept.body);
        expect(await stores.matches.load(match.id)).toEqual({ ...match, version: 1 });
      });

      it("refuses U+0000 outside of JSON, and stores nothing", async () => {
        const match = await start(playing());
        for (const odd of [
          answer({ key: "a\u0000b" }),
          answer({ principal: "\u0000" }),
          answer({ body: "\u0000" }),
        ]) {
          const change = moved(match, 1, { answer: odd });
          await expect(stores.matches.change(match, change)).rejects.toThrow(InvariantViolation);
        }
        await expect(
          stores.matches.change(match, { ...moved(match), lines: ['"\u0000"'] }),
        ).rejects.toThrow(InvariantViolation);
        expect(await stores.matches.load(match.id)).toEqual(match);
      });

      it("refuses a line of several lines", async () => {
        const match = await start(playing());
        for (const odd of ["", "{}\n", "{}\n{}"]) {
          const change = { ...moved(match), lines: [odd] };
          await expect(stores.matches.change(match, change)).rejects.toThrow(InvariantViolation);
        }
      });

      it("keeps a line of a million characters, and a thousand lines at once", async () => {
        const match = await start(playing());
        const large = JSON.stringify("陆".repeat(1_000_000));
        const many = Array.from({ length: 999 }, (_, nth) => line(match, nth + 2));
        const change = { ...moved(match, 1_000), lines: [large, ...many] };
        expect(await stores.matches.change(match, change)).toBe("done");
        expect(await stores.matches.lines(match.id, 0, 1_000)).toEqual([large, ...many]);
      });
    });

    describe("lines", () => {
      it("come in order, after a seq, at most so many", async () => {
        const match = await start(playing({ version: 11 }));
        const page = (after: number, limit: number) => stores.matches.lines(match.id, after, limit);
        const expected = (seqs: readonly number[]) => seqs.map((seq) => line(match, seq));
        expect(await page(-1, 3)).toEqual(expected([0, 1, 2]));
        expect(await page(2, 3)).toEqual(expected([3, 4, 5]));
        expect(await page(9, 3)).toEqual(expected([10, 11]));
        expect(await page(11, 3)).toEqual([]);
      });

      it("are none of a match that does not exist", async () => {
        expect(await linesOf(newId())).toEqual([]);
      });

      it("are asked for one to a thousand at a time", async () => {
        for (const limit of [0, -1, 1.5, 1_001]) {
          await expect(stores.matches.lines(newId(), 0, limit)).rejects.toThrow(InvariantViolation);
        }
      });
    });

    describe("list", () => {
      it("shows public matches, newest first, and pages through equal times", async () => {
        const game = `game-${randomUUID()}`;
        const times = [3, 1, 2, 2, 2, 2, 2, 3, 1];
        const shown: MatchRecord[] = [];
        for (const createdAt of times) {
          shown.push(await start(playing({ game, visibility: "public", createdAt })));
        }
        await start(playing({ game, visibility: "private", createdAt: 2 }));
        const inOrder = shown
          .sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1))
          .map(({ id }) => id);

        expect((await stores.matches.list({ game, limit: 100 })).map(({ id }) => id)).toEqual(
          inOrder,
        );
        const paged: MatchId[] = [];
        for (let before: MatchRecord | undefined; ; ) {
          const page = await stores.matches.list({ game, limit: 2, ...(before && { before }) });
          paged.push(...page.map(({ id }) => id));
          before = page.at(-1);
          if (before === undefined) break;
        }
        expect(paged).toEqual(inOrder);
      });

      it("shows the matches of a status, as they are now", async () => {
        const game = `game-${randomUUID()}`;
        const waiting = await start(open({ game, visibility: "public" }));
        const running = await start(playing({ game, visibility: "public" }));
        expect(await stores.matches.list({ game, status: "open", limit: 9 })).toEqual([waiting]);
        expect(await stores.matches.list({ game, status: "playing", limit: 9 })).toEqual([running]);
        expect(await stores.matches.list({ game, status: "over", limit: 9 })).toEqual([]);
        const over: MatchRecord = { ...running, status: "over", version: 1 };
        await stores.matches.change(running, { ...moved(running), next: over });
        expect(await stores.matches.list({ game, status: "over", limit: 9 })).toEqual([over]);
        expect(await stores.matches.list({ game, status: "playing", limit: 9 })).toEqual([]);
      });

      it("may begin after a match that no longer exists", async () => {
        const game = `game-${randomUUID()}`;
        const match = await start(playing({ game, visibility: "public", createdAt: 5 }));
        const before = { createdAt: 6, id: newId() };
        expect(await stores.matches.list({ game, before, limit: 9 })).toEqual([match]);
        const later = { createdAt: 4, id: newId() };
        expect(await stores.matches.list({ game, before: later, limit: 9 })).toEqual([]);
      });
    });

    describe("due", () => {
      it("names matches whose time has come, oldest first", async () => {
        const never = await start(playing());
        const [second, first, last] = [
          await start(playing({ dueAt: 20 })),
          await start(playing({ dueAt: 10 })),
          await start(playing({ dueAt: 31 })),
        ];
        expect(await stores.matches.due(30, 1_000)).toEqual([first.id, second.id]);
        expect(await stores.matches.due(31, 2)).toEqual([first.id, second.id]);
        expect(await stores.matches.due(31, 1_000)).toEqual([first.id, second.id, last.id]);
        expect(await stores.matches.due(1e15, 1_000)).not.toContain(never.id);
        expect(await stores.matches.due(9, 1_000)).toEqual([]);

        const { dueAt: _, ...settled } = { ...first, version: 1 };
        await stores.matches.change(first, { ...moved(first), next: settled });
        expect(await stores.matches.due(30, 1_000)).toEqual([second.id]);
      });
    });

    describe("removeOpen", () => {
      it("removes a match that still waits, with its answers", async () => {
        const match = await start(open(), { answer: answer() });
        await stores.matches.removeOpen(match.id, 0);
        expect(await stores.matches.load(match.id)).toBeUndefined();
        expect(await stores.matches.answer(keyOf(match, answer()))).toBeUndefined();
        await stores.matches.removeOpen(match.id, 0);
      });

      it("leaves a match in which a seat was claimed meanwhile", async () => {
        const match = await start(open());
        const claimed = { ...match, claims: 1 };
        await stores.matches.change(match, { next: claimed, lines: [], answer: answer() });
        await stores.matches.removeOpen(match.id, 0);
        expect(await stores.matches.load(match.id)).toEqual(claimed);
        expect(await stores.matches.answer(keyOf(match, answer()))).toBeDefined();
      });

      it("leaves a match that plays or is over", async () => {
        for (const status of ["playing", "over"] as const) {
          const match = await start(playing({ status }), { answer: answer() });
          await stores.matches.removeOpen(match.id, 0);
          expect(await stores.matches.load(match.id)).toEqual(match);
          expect(await linesOf(match.id)).toHaveLength(1);
          expect(await stores.matches.answer(keyOf(match, answer()))).toBeDefined();
        }
      });
    });

    appStoreContract(() => stores);

    describe("decks", () => {
      it("are numbered once, and listed in order", async () => {
        const deck = (number: number) => ({
          deck: number,
          size: 1_024,
          length: 64,
          root: "ab".repeat(32),
          sealedSecret: "sealed",
          createdAt: 1_700_000_000_000,
        });
        expect(await stores.decks.last()).toBe(0);
        expect(await stores.decks.get(1)).toBeUndefined();
        for (const number of [1, 3, 2]) expect(await stores.decks.add(deck(number))).toBe(true);
        expect(await stores.decks.add({ ...deck(2), root: "other" })).toBe(false);
        expect(await stores.decks.last()).toBe(3);
        expect(await stores.decks.get(2)).toEqual(deck(2));
        expect(await stores.decks.list(1, 1)).toEqual([deck(2)]);
        expect(await stores.decks.list(0, 9)).toEqual([deck(1), deck(2), deck(3)]);
      });
    });

    describe("leases", () => {
      it("are held by one at a time, who may renew", async () => {
        const name = randomUUID();
        expect(await stores.leases.acquire(name, "a", 60_000)).toBe(true);
        expect(await stores.leases.acquire(name, "b", 60_000)).toBe(false);
        expect(await stores.leases.acquire(name, "a", 60_000)).toBe(true);
        expect(await stores.leases.acquire(`${name}-other`, "b", 60_000)).toBe(true);
      });

      it("lapse", async () => {
        const name = randomUUID();
        expect(await stores.leases.acquire(name, "a", 60_000)).toBe(true);
        expect(await stores.leases.acquire(name, "a", 0)).toBe(true);
        expect(await stores.leases.acquire(name, "b", 60_000)).toBe(true);
        expect(await stores.leases.acquire(name, "a", 60_000)).toBe(false);
      });

      it("go to one of many who ask at once", async () => {
        const name = randomUUID();
        const holders = Array.from({ length: 8 }, (_, nth) => `holder-${nth.toString()}`);
        const got = await Promise.all(
          holders.map((holder) => stores.leases.acquire(name, holder, 60_000)),
        );
        expect(got.filter(Boolean)).toHaveLength(1);
      });
    });

    describe("the store itself", () => {
      it("belongs to the first key that claims it", async () => {
        expect(await Promise.all([stores.claimKey("key-a"), stores.claimKey("key-a")])).toEqual([
          true,
          true,
        ]);
        expect(await stores.claimKey("key-b")).toBe(false);
        expect(await stores.claimKey("key-a")).toBe(true);
      });

      it("answers a ping, and says what it is", async () => {
        await stores.ping();
        const { kind, version } = await stores.server();
        expect(["memory", "postgresql"]).toContain(kind);
        expect(version).toMatch(/^\d/);
        expect(["disk", "process"]).toContain(await stores.durability());
      });
    });
  });
};
