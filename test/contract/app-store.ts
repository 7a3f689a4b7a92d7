import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { MatchId, MatchRecord, SeatRecord } from "../../src/application/match.ts";
import type { AppKey, Change, GameGroup, PlayedGame } from "../../src/application/ports.ts";
import type { Stores } from "../../src/persistence/stores.ts";
import { created, moved, newId, open, playing } from "../support/matches.ts";

const hash = (): string => randomUUID().replaceAll("-", "").repeat(2);
const newApp = (): string => `app-${randomUUID()}`;

const seated = (player: string): SeatRecord => ({
  kind: "human",
  player,
  tokenHash: "ab".repeat(32),
});
const ENGINE: SeatRecord = { kind: "engine", level: "expert" };

/** A match of an app, with ann in seat 0. */
const ofApp = (app: string, overrides: Partial<MatchRecord> = {}): MatchRecord =>
  playing({ app, seats: [seated("ann"), ENGINE], ...overrides });

const game = (overrides: Partial<PlayedGame> = {}): PlayedGame => ({
  nth: 1,
  seat: 0,
  player: "ann",
  opponent: { kind: "engine", level: "expert" },
  won: true,
  points: 2,
  kind: "gammon",
  reason: "borne-off",
  ...overrides,
});

/** Groups that differ in nothing but their counts as one: a store may have split them further. */
const joined = (groups: readonly GameGroup[]): readonly GameGroup[] => {
  const byKey = new Map<string, GameGroup>();
  for (const { games, points, ...alike } of groups) {
    const key = JSON.stringify(Object.entries(alike).sort(([a], [b]) => (a < b ? -1 : 1)));
    const known = byKey.get(key) ?? { ...alike, games: 0, points: 0 };
    byKey.set(key, { ...alike, games: known.games + games, points: known.points + points });
  }
  return [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group);
};

/** What stores promise about apps and their players; part of the stores' contract. */
export const appStoreContract = (theStores: () => Stores): void => {
  const start = async (match: MatchRecord, extra: Partial<Change> = {}): Promise<MatchRecord> => {
    expect(await theStores().matches.create(created(match, extra))).toBe("done");
    return match;
  };
  const idsOf = async (records: Promise<readonly MatchRecord[]>): Promise<readonly MatchId[]> =>
    (await records).map(({ id }) => id);
  const list = (app: string, more: object = {}) =>
    idsOf(
      theStores().matches.listOfPlayer({ app, player: "ann", onTurn: false, limit: 100, ...more }),
    );

  describe("the keys of apps", () => {
    const key = (app: string, overrides: Partial<AppKey> = {}): AppKey => ({
      id: randomUUID(),
      app,
      scopes: ["open-matches", "read-statistics"],
      createdAt: 1_700_000_000_000,
      ...overrides,
    });

    it("are found by their hash until they are revoked", async () => {
      const { apps } = theStores();
      const [made, itsHash] = [key(newApp()), hash()];
      expect(await apps.add(made, itsHash)).toBe(true);
      expect(await apps.live(itsHash)).toEqual(made);
      expect(await apps.live(hash())).toBeUndefined();
      expect(await apps.revoke(made.id, 5)).toBe(true);
      expect(await apps.live(itsHash)).toBeUndefined();
      expect(await apps.list()).toContainEqual({ ...made, revokedAt: 5 });
      expect(await apps.revoke(made.id, 6)).toBe(false);
      expect(await apps.revoke("nothing", 6)).toBe(false);
    });

    it("are two an app at most, whoever asks at once; a revoked one makes room", async () => {
      const { apps } = theStores();
      const app = newApp();
      const made = Array.from({ length: 8 }, () => key(app));
      const added = await Promise.all(made.map((one) => apps.add(one, hash())));
      expect(added.filter(Boolean)).toHaveLength(2);
      const [first] = made.filter((_, i) => added[i]);
      expect(await apps.add(key(newApp()), hash()), "another app is not held up").toBe(true);
      expect(await apps.revoke(first?.id ?? "", 5)).toBe(true);
      expect(await apps.add(key(app), hash())).toBe(true);
      expect(await apps.add(key(app), hash())).toBe(false);
      expect((await apps.list()).filter((one) => one.app === app)).toHaveLength(3);
    });
  });

  describe("a match of an app", () => {
    it("keeps its app and its players, whatever a change says", async () => {
      const app = newApp();
      const match = await start(ofApp(app));
      const other: MatchRecord = { ...match, app: "another", version: 1 };
      const change = { ...moved(match), next: other };
      expect(await theStores().matches.change(match, change)).toBe("done");
      expect(await theStores().matches.load(match.id)).toEqual({ ...match, version: 1 });
    });

    it.each(["open", "playing", "over"] as const)(
      "that is %s may change who holds a seat, without a line",
      async (status) => {
        const { matches } = theStores();
        const made = status === "open" ? open({ dueAt: 7 }) : playing({ status, version: 3 });
        const match = await start(made);
        const seats = match.seats.map((held) =>
          held.kind === "human" ? { ...held, tokenHash: "cd".repeat(32) } : held,
        );
        const next: MatchRecord = { ...match, seats, claims: 1 };
        expect(await matches.change(match, { next, lines: [] })).toBe("done");
        expect(await matches.load(match.id)).toEqual(next);
        expect(await matches.change(match, moved(match))).toBe("stale");
        expect(await matches.lines(match.id, -1, 100)).toHaveLength(match.version + 1);
      },
    );
  });

  describe("list, for an app", () => {
    it("has public matches and its own private ones in one order, page by page", async () => {
      const { matches } = theStores();
      const [app, other, kind] = [newApp(), newApp(), `game-${randomUUID()}`];
      const shown: MatchRecord[] = [];
      for (const createdAt of [5, 1, 3, 3, 2, 4, 3]) {
        for (const visibility of ["public", "private"] as const) {
          shown.push(await start(ofApp(app, { game: kind, visibility, createdAt })));
        }
        shown.push(await start(ofApp(other, { game: kind, visibility: "public", createdAt })));
        await start(ofApp(other, { game: kind, visibility: "private", createdAt }));
        await start(playing({ game: kind, visibility: "private", createdAt }));
      }
      const inOrder = shown
        .sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1))
        .map(({ id }) => id);
      const paged: MatchId[] = [];
      for (let before: MatchRecord | undefined; ; ) {
        const page = await matches.list({ app, game: kind, limit: 4, ...(before && { before }) });
        paged.push(...page.map(({ id }) => id));
        before = page.at(-1);
        if (before === undefined) break;
      }
      expect(paged).toEqual(inOrder);
      expect(await matches.list({ app, game: kind, status: "over", limit: 9 })).toEqual([]);
      expect(await matches.list({ app, game: kind, status: "playing", limit: 100 })).toHaveLength(
        21,
      );
    });
  });

  describe("listOfPlayer", () => {
    it("has the app's matches of the player, of every visibility, in order and page by page", async () => {
      const [app, other] = [newApp(), newApp()];
      const shown: MatchRecord[] = [];
      for (const createdAt of [3, 1, 2, 2, 2, 5]) {
        const visibility = createdAt === 1 ? "public" : "private";
        shown.push(await start(ofApp(app, { createdAt, visibility })));
        await start(ofApp(app, { createdAt, seats: [seated("bob"), ENGINE] }));
        await start(ofApp(other, { createdAt }));
      }
      const inOrder = shown.sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
      expect(await list(app)).toEqual(inOrder.map(({ id }) => id));
      const paged: MatchId[] = [];
      for (let before: MatchRecord | undefined; ; ) {
        const page = await list(app, { limit: 2, ...(before && { before }) });
        paged.push(...page);
        before = shown.find(({ id }) => id === page.at(-1));
        if (before === undefined) break;
      }
      expect(paged).toEqual(inOrder.map(({ id }) => id));
    });

    it("has them by status and game as they are now, and where the player is to act", async () => {
      const { matches } = theStores();
      const app = newApp();
      const waiting = await start(open({ app, seats: [seated("ann"), seated("bob")] }));
      const mine = await start(ofApp(app), { onTurn: [0] });
      const theirs = await start(ofApp(app, { createdAt: 1 }), { onTurn: [1] });
      expect(await list(app, { onTurn: true })).toEqual([mine.id]);
      expect(await list(app, { status: "open" })).toEqual([waiting.id]);
      expect(await list(app, { game: "luzhanqi" })).toEqual([]);

      const next = { ...mine, version: 1 };
      expect(await matches.change(mine, { ...moved(mine), onTurn: [1] })).toBe("done");
      expect(await matches.change(theirs, { ...moved(theirs), onTurn: [0] })).toBe("done");
      expect(await list(app, { onTurn: true })).toEqual([theirs.id]);
      const rotated = { ...theirs, version: 1, claims: 1 };
      const before = { version: 1, claims: 0 };
      expect(await matches.change(before, { next: rotated, lines: [] })).toBe("done");
      expect(await list(app, { onTurn: true }), "as before").toEqual([theirs.id]);

      const over: MatchRecord = { ...next, status: "over", version: 2 };
      expect(await matches.change(next, { ...moved(next), next: over, onTurn: [] })).toBe("done");
      expect(await list(app, { status: "over" })).toEqual([mine.id]);
      expect(await list(app, { status: "playing" })).toEqual([theirs.id]);
      expect(await list(app, { status: "over", onTurn: true })).toEqual([]);
    });

    it("moves nobody's turn with a change that fails", async () => {
      const app = newApp();
      const match = await start(ofApp(app), { onTurn: [0] });
      const early = { ...match, version: 4 };
      const change = { ...moved(early), onTurn: [], played: [game()] };
      expect(await theStores().matches.change(early, change)).toBe("stale");
      expect(await list(app, { onTurn: true })).toEqual([match.id]);
      const record = await theStores().matches.playerRecord({ app, player: "ann" });
      expect(record).toEqual({ groups: [], longestStreak: 0 });
    });

    it("forgets a match that was removed before it began, and its player with it", async () => {
      const app = newApp();
      const match = await start(open({ app, seats: [seated("ann"), seated("bob")] }));
      await theStores().matches.removeOpen(match.id, 0);
      expect(await list(app)).toEqual([]);
      expect(await theStores().matches.playerRecord({ app, player: "ann" })).toBeUndefined();
    });
  });

  describe("playerRecord", () => {
    const recordOf = (app: string, player = "ann") =>
      theStores().matches.playerRecord({ app, player });

    it("is unknown for whom the app never seated, and empty before the first end", async () => {
      const [app, other] = [newApp(), newApp()];
      await start(ofApp(app));
      expect(await recordOf(app)).toEqual({ groups: [], longestStreak: 0 });
      expect(await recordOf(app, "bob")).toBeUndefined();
      expect(await recordOf(other)).toBeUndefined();
    });

    it("groups games by game, opponent, kind and who won, of this app only", async () => {
      const { matches } = theStores();
      const [app, other] = [newApp(), newApp()];
      const seats = [seated("ann"), seated("bob")];
      const human = { kind: "human" } as const;
      const first = await start(ofApp(app), { played: [game()] });
      const { kind: _, ...plain } = game({ nth: 2, won: false, points: -1 });
      await matches.change(first, moved(first, 1, { played: [plain, game({ nth: 3 })] }));
      await start(ofApp(app, { seats }), {
        played: [
          game({ opponent: human, points: 4 }),
          game({ opponent: human, points: -4, won: false, seat: 1, player: "bob" }),
        ],
      });
      await start(ofApp(app, { game: "luzhanqi" }), { played: [game({ points: 1 })] });
      await start(ofApp(other), { played: [game({ points: 100 })] });

      const expert = { kind: "engine", level: "expert" } as const;
      const alike = { game: "backgammon", opponent: expert };
      expect(joined((await recordOf(app))?.groups ?? [])).toEqual(
        joined([
          { ...alike, won: true, kind: "gammon", games: 2, points: 4 },
          { ...alike, won: false, games: 1, points: -1 },
          { ...alike, opponent: human, won: true, kind: "gammon", games: 1, points: 4 },
          { ...alike, game: "luzhanqi", won: true, kind: "gammon", games: 1, points: 1 },
        ]),
      );
      expect(joined((await recordOf(app, "bob"))?.groups ?? [])).toEqual([
        { ...alike, opponent: human, won: false, kind: "gammon", games: 1, points: -4 },
      ]);
    });

    it("finds the longest streak in the order of the ends, over matches and within one", async () => {
      const { matches } = theStores();
      const app = newApp();
      const end = async (match: MatchRecord, at: number, ...won: readonly boolean[]) => {
        const from = (await matches.load(match.id)) ?? match;
        const nth = from.version + 1;
        const played = won.map((isWon, i) =>
          game({ nth: nth * 100 + i, won: isWon, points: isWon ? 1 : -1 }),
        );
        const change = moved(from, 1, { played });
        expect(await matches.change(from, { ...change, next: { ...change.next, at } })).toBe(
          "done",
        );
      };
      const [one, two] = [await start(ofApp(app)), await start(ofApp(app))];
      await end(two, 50, true, true, false);
      await end(one, 10, true);
      await end(one, 40, true, true);
      await end(two, 60, true);
      await end(one, 20, false);
      // In order: W(10) L(20) WW(40) WWL(50) W(60).
      expect((await recordOf(app))?.longestStreak).toBe(4);
    });

    it("counts a game once, however often its end is appended at once", async () => {
      const { matches } = theStores();
      const app = newApp();
      const match = await start(ofApp(app));
      const said = await Promise.all(
        Array.from({ length: 12 }, () =>
          matches.change(match, moved(match, 1, { played: [game()] })),
        ),
      );
      expect(said.filter((word) => word === "done")).toHaveLength(1);
      const record = await recordOf(app);
      expect(record?.groups.map(({ games }) => games)).toEqual([1]);
      expect(record?.longestStreak).toBe(1);
    });

    it("keeps an odd reason and a player's every character", async () => {
      const app = newApp();
      const player = `a._:@-Z9${"x".repeat(56)}`;
      const reason = 'it\'s "odd" \\ 陆 $1 {}';
      await start(ofApp(app, { seats: [seated(player), ENGINE] }), {
        onTurn: [0],
        played: [game({ player, reason })],
      });
      expect((await recordOf(app, player))?.groups).toHaveLength(1);
      expect(await list(app, { player, onTurn: true })).toHaveLength(1);
      const before = { createdAt: 1_700_000_000_001, id: newId() };
      expect(await list(app, { player, before })).toHaveLength(1);
    });
  });
};
