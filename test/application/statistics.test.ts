import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tableCache } from "../../src/application/load.ts";
import type { MatchId } from "../../src/application/match.ts";
import { readMatch } from "../../src/application/read.ts";
import { readStatistics } from "../../src/application/statistics.ts";
import { sweep } from "../../src/application/sweep.ts";
import type { HostedState } from "../../src/games/host.ts";
import { present } from "../../src/kernel/assert.ts";
import type { JsonObject } from "../../src/kernel/json.ts";
import { SPECTATOR, seat } from "../../src/kernel/seat.ts";
import { memoryStores } from "../../src/persistence/memory-store.ts";
import { migrate } from "../../src/persistence/migrate.ts";
import { postgresStores } from "../../src/persistence/postgres-store.ts";
import type { Stores } from "../../src/persistence/stores.ts";
import { keyOfApp } from "../support/apps.ts";
import {
  freshDatabase,
  MIGRATIONS,
  needsPostgres,
  postgresAvailable,
} from "../support/postgres.ts";
import type { Sat } from "../support/table-talk.ts";
import {
  bodiesOf,
  engine,
  movedClock,
  nextCommand,
  quickService,
  sat,
  trySending,
} from "../support/table-talk.ts";

const DAY_MS = 24 * 3_600_000;
const RANDOM = engine("random");
const player = (name: string) => ({ kind: "human", player: name }) as const;

type Quick = Awaited<ReturnType<typeof quickService>>["service"];

const statisticsOf = async (service: Quick, name: string, token: string) => {
  const read = await readStatistics(service, { player: name, token });
  return read.ok ? read.value : read.error.code;
};

/** What the log of a match says of its games, for one seat. */
const gamesOf = async (stores: Stores, id: MatchId, place: number) =>
  (await bodiesOf(stores, id))
    .filter(({ type }) => type === "game-won")
    .map(({ winner, points, kind }) => ({
      won: winner === place,
      net: winner === place ? Number(points) : -Number(points),
      kind: String(kind),
    }));

interface BoardView {
  readonly board: { readonly off: readonly [number, number] };
}

type Game = Awaited<ReturnType<typeof gamesOf>>[number];

/** The tally of games, counted one by one. */
const counted = (games: readonly Game[]) => {
  const kinds: Record<string, { won: number; lost: number }> = {};
  for (const { kind, won } of games) {
    kinds[kind] ??= { won: 0, lost: 0 };
    kinds[kind][won ? "won" : "lost"] += 1;
  }
  return {
    games: games.length,
    wins: games.filter(({ won }) => won).length,
    netPoints: games.reduce((sum, { net }) => sum + net, 0),
    kinds,
  };
};

const streakOf = (games: readonly Game[]): number =>
  Math.max(
    ...games
      .map(({ won }) => (won ? "W" : "L"))
      .join("")
      .split("L")
      .map(({ length }) => length),
  );

describe.each([
  ["in memory", true, async () => ({ stores: memoryStores(Date.now), drop: async () => {} })],
  [
    "on PostgreSQL",
    postgresAvailable,
    async () => {
      const { url, drop } = await freshDatabase();
      await migrate({ connection: url, folder: MIGRATIONS });
      return { stores: postgresStores({ connection: url }), drop };
    },
  ],
] as const)("statistics %s", (where, isThere, makeStores) => {
  const suite = isThere ? "a player's record" : needsPostgres(`statistics ${where}`);
  describe.skipIf(!isThere)(suite, () => {
    const { time, clock } = movedClock();
    let stores: Stores;
    let drop: () => Promise<void>;
    /** Two processes. */
    let services: readonly [Quick, Quick];
    beforeAll(async () => {
      ({ stores, drop } = await makeStores());
      const [one, two] = [
        await quickService({ stores, clock }),
        await quickService({ stores, clock }),
      ];
      services = [one.service, two.service];
    });
    afterAll(async () => {
      await stores?.close();
      await drop?.();
    });

    /** Plays to the end, each command sent by twins and rivals to both processes at once. */
    const playRaced = async (seated: Sat, by: readonly Quick[] = services): Promise<void> => {
      const { id, grants } = seated;
      for (let turn = 0; ; turn++) {
        const record = present(await stores.matches.load(id), "the match exists");
        if (record.status === "over") return;
        const { seat: onTurn, command } = await nextCommand(present(by[0], "somebody plays"), id);
        time.at += 1_000;
        const token = grants[onTurn];
        const racers = by.flatMap((service) =>
          [`twin ${turn}`, `twin ${turn}`, undefined].map((key) =>
            trySending(service, id, command, {
              token,
              expected: record.version,
              ...(key === undefined ? {} : { key }),
            }),
          ),
        );
        const results = await Promise.all(racers);
        expect(results.some(({ ok }) => ok)).toBe(true);
      }
    };

    it("is what the logs say, whatever raced, by game and by opponent", async () => {
      const token = await keyOfApp(stores, "shop");
      const [service] = services;
      const all: Game[] = [];
      const byLevel: Record<string, Game[]> = { human: [], random: [], heuristic: [] };
      const bobs: Game[] = [];
      for (const opponent of ["random", "human", "heuristic", "random"]) {
        const other = opponent === "human" ? player("bob") : engine(opponent);
        const seated = await sat(service, [player("ann"), other], { token });
        expect(await statisticsOf(service, "ann", token)).toMatchObject({
          total: { ...counted(all), longestStreak: all.length === 0 ? 0 : streakOf(all) },
        });
        await playRaced(seated);
        const games = await gamesOf(stores, seated.id, 0);
        expect(games).toHaveLength(1);
        all.push(...games);
        byLevel[opponent]?.push(...games);
        if (opponent === "human") bobs.push(...(await gamesOf(stores, seated.id, 1)));
      }
      const alike = { game: "backgammon" };
      expect(await statisticsOf(services[1], "ann", token)).toEqual({
        player: "ann",
        total: { ...counted(all), longestStreak: streakOf(all) },
        byGame: [{ ...alike, ...counted(all) }],
        byOpponent: [
          { ...alike, opponent: { kind: "human" }, ...counted(byLevel["human"] ?? []) },
          ...["heuristic", "random"].map((level) => ({
            ...alike,
            opponent: { kind: "engine", level },
            ...counted(byLevel[level] ?? []),
          })),
        ],
      });
      expect(await statisticsOf(service, "bob", token)).toMatchObject({ total: counted(bobs) });
      expect(await statisticsOf(service, "eve", token)).toBe("player-not-found");
    }, 120_000);

    it("counts each game of a match that has several, once, with the append that ends it", async () => {
      const token = await keyOfApp(stores, "many");
      // As if every checker that is borne off were a game that white has won.
      const borneOff = (view: JsonObject): number => {
        const [white, black] = (view as unknown as BoardView).board.off;
        return white + black;
      };
      const several = (service: Quick): Quick => {
        const game = present(service.games.get("backgammon"), "backgammon is played");
        const won = { winner: seat(0), points: 1, reason: "borne-off" };
        const ended = (state: HostedState) =>
          Array.from({ length: borneOff(game.view(state, SPECTATOR)) }, () => won);
        const games = new Map([["backgammon", { ...game, ended }]]);
        return { ...service, games, tables: tableCache(100) };
      };
      const [one, two] = services.map(several);
      if (one === undefined || two === undefined) throw new TypeError("there are two");
      const seated = await sat(one, [player("ann"), player("bob")], { token });
      await playRaced(seated, [one, two]);
      const read = await readMatch(one, { match: seated.id });
      const wins = read.ok && "state" in read.value.value ? borneOff(read.value.value.state) : 0;
      expect(wins).toBeGreaterThanOrEqual(15);
      expect(await statisticsOf(two, "ann", token)).toMatchObject({
        total: { games: wins, wins, netPoints: wins, longestStreak: wins },
      });
      expect(await statisticsOf(two, "bob", token)).toMatchObject({
        total: { games: wins, wins: 0, netPoints: -wins, longestStreak: 0 },
      });
    }, 120_000);

    it("counts a match that was abandoned, once", async () => {
      const token = await keyOfApp(stores, "leavers");
      const [service] = services;
      await sat(service, [player("ann"), RANDOM], { token });
      expect(await statisticsOf(service, "ann", token)).toMatchObject({ total: { games: 0 } });
      time.at += 9 * DAY_MS;
      await Promise.all(services.map((one, i) => sweep(one, stores.leases, `sweeper ${i}`)));
      expect(await statisticsOf(service, "ann", token)).toMatchObject({
        total: { games: 1, wins: 0, longestStreak: 0 },
      });
    });

    it("counts nothing for players of nobody", async () => {
      const token = await keyOfApp(stores, "quiet");
      const [service] = services;
      await playRaced(await sat(service, [{ kind: "human" }, RANDOM], { token }));
      await playRaced(await sat(service, [{ kind: "human" }, RANDOM]));
      expect(await statisticsOf(service, "ann", token)).toBe("player-not-found");
    });
  });
});
