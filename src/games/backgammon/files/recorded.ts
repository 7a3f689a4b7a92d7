import { present, unreachable } from "../../../kernel/assert.ts";
import type { Dice } from "../board.ts";
import type { Event } from "../event.ts";
import { evolve, init } from "../evolve.ts";
import type { Options } from "../options.ts";
import { moneyRules } from "../options.ts";
import { START } from "../start.ts";
import type { State } from "../state.ts";
import { WHITE } from "../state.ts";
import type {
  FileAbout,
  FileAction,
  FileEnding,
  FileGame,
  FileRoll,
  FileRules,
  MatchFile,
} from "./record.ts";

/** What a file says besides what was played. */
export interface Said {
  /** [white, black] */
  readonly players: readonly [string, string];
  readonly about: FileAbout;
}

/** A game that is being written down. */
interface Sheet {
  readonly score: FileGame["score"];
  readonly crawford?: boolean;
  readonly start?: NonNullable<FileGame["start"]>;
  readonly actions: readonly FileAction[];
  /** The roll that is still to be played. */
  readonly rolled?: FileRoll;
}

/**
 * A match as a file tells it: rolls, plays, the cube, and how each game ended. Refused resignations leave no
 * trace in a file, and a match that was given up or lost on time ends as a resigned game.
 */
export const recorded = (
  options: Options,
  events: readonly Event[],
  { players, about }: Said,
): MatchFile => {
  const games: FileGame[] = [];
  let state = init(options);
  let sheet = sheetOf(state);
  for (const event of events) {
    const before = state;
    state = evolve(state, event);
    if (event.type === "game-won") {
      games.push({ ...untouched(sheet), ...endingOf(event, sheet) });
      sheet = sheetOf(state);
    } else {
      sheet = written(sheet, before, event);
    }
  }
  const isBegun = sheet.actions.length > 0 || sheet.rolled !== undefined;
  if (state.phase !== "match-over" && (isBegun || games.length === 0)) {
    const { rolled } = sheet;
    games.push({ ...untouched(sheet), ...(rolled === undefined ? {} : { rolled }) });
  }
  const { contest, variant } = options;
  const length = contest.kind === "match" ? contest.length : 0;
  return { players, length, variant, rules: rulesOf(options), about, games };
};

const rulesOf = ({ contest, cubeLimit }: Options): FileRules => {
  const cube = cubeLimit === 1 ? ({ cube: false } as const) : { cubeLimit };
  if (contest.kind === "match") return { ...cube, crawford: contest.crawford };
  const { jacoby, beavers, automaticDoubles } = moneyRules(contest);
  return { ...cube, jacoby, beavers, automaticDoubles };
};

/** An empty sheet for the game that the state begins. */
const sheetOf = ({ score, crawford, options, sides, cube, game }: State): Sheet => ({
  score,
  ...(options.contest.kind === "match" ? { crawford } : {}),
  ...(options.start !== null && game === 1 ? { start: { sides, cube, onRoll: WHITE } } : {}),
  actions:
    game === 1 && options.start?.isDoubleOffered === true ? [{ seat: WHITE, type: "double" }] : [],
});

const untouched = ({ rolled: _rolled, ...sheet }: Sheet): Omit<Sheet, "rolled"> => sheet;

const endingOf = (
  { winner, points, reason }: Event & { type: "game-won" },
  sheet: Sheet,
): FileEnding => {
  if (reason === "borne-off") return { end: { winner, points, reason: "played" } };
  if (reason === "passed") return { end: { winner, points, reason } };
  const { rolled } = sheet;
  return {
    end: { winner, points, reason: "resigned" },
    ...(rolled === undefined ? {} : { rolled }),
  };
};

const written = (
  sheet: Sheet,
  state: State,
  event: Exclude<Event, { type: "game-won" }>,
): Sheet => {
  switch (event.type) {
    case "opening-rolled":
    case "opening-imported":
    case "dice-rolled":
    case "dice-imported":
      return { ...sheet, rolled: { seat: event.seat, dice: largerFirst(event.dice) } };
    case "cube-turned": {
      const side = START[state.options.variant];
      return {
        ...sheet,
        start: { sides: [side, side], cube: { value: event.value, owner: null } },
      };
    }
    case "turn-skipped":
      return withAction(sheet, {
        seat: event.seat,
        type: "play",
        dice: largerFirst(event.dice),
        moves: [],
      });
    case "played": {
      const { seat, moves } = event;
      const { dice } = present(sheet.rolled, "a play follows its roll");
      const hops = moves.map(({ from, to, hit }) => ({ from, to, hit }));
      return withAction(sheet, { seat, type: "play", dice, moves: hops });
    }
    case "cube-offered":
      return withAction(sheet, { seat: event.seat, type: "double" });
    case "beavered":
      return withAction(sheet, { seat: event.seat, type: "beaver" });
    case "raccooned":
      return withAction(sheet, { seat: event.seat, type: "raccoon" });
    case "cube-taken":
      return withAction(sheet, { seat: event.seat, type: "take" });
    case "cube-passed":
      return withAction(sheet, { seat: event.seat, type: "pass" });
    case "roll-requested":
    case "resignation-offered":
    case "resignation-accepted":
    case "resignation-refused":
    case "resignation-recorded":
    case "next-game-asked":
    case "match-resigned":
    case "seat-forfeited":
      return sheet;
    default:
      return unreachable(event);
  }
};

/** Files have the larger die first; which one fell first is for our own log. */
const largerFirst = ([one, other]: Dice): Dice => [Math.max(one, other), Math.min(one, other)];

const withAction = (sheet: Sheet, action: FileAction): Sheet => ({
  ...untouched(sheet),
  actions: [...sheet.actions, action],
});
