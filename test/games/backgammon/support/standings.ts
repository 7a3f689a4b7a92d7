import { readFileSync } from "node:fs";
import type { Dice, Position } from "../../../../src/games/backgammon/board.ts";
import type {
  CubeOwner,
  MatchStanding,
  Player,
  Standing,
  StandingTurn,
} from "../../../../src/games/backgammon/standing.ts";
import { sideOfCounts } from "./positions.ts";
import { type Random, randomDice, randomPlacement } from "./random.ts";

/** A turn with its roll written larger die first, as both notations are written. */
const turnInOrder = (turn: StandingTurn): StandingTurn =>
  "dice" in turn && turn.dice !== undefined
    ? { ...turn, dice: [Math.max(...turn.dice), Math.min(...turn.dice)] }
    : turn;

/** What a Match ID can say of it, the larger die first. */
export const saidByMatchId = (standing: MatchStanding): MatchStanding => {
  const { cube, score, matchLength, crawford, jacoby } = standing;
  return { turn: turnInOrder(standing.turn), cube, score, matchLength, crawford, jacoby };
};

/** What an XGID can say of it, the larger die first. */
export const saidByXgid = (standing: Standing): Standing => ({
  ...saidByMatchId(standing),
  position: standing.position,
  beavers: standing.beavers ?? false,
  cubeLimit: standing.cubeLimit ?? 1_024,
});

const OWNERS = ["centre", "onRoll", "opponent"] as const;
const VALUES = ["single", "gammon", "backgammon"] as const;

/** A state as it might be met, and some that are not: every phase, cube, score and length. */
export const randomStanding = (random: Random): Standing => {
  const isMoney = random(3) === 0;
  const matchLength = isMoney ? 0 : 1 + random(random(2) === 0 ? 25 : 32_767);
  const most = isMoney ? 32_768 : matchLength;
  // Half the scores of a match are one point away.
  const points = () => (!isMoney && random(2) === 0 ? matchLength - 1 : random(most));
  const score = [points(), points()] as const;
  const oneAway = score.filter((sidePoints) => sidePoints === matchLength - 1).length;
  const crawford = !isMoney && oneAway === 1 && random(2) === 0;
  const owner: CubeOwner = OWNERS[random(3)] ?? "centre";
  return {
    position: randomPlacement(random),
    turn: randomTurn(random, !crawford && owner !== "opponent"),
    cube: crawford ? { value: 1, owner: "centre" } : { value: 2 ** random(16), owner },
    score,
    matchLength,
    crawford,
    jacoby: isMoney && random(2) === 0,
    ...(random(2) === 0 ? { beavers: isMoney && random(2) === 0 } : {}),
    ...(random(2) === 0 ? { cubeLimit: 2 ** random(16) } : {}),
  };
};

const randomTurn = (random: Random, mayHaveDoubled: boolean): StandingTurn => {
  switch (random(4)) {
    case 0:
      return mayHaveDoubled ? { phase: "take-or-pass" } : { phase: "to-roll" };
    case 1:
      return { phase: "to-roll" };
    case 2:
      return { phase: "to-play", dice: randomDice(random) };
    default: {
      const value = VALUES[random(3)] ?? "single";
      const by = random(2) === 0 ? "onRoll" : "opponent";
      const offered = { phase: "resignation-offered", value, by } as const;
      return random(2) === 0 ? offered : { ...offered, dice: randomDice(random) };
    }
  }
};

/** A state of `golden/backgammon/ids.jsonl`, and what GNU Backgammon prints of it. */
export interface KnownState {
  readonly label: string;
  readonly player: Player;
  /** 1 playing, 3 resigned, 4 the double was dropped. */
  readonly gameState: number;
  readonly standing: Standing;
  readonly positionId: string;
  readonly matchId: string;
  /** Written by another coder, player 1 as the bottom player; absent where there is none. */
  readonly xgid?: string;
}

export const knownStates = (): readonly KnownState[] => {
  const path = new URL("../../../golden/backgammon/ids.jsonl", import.meta.url);
  return readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => {
      const { label, state, gnubgPositionId, gnubgMatchId, xgid } = JSON.parse(line);
      const zero = sideOfCounts(state.board0);
      const one = sideOfCounts(state.board1);
      const position: Position =
        state.move === 0 ? { onRoll: zero, opponent: one } : { onRoll: one, opponent: zero };
      const owner = state.cubeOwner;
      const standing: Standing = {
        position,
        turn: turnOf(state),
        cube: {
          value: state.cubeValue,
          owner: owner === -1 ? "centre" : owner === state.move ? "onRoll" : "opponent",
        },
        score: state.move === 0 ? state.score : [...state.score].reverse(),
        matchLength: state.matchLength,
        crawford: state.crawford === 1,
        jacoby: state.jacoby === 1,
        beavers: state.beavers === 1,
      };
      return {
        label,
        player: state.move,
        gameState: state.gameState,
        standing,
        positionId: gnubgPositionId,
        matchId: gnubgMatchId,
        ...(xgid === undefined ? {} : { xgid }),
      };
    });
};

/** `turn` is who must act, `move` whose roll it is: a resignation is answered by the one who must act. */
const turnOf = (state: {
  readonly doubled: number;
  readonly resigned: number;
  readonly dice: Dice;
  readonly move: number;
  readonly turn: number;
}): StandingTurn => {
  const isRolled = state.dice[0] > 0;
  if (state.doubled === 1) return { phase: "take-or-pass" };
  const value = VALUES[state.resigned - 1];
  if (value !== undefined) {
    const by = state.turn === state.move ? "opponent" : "onRoll";
    const offered = { phase: "resignation-offered", value, by } as const;
    return isRolled ? { ...offered, dice: state.dice } : offered;
  }
  return isRolled ? { phase: "to-play", dice: state.dice } : { phase: "to-roll" };
};
