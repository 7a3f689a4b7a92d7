import { assert, unreachable } from "../../kernel/assert.ts";
import type { Seat } from "../../kernel/seat.ts";
import type { CheckerMove, Side } from "./board.ts";
import { at, BAR, mirrored } from "./board.ts";
import { isCrawfordNext, isWonAt } from "./contest.ts";
import { rollsByItself } from "./cube.ts";
import type { Event } from "./event.ts";
import type { Options } from "./options.ts";
import { START } from "./start.ts";
import type {
  BySeat,
  Cube,
  Forfeit,
  GameResult,
  Offer,
  Refused,
  ResignationOffered,
  State,
  TakeOrPass,
} from "./state.ts";
import { isForfeit, ofSeat, opponentOf, WHITE, withSeat } from "./state.ts";
import { MULTIPLIERS } from "./value.ts";

type Table = Omit<Extract<State, { readonly phase: "opening" }>, "phase">;

/** A match that waits for its opening roll, or stands as it was set up. */
export const init = (options: Options): State => {
  const { start, variant } = options;
  const table: Table = {
    options,
    sides: start?.sides ?? [START[variant], START[variant]],
    cube: start?.cube ?? CENTRED,
    isDoubled: start !== null && start.cube.owner !== null,
    game: 1,
    crawford: start?.crawford ?? false,
    score: start?.score ?? [0, 0],
    results: [],
  };
  if (start === null) return { ...table, phase: "opening" };
  return start.isDoubleOffered
    ? { ...table, phase: "take-or-pass", onRoll: WHITE, offer: "double", refused: 0 }
    : toRoll(table, WHITE);
};

const CENTRED: Cube = { value: 1, owner: null };

/** The state after an event. The log is folded with this, so an old event keeps its meaning for ever. */
export const evolve = (state: State, event: Event): State => {
  const table = tableOf(state);
  switch (event.type) {
    case "opening-rolled":
    case "opening-imported":
      assert(state.phase === "opening", "a game is opened once");
      return { ...table, phase: "to-play", onRoll: event.seat, dice: event.dice, refused: 0 };
    case "cube-turned":
      return { ...state, cube: { value: event.value, owner: null } };
    case "roll-requested":
      assert(state.phase === "to-roll", "a roll is asked for before it is rolled");
      return { ...table, phase: "rolling", onRoll: event.seat, refused: state.refused };
    case "dice-rolled":
    case "dice-imported":
      assert(state.phase === "rolling", "dice fall when a roll was asked for");
      return {
        ...table,
        phase: "to-play",
        onRoll: event.seat,
        dice: event.dice,
        refused: state.refused,
      };
    case "turn-skipped":
      assert(state.phase === "to-play", "a turn is skipped after its roll");
      return toRoll(table, opponentOf(event.seat));
    case "played":
      assert(state.phase === "to-play", "a play follows its roll");
      return toRoll(
        { ...table, sides: movedAll(table.sides, event.seat, event.moves) },
        opponentOf(event.seat),
      );
    case "cube-offered":
      assert(state.phase === "to-roll", "a double comes before the roll");
      return offered(table, event.seat, "double", state.refused);
    case "beavered":
      assert(state.phase === "take-or-pass", "a beaver answers a double");
      return offered(table, state.onRoll, "beaver", state.refused);
    case "raccooned":
      assert(state.phase === "take-or-pass", "a raccoon answers a beaver");
      return offered(table, state.onRoll, "raccoon", state.refused);
    case "cube-taken": {
      assert(state.phase === "take-or-pass", "a take answers a double");
      const cube = { value: event.value, owner: event.owner };
      return toRoll({ ...table, cube, isDoubled: true }, state.onRoll, state.refused);
    }
    case "resignation-offered":
      assert(state.phase === "to-roll" || state.phase === "to-play", "a turn is under way");
      return {
        ...table,
        phase: "resignation-offered",
        onRoll: event.seat,
        value: event.value,
        interrupted:
          state.phase === "to-play" ? { phase: "to-play", dice: state.dice } : { phase: "to-roll" },
      };
    case "resignation-refused":
      assert(state.phase === "resignation-offered", "what is refused was offered");
      return resumed(table, state);
    case "next-game-asked": {
      assert(state.phase === "between-games", "the next game is asked for between games");
      const ready = withSeat(state.ready, event.seat, true);
      return ready[0] && ready[1] ? { ...table, phase: "opening" } : { ...state, ready };
    }
    case "match-resigned":
      return endedBetweenGames(state, event.seat, "match-resigned");
    case "seat-forfeited":
      return endedBetweenGames(state, event.seat, event.reason);
    case "cube-passed":
    case "resignation-accepted":
    case "resignation-recorded":
      return state;
    case "game-won": {
      assert(state.phase !== "match-over", "a game is won once");
      const { type: _type, ...result } = event;
      return afterGame(table, result);
    }
    default:
      return unreachable(event);
  }
};

const tableOf = (state: State): Table => {
  const { options, sides, cube, isDoubled, game, crawford, score, results } = state;
  return { options, sides, cube, isDoubled, game, crawford, score, results };
};

/** The turn of a seat that has not rolled; the match rolls for it where it has nothing to decide. */
const toRoll = (table: Table, onRoll: Seat, refused: Refused = 0): State => ({
  ...table,
  phase: rollsByItself({ ...table, onRoll }) ? "rolling" : "to-roll",
  onRoll,
  refused,
});

const offered = (table: Table, onRoll: Seat, offer: Offer, refused: Refused): TakeOrPass => ({
  ...table,
  phase: "take-or-pass",
  onRoll,
  offer,
  refused,
});

/** The turn goes on as it stood. What was refused is not offered again in it. */
const resumed = (table: Table, { onRoll, value, interrupted }: ResignationOffered): State => ({
  ...table,
  ...interrupted,
  onRoll,
  refused: MULTIPLIERS[value],
});

/** Between games a lost match ends at once; else the game that is lost with it comes next in the log. */
const endedBetweenGames = (state: State, loser: Seat, reason: Forfeit): State =>
  state.phase === "between-games" ? overBy(tableOf(state), loser, reason) : state;

/** What is forfeited is the opponent's; a money session is whose it is by the points. */
const overBy = (table: Table, loser: Seat, reason: Forfeit): State => ({
  ...table,
  phase: "match-over",
  onRoll: loser,
  winner:
    table.options.contest.kind === "money-session" ? leaderOf(table.score) : opponentOf(loser),
  reason,
});

const leaderOf = ([white, black]: BySeat<number>): Seat | null =>
  white === black ? null : white > black ? WHITE : opponentOf(WHITE);

const afterGame = (before: Table, result: GameResult): State => {
  const { contest, variant, nextGame } = before.options;
  const { winner, points, reason } = result;
  const score = withSeat(before.score, winner, ofSeat(before.score, winner) + points);
  const table: Table = { ...before, score, results: [...before.results, result] };
  const loser = opponentOf(winner);
  if (isForfeit(reason)) return overBy(table, loser, reason);
  if (contest.kind === "single-game" || isWonAt(contest, score)) {
    return { ...table, phase: "match-over", onRoll: loser, winner, reason: "points" };
  }
  const next: Table = {
    ...table,
    sides: [START[variant], START[variant]],
    cube: CENTRED,
    isDoubled: false,
    game: before.game + 1,
    crawford: isCrawfordNext(contest, before.score, score),
  };
  return nextGame === "auto"
    ? { ...next, phase: "opening" }
    : { ...next, phase: "between-games", ready: [false, false] };
};

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
