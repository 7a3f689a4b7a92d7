import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { backgammon } from "../../../src/games/backgammon/game.ts";
import type { GameResult, State } from "../../../src/games/backgammon/state.ts";
import { BLACK, opponentOf, WHITE } from "../../../src/games/backgammon/state.ts";
import type { WinKind } from "../../../src/games/backgammon/value.ts";
import { assert, present } from "../../../src/kernel/assert.ts";
import type { Json } from "../../../src/kernel/json.ts";
import type { Seat } from "../../../src/kernel/seat.ts";
import { pickedDraw } from "../../support/scripted-draw.ts";
import { accepted, folded, optionsOf, refused, toPlay, toRoll } from "./support/given.ts";
import { SEED, seeded } from "./support/random.ts";

const START = { 24: 2, 13: 5, 8: 3, 6: 5 };

/** The loser's checkers, and what they make of a game by the rule book (USBGF rules of play, "Scoring"). */
const LOSERS = [
  ["one borne off", { 6: 14 }, "single", 1],
  [
    "one borne off, others on the bar and in the winner's home",
    { 25: 2, 24: 3, 6: 9 },
    "single",
    1,
  ],
  ["none borne off", { 13: 5, 8: 3, 6: 7 }, "gammon", 2],
  ["none borne off, one just outside the winner's home", { 18: 1, 6: 14 }, "gammon", 2],
  ["one on the bar", { 25: 1, 6: 14 }, "backgammon", 3],
  ["one in the winner's home", { 19: 1, 6: 14 }, "backgammon", 3],
] as const satisfies readonly (readonly [string, object, WinKind, number])[];

/** Options, whether Jacoby is among them, and whether the cube of the row was turned by a double. */
const STAKES: readonly (readonly [Json, boolean])[] = [
  [{}, false],
  [{ jacoby: true }, true],
  [{ length: 0 }, true],
  [{ length: 0, jacoby: false }, false],
  [{ length: 25 }, false],
];

describe("a game is worth its kind times the cube", () => {
  for (const [where, loser, kind, multiplier] of LOSERS) {
    for (const [options, hasJacoby] of STAKES) {
      for (const value of [1, 2, 4, 64]) {
        for (const isDoubled of value === 1 ? [false] : [false, true]) {
          const isSingle = hasJacoby && !isDoubled;
          const points = value * (isSingle ? 1 : multiplier);
          const turned = isDoubled ? "taken" : "not doubled";
          it(`${where}, ${JSON.stringify(options)}, cube ${value} ${turned}: ${points}`, () => {
            for (const winner of [WHITE, BLACK]) {
              const [white, black] = winner === WHITE ? [{ 1: 1 }, loser] : [loser, { 1: 1 }];
              const state: State = {
                ...toPlay({ white, black, onRoll: winner, dice: [2, 1], options }),
                cube: { value, owner: isDoubled ? winner : null },
                isDoubled,
              };
              const events = accepted(state, winner, { type: "play", play: "1/off" });
              const ended = folded(state, events);
              const result = present(ended.results[0], "the game is over");
              expect(result).toMatchObject({ winner, kind, points, cube: value });
              expect(result.jacoby).toBe(isSingle && multiplier > 1 ? true : undefined);
              expect(ended.score).toEqual(winner === WHITE ? [points, 0] : [0, points]);
            }
          });
        }
      }
    }
  }
});

/** A match at a score, in the game after which it stood at `before`; the game is then won by a passed double. */
const atScore = (length: number, score: readonly [number, number], crawford = false): State => ({
  ...toRoll({ white: START, black: START, onRoll: WHITE, options: { length } }),
  score,
  crawford,
});

/** The state after the seat has won so many points. The cube gets there only if the game has one. */
const wonBy = (state: State, winner: Seat, points: number): State => {
  const result: GameResult = {
    game: state.game,
    winner,
    reason: "borne-off",
    kind: "single",
    points,
    cube: points,
    loserBorneOff: 1,
    loserOnBar: 0,
    loserInWinnersHome: 0,
  };
  return backgammon.evolve(state, { type: "game-won", ...result });
};

describe("the Crawford game", () => {
  it("is the first game with exactly one side a point away, over every score of matches to 1 to 9", () => {
    for (let length = 1; length <= 9; length++) {
      const isOneAway = ([w, b]: readonly [number, number]) =>
        (w === length - 1) !== (b === length - 1);
      const seen = new Set<string>();
      // All that a history says of its Crawford game: the score now, and whether one was played before.
      const walk = (state: State, wasOneAway: boolean): void => {
        const isCrawford = length > 1 && isOneAway(state.score) && !wasOneAway;
        expect(state.crawford, `to ${length} at ${state.score}, ${wasOneAway}`).toBe(isCrawford);
        const key = `${state.score} ${wasOneAway}`;
        if (seen.has(key)) return;
        seen.add(key);
        for (const winner of [WHITE, BLACK]) {
          for (const points of [1, 2, 3, 4, 6, 8]) {
            const next = wonBy(state, winner, points);
            const isOver = Math.max(...next.score) >= length;
            expect(next.phase === "match-over").toBe(isOver);
            if (!isOver) walk(next, wasOneAway || isOneAway(state.score));
          }
        }
      };
      walk(atScore(length, [0, 0]), false);
      expect(seen.size).toBeGreaterThanOrEqual(length * length);
    }
  });

  it("has no cube, and the game after it has", () => {
    const crawford = { ...wonBy(atScore(5, [2, 3]), WHITE, 2) };
    expect(crawford).toMatchObject({ crawford: true, score: [4, 3], phase: "opening" });
    const playing: State = { ...atScore(5, [4, 3], true) };
    expect(refused(playing, WHITE, { type: "double" }).facts["reason"]).toBe("crawford-game");
    const after = wonBy(playing, BLACK, 1);
    expect(after).toMatchObject({ crawford: false, score: [4, 4] });
    const postCrawford = wonBy(atScore(7, [6, 2], true), BLACK, 2);
    expect(postCrawford).toMatchObject({ crawford: false, score: [6, 4], phase: "opening" });
    expect(accepted(atScore(7, [6, 4]), WHITE, { type: "double" })).toHaveLength(1);
  });

  it("B41: is none at double match point: 2–2 to 3", () => {
    expect(wonBy(atScore(3, [2, 1], true), BLACK, 1)).toMatchObject({
      crawford: false,
      score: [2, 2],
    });
  });

  it("is not played where the match has none", () => {
    const state: State = {
      ...toRoll({
        white: START,
        black: START,
        onRoll: WHITE,
        options: { length: 3, crawford: false },
      }),
      score: [1, 0],
    };
    expect(wonBy(state, WHITE, 1)).toMatchObject({ crawford: false, score: [2, 0] });
  });
});

describe("the score of a match", () => {
  it("B34: at 0–4 to 7 a passed double makes it 1–4", () => {
    const doubled = folded(
      atScore(7, [0, 4]),
      accepted(atScore(7, [0, 4]), WHITE, { type: "double" }),
    );
    const passed = folded(doubled, accepted(doubled, BLACK, { type: "pass" }));
    expect(passed.score).toEqual([1, 4]);
  });

  it("B35: a single does not end a match to 3 at 0–0; the next game starts", () => {
    expect(wonBy(atScore(3, [0, 0]), WHITE, 1)).toMatchObject({
      phase: "opening",
      score: [1, 0],
      game: 2,
    });
  });

  it("is never capped: 64 × 3 is 192, and 4–0 to 3 stays 4–0", () => {
    const white = { 1: 1 };
    const state: State = {
      ...toPlay({
        white,
        black: { 25: 1, 6: 14 },
        onRoll: WHITE,
        dice: [2, 1],
        options: { length: 3 },
      }),
      cube: { value: 64, owner: WHITE },
      isDoubled: true,
    };
    const ended = folded(state, accepted(state, WHITE, { type: "play", play: "1/off" }));
    expect(ended).toMatchObject({ phase: "match-over", winner: WHITE, score: [192, 0] });
    expect(wonBy(atScore(3, [0, 0]), WHITE, 4)).toMatchObject({
      phase: "match-over",
      score: [4, 0],
    });
  });

  it("B40: cannot be given a Crawford game by a client", () => {
    expect(() => optionsOf({ length: 5, crawford: "now" })).toThrow();
    const read = optionsOf({ length: 5, crawford: true });
    expect(backgammon.init(read)).toMatchObject({ crawford: false, score: [0, 0] });
  });
});

const MATCHES = process.env["TEST_SCALE"] === "full" ? 3_000 : 150;

it(`in random matches and sessions exactly one score changes a game, by the game's value, seed ${SEED}`, () => {
  let games = 0;
  fc.assert(
    fc.property(
      fc.nat(),
      fc.constantFrom<Json>(
        { length: 1 },
        { length: 3 },
        { length: 7 },
        { length: 0, beavers: true, raccoons: true, automaticDoubles: 2 },
        { length: 0, jacoby: false },
      ),
      (seed, options) => {
        const pick = seeded(seed);
        const draw = pickedDraw(pick);
        const read = optionsOf(options, "hypergammon");
        let state = backgammon.init(read);
        const length =
          read.contest.kind === "match" ? read.contest.length : Number.POSITIVE_INFINITY;
        for (let step = 0; step < 1_500 && state.phase !== "match-over"; step++) {
          const turn = backgammon.turn(state);
          const before = state;
          if (turn.kind === "chance") {
            state = folded(state, backgammon.resolve(state, draw(turn.draw)));
          } else if (turn.kind === "seats") {
            const seat = present(turn.seats[0], "somebody is on turn");
            const legal = backgammon.legal(state, seat);
            assert(legal.kind === "listed", "backgammon lists its commands");
            const playing = legal.commands.filter(({ type }) => type !== "resign-match");
            state = folded(
              state,
              accepted(state, seat, present(playing[pick(playing.length)], "one")),
            );
          }
          const ended = state.results.slice(before.results.length);
          const gained = [state.score[0] - before.score[0], state.score[1] - before.score[1]];
          if (ended.length === 0) {
            expect(gained).toEqual([0, 0]);
            continue;
          }
          games += 1;
          const [result] = ended;
          assert(result !== undefined && ended.length === 1, "one game ends at a time");
          expect(gained[result.winner]).toBe(result.points);
          expect(gained[opponentOf(result.winner)]).toBe(0);
          expect(state.phase === "match-over").toBe(Math.max(...state.score) >= length);
        }
        const sum = (seat: Seat) =>
          state.results
            .filter(({ winner }) => winner === seat)
            .reduce((all, { points }) => all + points, 0);
        expect(state.score).toEqual([sum(WHITE), sum(BLACK)]);
      },
    ),
    { seed: SEED, numRuns: MATCHES },
  );
  expect(games).toBeGreaterThan(MATCHES);
});
