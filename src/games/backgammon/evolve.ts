import { assert, unreachable } from "../../kernel/assert.ts";
import type { Seat } from "../../kernel/seat.ts";
import type { CheckerMove, Side } from "./board.ts";
import { at, BAR, mirrored } from "./board.ts";
import type { Event } from "./event.ts";
import { START } from "./start.ts";
import type { BySeat, Options, State } from "./state.ts";
import { ofSeat, opponentOf, WHITE } from "./state.ts";

/** A match that waits for its opening roll. */
export const init = (options: Options): State => ({
  options,
  sides: [START[options.variant], START[options.variant]],
  cube: { value: 1, owner: null },
  game: 1,
  score: [0, 0],
  results: [],
  phase: "opening",
});

/** The state after an event. The log is folded with this, so an old event keeps its meaning for ever. */
export const evolve = (state: State, event: Event): State => {
  const { options, sides, cube, game, score, results } = state;
  const table = { options, sides, cube, game, score, results };
  switch (event.type) {
    case "opening-rolled":
      assert(state.phase === "opening", "a game is opened once");
      return { ...table, phase: "to-play", onRoll: event.seat, dice: event.dice };
    case "roll-requested":
      assert(state.phase === "to-roll", "a roll is asked for before it is rolled");
      return { ...table, phase: "rolling", onRoll: event.seat };
    case "dice-rolled":
      assert(state.phase === "rolling", "dice fall when a roll was asked for");
      return { ...table, phase: "to-play", onRoll: event.seat, dice: event.dice };
    case "turn-skipped":
      assert(state.phase === "to-play", "a turn is skipped after its roll");
      return { ...table, phase: "to-roll", onRoll: opponentOf(event.seat) };
    case "played":
      assert(state.phase === "to-play", "a play follows its roll");
      return {
        ...table,
        sides: movedAll(sides, event.seat, event.moves),
        phase: "to-roll",
        onRoll: opponentOf(event.seat),
      };
    case "seat-forfeited":
      return state;
    case "game-won": {
      assert(state.phase !== "match-over", "a game is won once");
      const { type: _type, ...result } = event;
      return {
        ...table,
        results: [...results, result],
        score: scored(score, event.winner, event.points),
        phase: "match-over",
        onRoll: opponentOf(event.winner),
        winner: event.winner,
      };
    }
    default:
      return unreachable(event);
  }
};

const scored = ([white, black]: BySeat<number>, winner: Seat, points: number): BySeat<number> =>
  winner === WHITE ? [white + points, black] : [white, black + points];

const movedAll = (sides: BySeat<Side>, seat: Seat, moves: readonly CheckerMove[]): BySeat<Side> => {
  const own = [...ofSeat(sides, seat)];
  const other = [...ofSeat(sides, opponentOf(seat))];
  for (const { from, to, hit } of moves) {
    assert(at(own, from) > 0, "a checker stands where a checker moves from");
    own[from] = at(own, from) - 1;
    own[to] = at(own, to) + 1;
    if (!hit) continue;
    assert(at(other, mirrored(to)) === 1, "only a blot is hit");
    other[mirrored(to)] = 0;
    other[BAR] = at(other, BAR) + 1;
  }
  return seat === WHITE ? [own, other] : [other, own];
};
