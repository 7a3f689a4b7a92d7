import { unreachable } from "../../../kernel/assert.ts";
import type { Json, JsonObject } from "../../../kernel/json.ts";
import { canonical } from "../../../kernel/json.ts";
import { ok, type Rejection, type Result, reject } from "../../../kernel/result.ts";
import type { Seat } from "../../../kernel/seat.ts";
import type { Dice } from "../board.ts";
import type { Command } from "../command.ts";
import { decide } from "../decide.ts";
import type { Event } from "../event.ts";
import { evolve, init } from "../evolve.ts";
import { playsOf } from "../legal.ts";
import type { Options } from "../options.ts";
import { CUBE_LIMIT_DEFAULT, CUBE_LIMIT_MAX, moneyRules } from "../options.ts";
import { printOptions, readOptions } from "../options-wire.ts";
import { pointsOf, resultOf } from "../result.ts";
import type { State } from "../state.ts";
import { BLACK, opponentOf, WHITE } from "../state.ts";
import { WIN_KINDS } from "../value.ts";
import type { FileAction, FileGame, FileRoll, MatchFile } from "./record.ts";
import { isUsual } from "./table.ts";

/** A match of a file by our rules: what it is played by, and all that happened. */
export interface Replayed {
  readonly options: Options;
  readonly events: readonly Event[];
}

/** Where a file and the rules part: the game and the action in it, both from 1; 0 is the game's start or end. */
type Misplayed = Rejection<"file-not-playable">;

/**
 * Plays a file's match by our rules: every play must be legal, every action open, every score and result the
 * one that the file states. What a file leaves unsaid is as usual; where the results tell of the Jacoby rule
 * that it was not played, it was not.
 *
 * The dice are the file's own: events `opening-imported` and `dice-imported`, which the audit leaves out.
 */
export const replayed = (file: MatchFile): Result<Replayed, Misplayed> => {
  const usual = replayedBy(file, optionsFor(file));
  if (usual.ok || file.length > 0 || file.rules.jacoby !== undefined) return usual;
  const without = replayedBy(file, { ...optionsFor(file), jacoby: false });
  return without.ok ? without : usual;
};

/**
 * The options as a client would give them. A file ends with a game, most often: the seats then ask for the next
 * one, which would else begin by itself.
 */
const optionsFor = (file: MatchFile): JsonObject => ({ ...contestFor(file), nextGame: "ask" });

const contestFor = ({ length, rules, games }: MatchFile): JsonObject => {
  const { cube, crawford, jacoby, beavers, automaticDoubles } = rules;
  const hasAction = (type: FileAction["type"]) =>
    games.some(({ actions }) => actions.some((action) => action.type === type));
  const isTurned = games.some(({ start }) => (start?.cube.value ?? 1) > 1);
  if (length > 0) {
    return {
      length,
      crawford: crawford ?? true,
      ...(cube === false || length === 1 ? { cube: false } : { cubeLimit: limitFor(games) }),
    };
  }
  return {
    length,
    ...(jacoby === undefined ? {} : { jacoby }),
    beavers: (beavers ?? false) || hasAction("beaver"),
    raccoons: hasAction("raccoon"),
    automaticDoubles: automaticDoubles ?? (isTurned ? AUTOMATIC_DOUBLES_UNSAID : 0),
    ...(cube === false ? { cube: false } : { cubeLimit: limitFor(games) }),
  };
};

/** Where a file shows a turned cube at an opening and does not say how often that may be. */
const AUTOMATIC_DOUBLES_UNSAID = 15;

/**
 * The limit that the match was played under, as far as its cube tells: files fill the limit in by habit, so
 * it is information and no rule.
 */
const limitFor = (games: readonly FileGame[]): number => {
  const highest = games.map(({ start, actions }) => {
    const raises = actions.filter(({ type }) => RAISES.includes(type)).length;
    return (start?.cube.value ?? 1) * 2 ** raises;
  });
  const needed = Math.max(CUBE_LIMIT_DEFAULT, ...highest);
  return Math.min(CUBE_LIMIT_MAX, 2 ** Math.ceil(Math.log2(needed)));
};

const RAISES: readonly string[] = ["double", "beaver", "raccoon"];

/** What was played so far; written by `grow` only, and seen by nobody outside `replayedBy`. */
interface Replay {
  state: State;
  readonly events: Event[];
}

/** Turns and cube actions of a file, at most: some 200 games. It bounds the time that an import takes. */
const ACTIONS_MAX = 10_000;

const replayedBy = (file: MatchFile, asked: JsonObject): Result<Replayed, Misplayed> => {
  const [first] = file.games;
  if (first === undefined) return misplayed(0, 0, "no-game");
  const read = readOptions(file.variant, asked);
  if (!read.ok) return misplayed(0, 0, "options-not-possible");
  const options = begunAs(read.value, first);
  if (options === undefined) return misplayed(1, 0, "start-not-possible");
  const actions = file.games.reduce((sum, game) => sum + game.actions.length, 0);
  if (actions > ACTIONS_MAX) return misplayed(0, 0, "file-too-long");
  const replay: Replay = { state: init(options), events: [] };
  for (const [index, game] of file.games.entries()) {
    const wrong = playGame(replay, game, index + 1, index + 1 === file.games.length);
    if (wrong !== undefined) return wrong;
  }
  return ok({ options, events: replay.events });
};

/** The options with the first game's set-up in them; undefined where no match of ours begins so. */
const begunAs = (options: Options, game: FileGame): Options | undefined => {
  const { start, score, crawford = false } = game;
  const isFresh = score[0] === 0 && score[1] === 0;
  if (start === undefined || isOpening(options, game)) return isFresh ? options : undefined;
  if (start.onRoll !== undefined && start.onRoll !== WHITE) return undefined;
  const { sides, cube } = start;
  const begun: Options = {
    ...options,
    start: { sides, cube, score, crawford, isDoubleOffered: false },
  };
  // What a client could not ask for begins no match, and nothing of the file may be lost on the way.
  const read = readOptions(options.variant, printOptions(begun) as JsonObject);
  return read.ok && isEqual(read.value, begun) ? begun : undefined;
};

const isEqual = (one: Options, other: Options): boolean =>
  canonical(one as unknown as Json) === canonical(other as unknown as Json);

/** A start that only tells of a cube that ties have turned: the game is opened as usual. */
const isOpening = ({ variant, contest }: Options, { start, actions }: FileGame): boolean => {
  if (start === undefined || !isUsual(start.sides, variant) || contest.kind === "match")
    return false;
  const { value, owner } = start.cube;
  const mostTurned = 2 ** contest.automaticDoubles;
  const isRolled = actions[0] === undefined || actions[0].type === "play";
  return owner === null && value > 1 && value <= mostTurned && isRolled;
};

/** Plays a game on; what is wrong with it, if anything. */
const playGame = (
  replay: Replay,
  game: FileGame,
  number: number,
  isLast: boolean,
): Result<never, Misplayed> | undefined => {
  const { state: begun } = replay;
  if (begun.phase === "match-over") return misplayed(number, 0, "match-over");
  if (begun.score[0] !== game.score[0] || begun.score[1] !== game.score[1])
    return misplayed(number, 0, "other-score");
  if (game.crawford !== undefined && game.crawford !== begun.crawford)
    return misplayed(number, 0, "other-crawford-game");
  if (begun.phase === "between-games") grow(replay, BOTH_ASK);
  for (const [index, action] of game.actions.entries()) {
    const wrong = act(replay, game, action);
    if (wrong !== undefined) return misplayed(number, index + 1, wrong);
  }
  const wrong = end(replay, game);
  if (wrong !== undefined) return misplayed(number, 0, wrong);
  const isOver = replay.state.results.length > begun.results.length;
  return isOver || isLast ? undefined : misplayed(number, 0, "game-not-over");
};

const BOTH_ASK: readonly Event[] = [WHITE, BLACK].map((seat) => ({
  type: "next-game-asked",
  seat,
}));

/** Why something could not be played; nothing where it was. */
type Wrong = string | undefined;

const act = (replay: Replay, game: FileGame, action: FileAction): Wrong => {
  const { seat, type } = action;
  switch (type) {
    case "play": {
      const wrong = roll(replay, game, action);
      if (wrong !== undefined) return wrong;
      if (replay.state.phase !== "to-play")
        return action.moves.length === 0 ? undefined : "play-not-legal";
      const moves = action.moves.map(({ from, to }) => ({ from, to }));
      return ask(replay, seat, { type, moves });
    }
    case "double":
    case "take":
    case "pass":
    case "beaver":
    case "raccoon":
      return ask(replay, seat, { type });
    default:
      return unreachable(action);
  }
};

const ask = (replay: Replay, seat: Seat, command: Command): Wrong => {
  const decided = decide(replay.state, seat, command);
  if (!decided.ok) return decided.error.code;
  grow(replay, decided.value);
  return undefined;
};

/** The roll, and the turn that passes where it has no legal play. */
const roll = (
  replay: Replay,
  { start }: FileGame,
  { seat, dice: [one, other] }: FileRoll,
): Wrong => {
  const dice: Dice = [Math.max(one, other), Math.min(one, other)];
  if (replay.state.phase === "opening") {
    if (one === other) return "opening-not-possible";
    const value = start?.cube.value ?? 1;
    const { automaticDoubles } = moneyRules(replay.state.options.contest);
    if (value > 2 ** automaticDoubles) return "not-a-possible-cube";
    grow(replay, [{ type: "opening-imported", seat, dice }]);
    if (value > 1) grow(replay, [{ type: "cube-turned", value }]);
  } else {
    const wrong = ask(replay, seat, { type: "roll" });
    if (wrong !== undefined) return wrong;
    grow(replay, [{ type: "dice-imported", seat, dice }]);
  }
  const { state } = replay;
  if (state.phase === "to-play" && playsOf(state).length === 0)
    grow(replay, [{ type: "turn-skipped", seat, dice }]);
  return undefined;
};

/** The end as the file states it; a resignation is accepted by whom the file names the winner. */
const end = (replay: Replay, game: FileGame): Wrong => {
  const { end: stated, rolled } = game;
  const wrong = rolled === undefined ? undefined : roll(replay, game, rolled);
  if (wrong !== undefined || stated === undefined) return wrong;
  if (stated.reason === "resigned") return resign(replay, stated.winner, stated.points);
  const result = replay.state.results.at(-1);
  const isSaid = result?.winner === stated.winner && result.points === stated.points;
  return isSaid ? undefined : "other-result";
};

const resign = (replay: Replay, winner: Seat, points: number): Wrong => {
  const { state } = replay;
  const kind = WIN_KINDS.find((one) => pointsOf(state, one).points === points);
  if (kind === undefined) return "other-result";
  const seat = opponentOf(winner);
  grow(replay, [
    { type: "resignation-recorded", seat, value: kind, points },
    { type: "game-won", ...resultOf(state, { winner, reason: "resigned", kind }) },
  ]);
  return undefined;
};

const grow = (replay: Replay, events: readonly Event[]): void => {
  replay.state = events.reduce(evolve, replay.state);
  replay.events.push(...events);
};

const misplayed = (game: number, action: number, reason: string) =>
  reject("file-not-playable", { game, action, reason });
