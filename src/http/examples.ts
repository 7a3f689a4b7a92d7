import type { Json } from "../kernel/json.ts";

// What the document shows of the answers. A test holds each against its schema.

export const EXAMPLE_ID = "3f0c0f1e-5b1a-4c1e-9d0e-6c4c1b7a2d11";
const SELF = `/v1/matches/${EXAMPLE_ID}`;
const AT = "2026-11-29T12:00:00.000Z";

const SEATS_EXAMPLE: Json = [
  { seat: 0, kind: "human", name: "Ann" },
  { seat: 1, kind: "engine", level: "heuristic" },
];

export const LEGAL_EXAMPLE: Json = {
  commands: [
    { type: "roll" },
    { type: "offer-resignation", value: "single" },
    { type: "offer-resignation", value: "gammon" },
    { type: "offer-resignation", value: "backgammon" },
    { type: "resign-match" },
  ],
  unavailable: [{ type: "double", why: "crawford-game" }],
};

/** A match to 3 at 2–0, the Crawford game: after black's opening 3-1, white to roll. */
export const MATCH_EXAMPLE: Json = {
  id: EXAMPLE_ID,
  game: "backgammon",
  variant: "standard",
  options: {
    length: 3,
    crawford: true,
    cube: true,
    cubeLimit: 64,
    autoRoll: false,
    autoPlay: false,
    nextGame: "auto",
  },
  visibility: "public",
  seats: SEATS_EXAMPLE,
  serverTime: AT,
  status: "playing",
  version: 45,
  score: [2, 0],
  turn: { kind: "seats", seats: [0] },
  state: {
    phase: "to-roll",
    onRoll: 0,
    cube: { value: 1, owner: null, offered: false },
    cubeLimit: 64,
    game: 2,
    length: 3,
    score: [2, 0],
    crawford: true,
    jacoby: false,
    board: {
      points: [-2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -2, 0, -4, -2, 0, 0, 0, 2],
      bar: [0, 0],
      off: [0, 0],
      pips: [167, 163],
    },
    positionId: "sGfwATDgc/ABMA",
    games: [
      {
        game: 1,
        winner: 0,
        reason: "borne-off",
        kind: "gammon",
        points: 2,
        cube: 1,
        loserBorneOff: 0,
        loserOnBar: 0,
        loserInWinnersHome: 0,
      },
    ],
  },
  legal: LEGAL_EXAMPLE,
  replyOwed: false,
  fairness: { protocol: "fair/1", grade: "D", cards: ["1/0"], rolls: 21 },
  next: [
    {
      title: "Roll the dice",
      method: "POST",
      path: `${SELF}/commands`,
      headers: {
        Authorization: "Bearer <your seat's token>",
        "If-Match": '"45"',
        "Idempotency-Key": "fa43009e-b568-494c-a0ec-004ee5447caa",
      },
      body: { type: "roll" },
    },
  ],
  links: {
    self: SELF,
    legalCommands: `${SELF}/legal-commands`,
    commands: `${SELF}/commands`,
    events: `${SELF}/events`,
    log: `${SELF}/log`,
    export: `${SELF}/export?format=mat`,
    hint: `${SELF}/hint`,
    analysis: `${SELF}/analysis`,
    decks: "/v1/audit/decks",
  },
};

export const OPENED_EXAMPLE: Json = {
  match: MATCH_EXAMPLE,
  seats: [{ seat: 0, token: "qj_seat_…" }],
};

export const EVENT_EXAMPLE: Json = {
  seq: 45,
  at: AT,
  type: "played",
  seat: 1,
  play: "8/5 6/5",
  moves: [
    { from: 8, to: 5, die: 3, hit: false },
    { from: 6, to: 5, die: 1, hit: false },
  ],
};

export const ACTED_EXAMPLE: Json = {
  match: MATCH_EXAMPLE,
  events: [EVENT_EXAMPLE],
  receipt: {
    seq: 45,
    hash: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
  },
};

export const LIST_EXAMPLE: Json = {
  matches: [
    {
      id: EXAMPLE_ID,
      game: "backgammon",
      variant: "standard",
      visibility: "public",
      status: "playing",
      createdAt: AT,
      seats: SEATS_EXAMPLE,
      links: { self: SELF },
    },
  ],
  nextCursor: "MTc5NjA4MzIwMDAwMCAzZjBjMGYxZS01YjFhLTRjMWUtOWQwZS02YzRjMWI3YTJkMTE",
};

export const GAME_EXAMPLE: Json = {
  id: "backgammon",
  title: { en: "Backgammon", zh: "双陆棋" },
  seats: { min: 2, max: 2 },
  information: "perfect",
  variants: ["standard", "nackgammon", "hypergammon"],
  ruleset: "backgammon/1",
  levels: ["random", "heuristic"],
  engines: [
    {
      level: "random",
      title: { en: "Random", zh: "随机" },
      about: {
        en: "Any legal command, each as likely as the others.",
        zh: "随机选择任意合法的走法。",
      },
    },
    {
      level: "heuristic",
      title: { en: "Heuristic", zh: "经验规则" },
      about: {
        en: "Plays by simple rules of thumb, and looks at no roll ahead.",
        zh: "按简单的经验规则走棋，不向前推算。",
      },
    },
  ],
  advice: ["intermediate", "expert", "grandmaster"],
  options: { type: "object", properties: {}, additionalProperties: false },
};

const TALLY: Json = {
  games: 3,
  wins: 2,
  netPoints: 2,
  gammons: 1,
  backgammons: 0,
  gammonsLost: 0,
  backgammonsLost: 0,
};

export const STATISTICS_EXAMPLE: Json = {
  player: "ann",
  total: { ...TALLY, longestStreak: 2 },
  byGame: [{ game: "backgammon", ...TALLY }],
  byOpponent: [{ game: "backgammon", opponent: { kind: "engine", level: "heuristic" }, ...TALLY }],
};

const START: Json = { points: { "24": 2, "13": 5, "8": 3, "6": 5 }, bar: 0, off: 0 };

export const PLAYS_EXAMPLE: Json = {
  plays: [
    {
      play: "8/5 6/5",
      moves: [
        { from: 8, to: 5, die: 3, hit: false },
        { from: 6, to: 5, die: 1, hit: false },
      ],
      resultingPositionId: "sGfwATDgc/ABMA",
    },
  ],
};

export const CONVERTED_EXAMPLE: Json = {
  positionId: "4HPwATDgc/ABMA",
  matchId: "cAkAAAAAAAAE",
  gnubgId: "4HPwATDgc/ABMA:cAkAAAAAAAAE",
  xgid: "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10",
  board: { onRoll: START, opponent: START },
  pips: { onRoll: 167, opponent: 167 },
  match: {
    turn: { phase: "to-roll" },
    cube: { value: 1, owner: "centre" },
    score: [0, 0],
    matchLength: 0,
    crawford: false,
    jacoby: false,
    beavers: false,
    cubeLimit: 1_024,
  },
};

export const DECKS_EXAMPLE: Json = {
  decks: [
    {
      deck: 1,
      size: 64,
      length: 1024,
      root: "aaa0a4134959fca6e54f1ac601e59af875f64926ac87bd5f3911376866067fde",
      createdAt: AT,
    },
  ],
};

export const META_EXAMPLE: Json = {
  name: "qiju",
  version: "0.1.0",
  commit: "c1ecbe9",
  database: { kind: "embedded", version: "18.4" },
  durability: "disk",
  limits: { bodyBytes: 16_384, bodyDepth: 16, repliesPerCommand: 32, repliesPerRequest: 100 },
};

/** A match to 3, of which a game was played: white's 3-1, and a double that is passed. */
export const FILE_EXAMPLE: Json = {
  players: ["Ann", "Bob"],
  length: 3,
  variant: "standard",
  rules: { cubeLimit: 64, crawford: true },
  about: { date: "2026-11-29" },
  games: [
    {
      score: [0, 0],
      crawford: false,
      actions: [
        {
          seat: 0,
          type: "play",
          dice: [3, 1],
          moves: [
            { from: 8, to: 5, hit: false },
            { from: 6, to: 5, hit: false },
          ],
        },
        { seat: 1, type: "double" },
        { seat: 0, type: "pass" },
      ],
      end: { winner: 1, points: 1, reason: "passed" },
    },
  ],
};
