import type { Json } from "../kernel/json.ts";

// What the document shows of engines' answers. A test holds each against its schema.

const CHANCES: Json = {
  win: 0.52606,
  winGammon: 0.14337,
  winBackgammon: 0.00668,
  loseGammon: 0.11926,
  loseBackgammon: 0.00536,
};

export const EVALUATION_EXAMPLE: Json = { chances: CHANCES, cubeless: 0.07756, cubeful: 0.10781 };

const POINT = {
  equity: 0.21601,
  difference: 0,
  chances: {
    win: 0.55085,
    winGammon: 0.16347,
    winBackgammon: 0.00805,
    loseGammon: 0.1119,
    loseBackgammon: 0.00541,
  },
};

const SPLIT = {
  equity: -0.01262,
  difference: -0.22863,
  chances: {
    win: 0.4948,
    winGammon: 0.13127,
    winBackgammon: 0.00586,
    loseGammon: 0.12913,
    loseBackgammon: 0.00587,
  },
};

const RUN = {
  equity: -0.0252,
  difference: -0.24121,
  chances: {
    win: 0.495,
    winGammon: 0.11947,
    winBackgammon: 0.00538,
    loseGammon: 0.12799,
    loseBackgammon: 0.0054,
  },
};

export const BEST_PLAYS_EXAMPLE: Json = {
  plays: [
    {
      play: "8/5 6/5",
      moves: [
        { from: 8, to: 5, die: 3, hit: false },
        { from: 6, to: 5, die: 1, hit: false },
      ],
      resultingPositionId: "sGfwATDgc/ABMA",
      ...POINT,
      plies: 1,
    },
    {
      play: "24/23 13/10",
      moves: [
        { from: 13, to: 10, die: 3, hit: false },
        { from: 24, to: 23, die: 1, hit: false },
      ],
      resultingPositionId: "4HPiASjgc/ABMA",
      ...SPLIT,
      plies: 1,
    },
    {
      play: "24/20",
      moves: [
        { from: 24, to: 21, die: 3, hit: false },
        { from: 21, to: 20, die: 1, hit: false },
      ],
      resultingPositionId: "4HPwASHgc/ABMA",
      ...RUN,
      plies: 1,
    },
  ],
};

export const CUBE_ACTION_EXAMPLE: Json = {
  mayDouble: true,
  action: "noDouble",
  chances: CHANCES,
  response: "take",
  equities: { noDouble: 0.18547, doubleTake: 0.02043, doublePass: 1 },
  takePoint: 0.2982,
  tooGood: false,
};

export const HINT_EXAMPLE: Json = {
  level: "expert",
  hints: [
    { command: { type: "play", play: "8/5 6/5" }, ...POINT },
    { command: { type: "play", play: "24/23 13/10" }, ...SPLIT },
    { command: { type: "play", play: "24/20" }, ...RUN },
  ],
};

const NOTHING: Json = { equity: 0, worth: 0 };
const NONE: Json = { made: 0, counted: 0, errors: 0, blunders: 0, lost: NOTHING };

export const ANALYSIS_EXAMPLE: Json = {
  build: "backgammon-static/1",
  plies: 1,
  worth: "points",
  decisions: [
    {
      game: 1,
      seq: 3,
      seat: 0,
      kind: "play",
      done: "24/23 13/10",
      best: "8/5 6/5",
      choices: [
        { action: "8/5 6/5", equity: 0.21601 },
        { action: "24/23 13/10", equity: -0.01262 },
      ],
      error: { equity: 0.22863, worth: 0.22863 },
      class: "blunder",
      counted: true,
      plies: 1,
    },
  ],
  rolls: [{ game: 1, seq: 2, seat: 0, dice: [3, 1], luck: { equity: 0.12, worth: 0.12 } }],
  seats: [
    {
      plays: {
        made: 1,
        counted: 1,
        errors: 0,
        blunders: 1,
        lost: { equity: 0.22863, worth: 0.22863 },
      },
      cube: NONE,
      resignations: NONE,
      errorRate: 228.63,
      performanceRating: 114.315,
      luck: { equity: 0.12, worth: 0.12 },
      result: -1,
      luckAdjusted: -1.12,
    },
    {
      plays: NONE,
      cube: NONE,
      resignations: NONE,
      luck: NOTHING,
      result: 1,
      luckAdjusted: 1.12,
    },
  ],
};
