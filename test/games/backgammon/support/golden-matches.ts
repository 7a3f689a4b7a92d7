import { readFileSync } from "node:fs";
import type { FileAction, MatchFile } from "../../../../src/games/backgammon/files/record.ts";
import { BLACK, WHITE } from "../../../../src/games/backgammon/state.ts";
import type { Rejection, Result } from "../../../../src/kernel/result.ts";

/** The matches that GNU Backgammon 1.07.001 exported in several formats. */
export const GOLDEN_MATCHES = ["match5-crawford", "money-cube"] as const;

const FOLDER = new URL("../../../golden/backgammon/formats/", import.meta.url);

export const goldenText = (name: string): string => readFileSync(new URL(name, FOLDER), "utf8");

/** A game as GNU Backgammon's Python tells it. `X` is player 0, our white. `board` is before the action. */
export interface GnubgGame {
  readonly info: {
    readonly "score-X": number;
    readonly "score-O": number;
    readonly winner: "X" | "O";
    readonly "points-won": number;
    readonly resigned: boolean;
    readonly crawford?: boolean;
  };
  readonly game: readonly {
    readonly action: "move" | "double" | "take" | "drop";
    readonly player: "X" | "O";
    readonly dice?: readonly [number, number];
    readonly move?: readonly (readonly [number, number])[];
    readonly board?: string;
  }[];
}

export interface GnubgMatch {
  readonly "match-info": {
    readonly X: { readonly name: string };
    readonly O: { readonly name: string };
    readonly "match-length": number;
  };
  readonly games: readonly GnubgGame[];
}

export const gnubgMatch = (name: string): GnubgMatch =>
  JSON.parse(goldenText(`${name}.gnubg-match.json`)) as GnubgMatch;

export const seatOf = (player: "X" | "O") => (player === "X" ? WHITE : BLACK);

/** The actions of a game without hits, which GNU Backgammon does not tell. */
export const gnubgActions = ({ game }: GnubgGame): readonly unknown[] =>
  game.map(({ action, player, dice, move = [] }) =>
    action === "move"
      ? {
          seat: seatOf(player),
          type: "play",
          dice,
          moves: move.map(([from, to]) => ({ from, to })),
        }
      : { seat: seatOf(player), type: action === "drop" ? "pass" : action },
  );

export const withoutHits = (actions: readonly FileAction[]): readonly unknown[] =>
  actions.map((action) =>
    action.type === "play"
      ? { ...action, moves: action.moves.map(({ from, to }) => ({ from, to })) }
      : action,
  );

/** The file that was read; a refusal fails the test. */
export const fileOf = (read: Result<MatchFile, Rejection<string>>): MatchFile => {
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return read.value;
};

/** The text that was printed; a refusal fails the test. */
export const textOf = (printed: Result<string, Rejection<string>>): string => {
  if (!printed.ok) throw new Error(JSON.stringify(printed.error));
  return printed.value;
};
