import { describe, expect, it } from "vitest";
import type { MatchAnalysis, Played } from "../../src/engines/backgammon/analysis.ts";
import { analyse } from "../../src/engines/backgammon/analysis.ts";
import type { Chances } from "../../src/engines/backgammon/chances.ts";
import { reversed, wonBy } from "../../src/engines/backgammon/chances.ts";
import type { Choices } from "../../src/engines/backgammon/decision.ts";
import {
  answerChoices,
  doubleChoices,
  playChoices,
} from "../../src/engines/backgammon/decision.ts";
import type { Evaluator, JudgedPlay } from "../../src/engines/backgammon/evaluator.ts";
import { openingLuck, rollLuck } from "../../src/engines/backgammon/luck.ts";
import type { Dice, Position } from "../../src/games/backgammon/board.ts";
import { pipCount, side } from "../../src/games/backgammon/board.ts";
import { doubleRefusal } from "../../src/games/backgammon/cube.ts";
import type { Event } from "../../src/games/backgammon/event.ts";
import { evolve, init } from "../../src/games/backgammon/evolve.ts";
import { parseMat } from "../../src/games/backgammon/files/mat.ts";
import { replayed } from "../../src/games/backgammon/files/replay.ts";
import { parseSgf } from "../../src/games/backgammon/files/sgf.ts";
import { playsOf } from "../../src/games/backgammon/legal.ts";
import type { Options, SetUp } from "../../src/games/backgammon/options.ts";
import { legalPlays } from "../../src/games/backgammon/plays.ts";
import { isOver } from "../../src/games/backgammon/position.ts";
import type { State } from "../../src/games/backgammon/state.ts";
import { BLACK, opponentOf, WHITE } from "../../src/games/backgammon/state.ts";
import { losersCheckers, winKind } from "../../src/games/backgammon/value.ts";
import { assert, present } from "../../src/kernel/assert.ts";
import type { Json } from "../../src/kernel/json.ts";
import type { Seat } from "../../src/kernel/seat.ts";
import { fileOf, goldenText } from "../games/backgammon/support/golden-matches.ts";
import { deepFrozen, SEED, seeded } from "../games/backgammon/support/random.ts";
import { matchBy, optionsOf, randomMatch } from "../support/random-match.ts";
import { staticEvaluator } from "../support/static-evaluator.ts";

/**
 * Judges by pips, in no time: the plays that leave the opponent's checkers longest on the way come first, only the
 * best few are weighed, and seen as far as asked.
 */
const roughEvaluator: Evaluator = {
  build: "rough",
  chances: ({ onRoll, opponent }) => roughly(pipCount(opponent) + 8 - pipCount(onRoll)),
  plays: (position, dice, plies, { worth }) => {
    const judged = legalPlays(position, dice)
      .map((play) => ({ play, pips: pipCount(play.after.onRoll) - pipCount(play.after.opponent) }))
      .sort((one, other) => other.pips - one.pips)
      .slice(0, WEIGHED)
      .map(({ play }): JudgedPlay => {
        const of = afterPlay(play.after);
        return { play, chances: of, worth: worth(of, play.after), plies };
      })
      .sort((one, other) => other.worth - one.worth);
    const worst = judged.at(-1);
    const weighed = new Set(judged.map(({ play }) => play.text));
    const others = legalPlays(position, dice).filter(({ text }) => !weighed.has(text));
    return [
      ...judged,
      ...others.map((play, rank): JudgedPlay => {
        const lost = 0.01 * (rank + 1);
        return {
          play,
          chances: worst?.chances ?? roughly(0),
          worth: (worst?.worth ?? 0) - lost,
          plies: 0,
        };
      }),
    ];
  },
};

const WEIGHED = 3;

const roughly = (lead: number): Chances => {
  const win = 1 / (1 + Math.exp(-lead / 15));
  return {
    win,
    winGammon: 0.3 * win * win,
    winBackgammon: 0.01 * win * win,
    loseGammon: 0.3 * (1 - win) ** 2,
    loseBackgammon: 0.01 * (1 - win) ** 2,
  };
};

const afterPlay = (after: Position): Chances =>
  isOver(after)
    ? wonBy(winKind(losersCheckers(after.onRoll)))
    : reversed(roughEvaluator.chances(after, 0));

const OPTION_SETS: readonly (readonly [Parameters<typeof optionsOf>[0], Json])[] = [
  ["standard", {}],
  ["standard", { length: 1 }],
  ["standard", { length: 3, autoRoll: true, autoPlay: true }],
  ["standard", { length: 5, crawford: false }],
  ["standard", { length: 7, cubeLimit: 4, nextGame: "ask" }],
  ["standard", { length: 3, cube: false }],
  ["standard", { length: 0, jacoby: true, beavers: true, raccoons: true, automaticDoubles: 3 }],
  ["standard", { length: 0, jacoby: false, beavers: true, cubeLimit: 8 }],
  ["nackgammon", { length: 3 }],
  ["nackgammon", { beavers: true, jacoby: true }],
  ["hypergammon", { length: 5 }],
  ["hypergammon", { length: 0, beavers: true, raccoons: true, automaticDoubles: 1 }],
  ["standard", { start: { xgid: "-a-B--E-B-a-dDB--b-bcb----:1:1:1:00:4:3:0:5:10" } }],
  ["standard", { start: { xgid: "-b----E-C---eE---c-e----B-:0:0:1:D:0:0:0:7:10" } }],
  ["standard", { length: 1000 }],
];

const MATCHES_EACH = 2;

/** By option set. */
const randomMatches: readonly (readonly Played[])[] = OPTION_SETS.map(([variant, asked], set) =>
  Array.from({ length: MATCHES_EACH }, (_, nth) =>
    randomMatch(optionsOf(variant, asked), seeded(SEED + 1_000 * set + nth)),
  ),
);

const imported: readonly Played[] = [
  parseMat(goldenText("money-cube.mat")),
  parseSgf(goldenText("match5-crawford.sgf")),
].map((file) => {
  const read = replayed(fileOf(file));
  assert(read.ok, "a golden match is playable");
  return read.value;
});

const ROLLS = ["opening-rolled", "opening-imported", "dice-rolled", "dice-imported"];
const EVERYTHING = [
  ...["played", "cube-offered", "cube-taken", "cube-passed", "beavered", "raccooned"],
  ...["resignation-offered", "resignation-accepted", "resignation-refused", "match-resigned"],
  ...["seat-forfeited", "cube-turned", "turn-skipped", "next-game-asked", "game-won"],
];

/** What must hold of any analysis; the seed is said where it does not. */
const holds = ({ options, events }: Played, analysis: MatchAnalysis): void => {
  expect(JSON.parse(JSON.stringify(analysis))).toEqual(analysis);
  expect(JSON.stringify(analysis)).not.toContain("null");
  const rolled = events.flatMap(({ type }, index) => (ROLLS.includes(type) ? [index] : []));
  expect(analysis.rolls.map(({ event }) => event)).toEqual(rolled);
  const plays = analysis.decisions.filter(({ kind }) => kind === "play");
  expect(plays).toHaveLength(events.filter(({ type }) => type === "played").length);
  for (const {
    error,
    done,
    best,
    choices,
    class: of,
    counted,
    kind,
    event,
  } of analysis.decisions) {
    expect(error.equity).toBeGreaterThanOrEqual(0);
    expect(error.worth).toBeGreaterThanOrEqual(0);
    expect(error.equity > 0).toBe(best !== done);
    expect(of).toBe(error.equity < 0.02 ? "none" : error.equity < 0.08 ? "error" : "blunder");
    expect(events[event]).toMatchObject(kind === "play" ? { type: "played", play: done } : {});
    if (kind === "play" && choices.length === 0)
      expect([error.equity, counted]).toEqual([0, false]);
    if (options.contest.kind === "match") expect(error.worth).toBeLessThanOrEqual(1);
  }
  const [white, black] = analysis.seats;
  expect(white.result + black.result).toBeCloseTo(0, 9);
  expect(white.luckAdjusted + black.luckAdjusted).toBeCloseTo(0, 9);
  for (const [index, { plays: own, cube, resignations }] of analysis.seats.entries()) {
    const all = analysis.decisions.filter(({ seat }) => seat === index);
    expect(own.made + cube.made + resignations.made).toBe(all.length);
    const lost = all.reduce((sum, { error }) => sum + error.equity, 0);
    expect(own.lost.equity + cube.lost.equity + resignations.lost.equity).toBeCloseTo(lost, 9);
  }
};

describe(`an analysis (SEED=${SEED})`, () => {
  it.each(OPTION_SETS.map(([variant, asked], set) => ({ variant, asked, set })))(
    "of any match holds what must hold, and changes nothing: $variant $asked",
    ({ set }) => {
      for (const played of randomMatches[set] ?? []) {
        deepFrozen(played);
        holds(played, analyse(roughEvaluator, played, 1));
      }
    },
  );

  it("of an imported match holds what must hold", () => {
    for (const played of imported) holds(played, analyse(roughEvaluator, deepFrozen(played), 0));
  });

  it("has met everything that can happen", () => {
    const met = new Set(
      randomMatches.flat().flatMap(({ events }) => events.map(({ type }) => type)),
    );
    expect(EVERYTHING.filter((type) => !met.has(type as Event["type"]))).toEqual([]);
  });

  it("of a match that goes on ends where it ends", () => {
    const [match] = imported;
    const { options, events } = present(match, "a match is imported");
    const whole = analyse(roughEvaluator, { options, events }, 0);
    for (const count of [0, 1, 2, 40, 41]) {
      const part = analyse(roughEvaluator, { options, events: events.slice(0, count) }, 0);
      expect(part.decisions).toEqual(whole.decisions.filter(({ event }) => event < count));
      expect(part.rolls).toEqual(whole.rolls.filter(({ event }) => event < count));
    }
  });

  it("finds no error in a match that is played by its own choices", () => {
    for (const [nth, [variant, asked]] of OPTION_SETS.slice(0, 12).entries()) {
      const played = bestMatch(optionsOf(variant, asked), SEED + nth);
      const analysis = analyse(roughEvaluator, played, 0);
      expect(analysis.decisions.length).toBeGreaterThan(5);
      for (const { error } of analysis.decisions) expect(error.equity).toBe(0);
      for (const { performanceRating = 0 } of analysis.seats) expect(performanceRating).toBe(0);
    }
  });

  it("is the same for exchanged seats, exchanged", () => {
    for (const [played] of randomMatches) {
      if (played === undefined || played.options.start !== null) continue;
      const { decisions, rolls, seats } = analyse(roughEvaluator, played, 0);
      const other = analyse(roughEvaluator, exchanged(played), 0);
      const withSeat = <Of extends { readonly seat: Seat }>(of: Of) => ({
        ...of,
        seat: opponentOf(of.seat),
      });
      expect(numbersOf(other.decisions)).toEqual(numbersOf(decisions.map(withSeat)));
      expect(numbersOf(other.rolls)).toEqual(numbersOf(rolls.map(withSeat)));
      expect(numbersOf(other.seats)).toEqual(numbersOf([seats[1], seats[0]]));
    }
  });
});

/** With its numbers to nine digits: sums come in another order. */
const numbersOf = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_key, part: unknown) =>
      typeof part === "number" ? Number(part.toFixed(9)) + 0 : part,
    ),
  );

/** The match with white's part played by black. */
const exchanged = ({ options, events }: Played): Played => ({
  options,
  events: events.map((event): Event => {
    if (event.type === "opening-rolled") {
      const rolls = event.rolls.map(([white, black]) => [black, white] as const);
      return { ...event, rolls, seat: opponentOf(event.seat) };
    }
    if (event.type === "cube-turned") return event;
    if (event.type === "game-won") return { ...event, winner: opponentOf(event.winner) };
    const seat = opponentOf(event.seat);
    return event.type === "cube-taken"
      ? { ...event, seat, owner: opponentOf(event.owner) }
      : { ...event, seat };
  }),
});

const JUDGE = { evaluator: roughEvaluator, plies: 0 } as const;

const BEST_EVENTS_MAX = 100;

/** Both sides do what the evaluator thinks best, and do not resign. */
const bestMatch = (options: Options, seed: number): Played =>
  matchBy(
    options,
    seeded(seed),
    (state, _seat, types) => {
      const best = (open: Choices): string =>
        open.choices.reduce((one, other) => (other.equity > one.equity ? other : one)).action;
      if (state.phase === "to-roll") {
        const may = doubleRefusal(state, state.onRoll) === undefined;
        return types.indexOf(may ? best(doubleChoices(JUDGE, state)) : "roll");
      }
      if (state.phase === "take-or-pass") return types.indexOf(best(answerChoices(JUDGE, state)));
      if (state.phase === "to-play") {
        const open = playChoices(JUDGE, state, "");
        return open === undefined
          ? 0
          : playsOf(state).findIndex(({ text }) => text === open.choices[0]?.action);
      }
      return 0;
    },
    BEST_EVENTS_MAX,
  );

/** The state after each event, called in their order. */
const stateBy = (options: Options) => {
  let state = init(options);
  return (event: Event): State => {
    state = evolve(state, event);
    return state;
  };
};

describe("luck", () => {
  const ALL_ROLLS = Array.from(
    { length: 36 },
    (_, nth): Dice => [1 + (nth % 6), 1 + Math.floor(nth / 6)],
  );

  it("is 0 on the mean over all 36 rolls", () => {
    for (const { options, events } of randomMatches.flatMap((some) => some.slice(0, 1))) {
      const states = events.slice(0, 60).map(stateBy(options));
      const state = states.findLast((one) => one.phase === "to-play");
      if (state?.phase !== "to-play") continue;
      let [equity, worth] = [0, 0];
      for (const dice of ALL_ROLLS) {
        const luck = rollLuck(roughEvaluator, state, state.onRoll, dice);
        equity += luck.equity;
        worth += luck.worth;
      }
      expect(equity).toBeCloseTo(0, 9);
      expect(worth).toBeCloseTo(0, 9);
    }
  });

  it("of an opening is 0 on the mean over the 30 in which somebody begins", () => {
    for (const asked of [{}, { length: 5 }]) {
      const state = init(optionsOf("standard", asked));
      let sum = 0;
      for (const dice of ALL_ROLLS) {
        const [one, other] = dice;
        if (one === other) continue;
        const seat = one > other ? WHITE : BLACK;
        sum += (seat === WHITE ? 1 : -1) * openingLuck(roughEvaluator, state, seat, dice).worth;
      }
      expect(sum).toBeCloseTo(0, 9);
    }
  });
});

/*
 * The last roll of a race. White has two checkers left, black one on its ace point, which every roll bears off: so
 * white wins with the rolls that bear off both, and no later roll or double counts. How many of the 36 do is in
 * every book on the game: 19 from the points 5 and 2, 15 from 6 and 1, 29 from 4 and 1.
 */
describe("the last roll of a race", () => {
  const setUp = (one: number, other: number, more: Partial<SetUp> = {}): SetUp => ({
    sides: [side({ [one]: 1, [other]: 1, 0: 13 }), side({ 1: 1, 0: 14 })],
    cube: { value: 1, owner: null },
    score: [0, 0],
    crawford: false,
    isDoubleOffered: false,
    ...more,
  });
  const race = (start: SetUp, asked: Json = {}): Options => ({
    ...optionsOf("standard", asked),
    start,
  });
  const roll: Event = { type: "roll-requested", seat: WHITE };
  const double: Event = { type: "cube-offered", seat: WHITE, value: 2 };
  const take: Event = { type: "cube-taken", seat: BLACK, value: 2, owner: BLACK };
  const pass: Event = { type: "cube-passed", seat: BLACK };
  const dice = (one: number, other: number): Event => ({
    type: "dice-rolled",
    seat: WHITE,
    dice: [one, other],
  });

  /** The last of the decisions. */
  const judgedLast = (options: Options, ...events: readonly Event[]) => {
    const { decisions } = analyse(staticEvaluator, { options, events }, 0);
    return present(decisions.at(-1), "something was decided");
  };

  it("with 19 rolls is a double and a take: to roll loses 2/36, to pass 32/36", () => {
    const options = race(setUp(5, 2));
    const rolled = judgedLast(options, roll);
    expect(rolled).toMatchObject({ kind: "double", done: "roll", best: "double", class: "error" });
    expect(rolled.error.equity).toBeCloseTo(2 / 36, 6);
    expect(rolled.counted).toBe(true);
    expect(judgedLast(options, double).error.equity).toBe(0);
    expect(judgedLast(options, double, take).error.equity).toBe(0);
    const passed = judgedLast(options, double, pass);
    expect(passed).toMatchObject({ seat: BLACK, kind: "answer", best: "take", class: "blunder" });
    expect(passed.error.equity).toBeCloseTo(1 - 4 / 36, 6);
  });

  it("with 15 rolls is no double: to double loses 6/36", () => {
    const options = race(setUp(6, 1));
    expect(judgedLast(options, roll)).toMatchObject({ best: "roll", counted: false });
    const doubled = judgedLast(options, double);
    expect(doubled).toMatchObject({ best: "roll", class: "blunder", counted: true });
    expect(doubled.error.equity).toBeCloseTo(6 / 36, 6);
  });

  it("with 29 rolls is a double and a pass: to take loses 8/36", () => {
    const options = race(setUp(4, 1));
    expect(judgedLast(options, double, pass).error.equity).toBe(0);
    const taken = judgedLast(options, double, take);
    expect(taken).toMatchObject({ best: "pass", counted: true });
    expect(taken.error.equity).toBeCloseTo(2 * (22 / 36) - 1, 6);
    expect(judgedLast(options, roll).error.equity).toBeCloseTo(1 - 22 / 36, 6);
  });

  it("with 15 rolls and beavers is a beaver: to take loses 12/36, to double 18/36", () => {
    const options = race(setUp(6, 1), { beavers: true, jacoby: false });
    const taken = judgedLast(options, double, take);
    expect(taken).toMatchObject({ best: "beaver" });
    expect(taken.error.equity).toBeCloseTo(12 / 36, 6);
    expect(judgedLast(options, double).error.equity).toBeCloseTo(18 / 36, 6);
    const beaver: Event = { type: "beavered", seat: BLACK, value: 4 };
    const dropped = judgedLast(options, double, beaver, { type: "cube-passed", seat: WHITE });
    expect(dropped).toMatchObject({ seat: WHITE, best: "take" });
    expect(dropped.error.equity).toBeCloseTo(2 - 24 / 36, 6);
  });

  it("errors are counted by the cube, their worth in points", () => {
    const options = race(setUp(5, 2, { cube: { value: 4, owner: WHITE } }));
    const { error } = judgedLast(options, roll);
    expect(error.equity).toBeCloseTo(2 / 36, 6);
    expect(error.worth).toBeCloseTo(8 / 36, 6);
  });

  it("at double match point there is no double, and 2 of equity is a match", () => {
    const options = race(setUp(5, 2, { score: [4, 4] }), { length: 5 });
    const won = analyse(staticEvaluator, { options, events: [roll, dice(6, 5)] }, 0);
    const [luck] = won.rolls;
    expect(luck?.luck.equity).toBeCloseTo(34 / 36, 6);
    expect(luck?.luck.worth).toBeCloseTo(17 / 36, 6);
    expect(won.worth).toBe("match-chance");
    expect(won.decisions.filter(({ counted }) => counted)).toEqual([]);
  });

  it("after the Crawford game who is behind must double, and any pass but the free drop is an error", () => {
    const options = race(setUp(6, 1, { score: [1, 4] }), { length: 5 });
    expect(judgedLast(options, roll)).toMatchObject({ best: "double", counted: true });
    expect(judgedLast(options, double, take).error.equity).toBe(0);
  });

  it("a resignation loses what was still to be had, and to refuse one what it offered", () => {
    const options = race(setUp(5, 2));
    const resign: Event = { type: "resignation-offered", seat: WHITE, value: "single", points: 1 };
    const offered = judgedLast(options, resign);
    expect(offered).toMatchObject({ kind: "resignation", best: "play-on", counted: false });
    expect(offered.error.equity).toBeCloseTo(1 + 4 / 36, 6);
    const accepted = judgedLast(options, resign, { type: "resignation-accepted", seat: BLACK });
    expect(accepted.error.equity).toBe(0);
    const refused = judgedLast(options, resign, { type: "resignation-refused", seat: BLACK });
    expect(refused).toMatchObject({ seat: BLACK, done: "refuse", best: "accept" });
    expect(refused.error.equity).toBeCloseTo(1 + 4 / 36, 6);
  });

  it("luck and skill make the result: what is neither is left over", () => {
    const options = race(setUp(5, 2));
    const after = [roll, dice(6, 5)].reduce(evolve, init(options));
    assert(after.phase === "to-play", "the roll is to be played");
    const [only] = playsOf(after);
    const { text: play, moves } = present(only, "the roll bears off");
    const won: Event = {
      ...{ type: "game-won", game: 1, winner: WHITE, reason: "borne-off", kind: "single" },
      ...{ points: 1, cube: 1, loserBorneOff: 14, loserOnBar: 0, loserInWinnersHome: 0 },
    };
    const events: readonly Event[] = [
      roll,
      dice(6, 5),
      { type: "played", seat: WHITE, play, moves },
      won,
    ];
    const [white] = analyse(staticEvaluator, { options, events }, 0).seats;
    // White was worth 4/36 with a double, and by not doubling has left 2/36 of that.
    expect(white.result).toBeCloseTo(1 - 4 / 36, 6);
    expect(white.luck.equity).toBeCloseTo(34 / 36, 6);
    expect(white.luckAdjusted).toBeCloseTo(-2 / 36, 6);
    expect(white.performanceRating).toBeCloseTo((500 * 2) / 36, 6);
    expect(white.errorRate).toBeCloseTo((1_000 * 2) / 36, 6);
  });

  it("a play that wastes a winning roll loses all", () => {
    // White to play 2-1 from its points 2 and 1: bear off both, or move 2/1 and bear off one.
    const options = race(setUp(2, 1));
    const state = [roll, dice(2, 1)].reduce(evolve, init(options));
    assert(state.phase === "to-play", "the roll is to be played");
    const wasted = playsOf(state).find(({ after }) => !isOver(after));
    const { text: play, moves } = present(wasted, "a play leaves a checker");
    const judged = judgedLast(options, roll, dice(2, 1), {
      type: "played",
      seat: WHITE,
      play,
      moves,
    });
    expect(judged).toMatchObject({ kind: "play", done: play, class: "blunder", counted: true });
    expect(judged.error.equity).toBeCloseTo(2, 6);
    expect(judged.choices.map(({ action }) => action)).toContain(play);
  });
});
