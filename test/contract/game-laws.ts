import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { HostedCommand, HostedEvent, HostedGame, HostedState } from "../../src/games/host.ts";
import { assert, present } from "../../src/kernel/assert.ts";
import type { Outcome, Pick } from "../../src/kernel/game.ts";
import type { Json, JsonObject } from "../../src/kernel/json.ts";
import { canonical } from "../../src/kernel/json.ts";
import type { Seat, Viewer } from "../../src/kernel/seat.ts";
import { SPECTATOR, seat as seatOf } from "../../src/kernel/seat.ts";
import { deepFrozen, SEED, seeded } from "../games/backgammon/support/random.ts";
import { audit } from "../support/audit.ts";
import { playedMatch } from "../support/played-match.ts";
import { pickedDraw } from "../support/scripted-draw.ts";

/*
 * The laws that every game keeps (architecture.md, "The central interface"). A law walks through a match of
 * random commands and random draws, and throws where the game breaks it. `test/games/laws.test.ts` applies
 * them to every game, and sees each of them fail on a game that was broken for it.
 */

/** A game as the laws look at it. */
export interface LawSubject {
  readonly game: HostedGame;
  readonly variant: string;
  readonly options: Json;
  /** A match of random commands ends within so many. */
  readonly commandsMax: number;
  /** Commands that a walk sends seldom: they would end it before it has begun. */
  readonly seldom: readonly string[];
  /** A walk sends a seldom command once in so many times; each walk takes one of these. */
  readonly seldomOneIn: readonly number[];
  /** Commands that a seat may send when it is not on turn. */
  readonly offTurn: readonly string[];
  /** What a seat loses that concedes: the match, or (of a match without end) the game that is being played. */
  readonly concedes: "match" | "game";
  /** What a client who sees this view may send, legal or not, if it has seen these commands listed. */
  strange(pick: Pick, view: JsonObject, listed: readonly JsonObject[]): Json;
}

/** Throws where the game breaks it on the walk that the pick gives. */
export type Law = (subject: LawSubject, pick: Pick) => void | Promise<void>;

const REASONS = ["flag-fall", "idle", "abandoned"] as const;
const STRANGE_PER_STEP = 4;
/** Commands of a step that are decided on frozen values; each takes the same way. */
const FROZEN_PER_STEP = 4;

/** The laws by name. */
export const LAWS = {
  "every listed command is accepted": (subject, pick) => {
    for (const { state, seat, commands } of asked(subject, pick)) {
      for (const command of commands) {
        const decided = subject.game.decide(state, seat, command);
        expect(decided.ok, `${print(subject, command)} is listed`).toBe(true);
      }
    }
  },

  "no other command is accepted": (subject, pick) => {
    const { game } = subject;
    const listed: JsonObject[] = [];
    for (const { state, seat, commands } of asked(subject, pick)) {
      const effects = new Set(commands.map((command) => effect(game, state, seat, command)));
      listed.push(...commands.map(game.printCommand));
      for (const command of strangeCommands(subject, pick, state, listed)) {
        const done = effect(game, state, seat, command);
        const isListed = done === undefined || effects.has(done);
        expect(isListed, `${print(subject, command)} is no listed command`).toBe(true);
        for (const other of seatsOf(game).filter((one) => one !== seat)) {
          const open = listedOf(game, state, other).map((one) => effect(game, state, other, one));
          const stolen = effect(game, state, other, command);
          const isOwn = stolen === undefined || open.includes(stolen);
          expect(isOwn, `${print(subject, command)} of a seat not on turn`).toBe(true);
        }
      }
    }
  },

  "a seat has commands on its turn only": (subject, pick) => {
    const { game, offTurn } = subject;
    for (const { state } of walk(subject, pick)) {
      const turn = game.turn(state);
      for (const seat of seatsOf(game)) {
        const isOnTurn = turn.kind === "seats" && turn.seats.includes(seat);
        const types = listedOf(game, state, seat).map((command) => typeOf(game, command));
        const own = types.filter((type) => !offTurn.includes(type));
        expect(own.length > 0, `seat ${seat} may act`).toBe(isOnTurn);
        if (turn.kind !== "seats") expect(types, "nobody acts while chance is owed").toEqual([]);
      }
    }
  },

  "inputs are never changed": (subject, pick) => {
    const { game } = subject;
    for (const { state, seat, commands } of asked(subject, pick, deepFrozen)) {
      for (const one of seatsOf(game)) {
        game.legal(state, one);
        game.legalView(state, one);
        game.view(state, { kind: "seat", seat: one });
        deepFrozen(game.concede(state, one, "idle")).reduce(game.evolve, state);
      }
      game.readState(deepFrozen(game.printState(state)));
      for (const command of deepFrozen(commands.slice(0, FROZEN_PER_STEP))) {
        game.readCommand(deepFrozen(game.printCommand(command)));
        game.decide(state, seat, command);
      }
    }
  },

  "folding the log gives the live state": (subject, pick) => {
    const { game } = subject;
    const read = readOptions(subject);
    const options = game.readOptions(subject.variant, throughText(game.printOptions(read)));
    assert(options.ok, "printed options are readable");
    let folded = game.init(options.value);
    for (const { state, events } of walk(subject, pick)) {
      expect(game.printState(folded)).toEqual(game.printState(state));
      folded = events.map((event) => logged(game, event)).reduce(game.evolve, folded);
    }
  },

  "a snapshot goes on as the state does": (subject, pick) => {
    const { game } = subject;
    for (const { state, events } of walk(subject, pick)) {
      const restored = game.readState(throughText(game.printState(state)));
      expect(game.printState(restored)).toEqual(game.printState(state));
      expect(game.turn(restored)).toEqual(game.turn(state));
      expect(game.view(restored, SPECTATOR)).toEqual(game.view(state, SPECTATOR));
      expect(game.score(restored)).toEqual(game.score(state));
      expect(game.result(restored)).toEqual(game.result(state));
      for (const seat of seatsOf(game)) {
        expect(game.legalView(restored, seat)).toEqual(game.legalView(state, seat));
      }
      const after = (from: HostedState) => game.printState(events.reduce(game.evolve, from));
      expect(after(restored)).toEqual(after(state));
    }
  },

  "commands survive print, then parse": (subject, pick) => {
    const { game } = subject;
    for (const { commands } of asked(subject, pick)) {
      for (const command of commands) {
        const read = game.readCommand(throughText(game.printCommand(command)));
        assert(read.ok, "a printed command is readable");
        expect(read.value).toEqual(command);
      }
    }
  },

  "events survive split, then join": (subject, pick) => {
    const { game } = subject;
    for (const { events } of walk(subject, pick)) {
      for (const event of events) {
        const { line, secret } = game.split(event);
        expect(game.join(line, secret)).toEqual(event);
        expect(logged(game, event)).toEqual(event);
      }
    }
  },

  "random play ends": (subject, pick) => {
    const { game, commandsMax } = subject;
    const steps = walk(subject, pick);
    const end = present(steps.at(-1), "a walk has a step").state;
    expect(game.turn(end).kind, `the match after ${commandsMax} commands`).toBe("over");
  },

  "nobody is shown what is hidden from them": (subject, pick) => {
    const { game } = subject;
    assert(game.card.information === "perfect", "a hidden game brings what can be swapped unseen");
    for (const { state, events } of walk(subject, pick)) {
      for (const viewer of viewersOf(game)) {
        expect(game.view(state, viewer)).toEqual(game.view(state, SPECTATOR));
        for (const event of events) {
          expect(game.viewEvent(event, viewer)).toEqual(game.viewEvent(event, SPECTATOR));
        }
      }
    }
  },

  "points sum to zero": (subject, pick) => {
    const { game } = subject;
    expectZeroSum(game, present(walk(subject, pick).at(-1), "a walk has a step").state);
  },

  "whoever concedes has lost": (subject, pick) => {
    const { game, concedes } = subject;
    for (const { state } of walk(subject, pick)) {
      if (game.turn(state).kind === "over") continue;
      expect(game.result(state)).toBeUndefined();
      for (const seat of seatsOf(game)) {
        const reason = present(REASONS[pick(REASONS.length)], "a reason");
        const events = game.concede(state, seat, reason).map((event) => logged(game, event));
        const after = events.reduce(game.evolve, state);
        const outcome = expectZeroSum(game, after);
        if (concedes === "match") {
          expect(outcome.winner).not.toBe(seat);
          expect(outcome.points[seat]).toBeLessThan(0);
        }
        const others = (score: readonly number[]) => score.filter((_, place) => place !== seat);
        expect(game.score(after)[seat]).toBe(game.score(state)[seat]);
        const [had, has] = [others(game.score(state)), others(game.score(after))];
        expect(has.every((points, place) => points >= (had[place] ?? 0))).toBe(true);
        const isInPlay = game.turn(state).kind === "chance" || events.length > 1;
        if (isInPlay) expect(has).not.toEqual(had);
      }
    }
  },

  "nothing is accepted after the end": (subject, pick) => {
    const { game } = subject;
    const steps = walk(subject, pick);
    const { state } = present(steps.at(-1), "a walk has a step");
    const sent = steps.flatMap(({ command }) => (command === undefined ? [] : [command]));
    const strange = strangeCommands(subject, pick, state, sent.map(game.printCommand));
    for (const seat of seatsOf(game)) {
      expect(listedOf(game, state, seat)).toEqual([]);
      for (const command of [...sent, ...strange]) {
        expect(effect(game, state, seat, command), print(subject, command)).toBeUndefined();
      }
    }
    expect(game.result(state)).toBeDefined();
  },

  "the same seeds and commands give the same log, and the audit agrees": async (subject, pick) => {
    const seed = `law ${pick(2 ** 31)}`;
    const { game, variant, options } = subject;
    const seats = Array.from({ length: game.card.seats.min }, () => "human");
    const withoutEnd = subject.concedes === "game" ? { abandonAfter: 300 } : {};
    const plan = { game, variant, options, seats, seed, chainLength: 24, ...withoutEnd };
    const one = await playedMatch(plan);
    const again = await playedMatch(plan);
    expect(again.lines).toEqual(one.lines);
    expect(await audit(one)).toMatch(/^OK: \d+ lines, \d+ rolls, closed$/);
  },
} as const satisfies Record<string, Law>;

export type LawName = keyof typeof LAWS;

/** `TEST_SCALE=full` walks through more matches. */
const WALKS = process.env["TEST_SCALE"] === "full" ? 60 : 2;

/** Holds a game in one variant to all laws. */
export const gameLaws = (subject: LawSubject): void => {
  const played = `${subject.game.card.id}, ${subject.variant}, ${JSON.stringify(subject.options)}`;
  describe(`${played}, seed ${SEED}`, () => {
    it.each(Object.entries<Law>(LAWS))("%s", { timeout: 600_000 }, async (_name, law) => {
      await fc.assert(
        fc.asyncProperty(fc.nat(), async (walkSeed) => law(subject, seeded(walkSeed))),
        { seed: SEED, numRuns: WALKS, endOnFailure: true },
      );
    });
  });
};

/** A state of a walk, and what took it to the next one; nothing at the end. */
interface Step {
  readonly state: HostedState;
  readonly events: readonly HostedEvent[];
  readonly seat?: Seat;
  readonly command?: HostedCommand;
}

type Keep = <Value>(value: Value) => Value;
const asItIs: Keep = (value) => value;

/**
 * A match of random commands and draws, up to its end, to `commandsMax`, or to a listed command that is
 * refused. `keep` gets every value in it.
 */
const walk = (subject: LawSubject, pick: Pick, keep: Keep = asItIs): readonly Step[] => {
  const { game, commandsMax, seldomOneIn } = subject;
  const draw = pickedDraw(pick);
  const oneIn = present(seldomOneIn[pick(seldomOneIn.length)], "a walk is of some kind");
  const steps: Step[] = [];
  let state = keep(game.init(keep(readOptions(subject))));
  for (let commands = 0; commands <= commandsMax; ) {
    const turn = game.turn(state);
    if (turn.kind === "over") break;
    let step: Step = { state, events: [] };
    if (turn.kind === "chance") {
      step = { state, events: keep(game.resolve(state, keep(draw(turn.draw)))) };
    } else {
      const seat = present(turn.seats[pick(turn.seats.length)], "somebody is on turn");
      const command = chosen(subject, listedOf(game, state, seat), oneIn, pick);
      const decided = game.decide(state, seat, keep(command));
      commands += 1;
      if (!decided.ok) return [...steps, { state, events: [], seat, command }];
      step = { state, events: keep(decided.value), seat, command };
    }
    steps.push(step);
    state = keep(step.events.reduce(game.evolve, state));
  }
  return [...steps, { state, events: [] }];
};

/** One of the listed commands; those that are sent seldom once in `oneIn` times. */
const chosen = (
  { game, seldom }: LawSubject,
  listed: readonly HostedCommand[],
  oneIn: number,
  pick: Pick,
): HostedCommand => {
  const often = listed.filter((command) => !seldom.includes(typeOf(game, command)));
  const from = often.length === 0 || pick(oneIn) === 0 ? listed : often;
  return present(from[pick(from.length)], "a seat on turn may act");
};

const typeOf = (game: HostedGame, command: HostedCommand): string =>
  String(game.printCommand(command)["type"]);

/** The steps of a walk at which a seat is asked, with the commands listed for it. */
const asked = (subject: LawSubject, pick: Pick, keep: Keep = asItIs) =>
  walk(subject, pick, keep).flatMap(({ state, seat }) =>
    seat === undefined ? [] : [{ state, seat, commands: listedOf(subject.game, state, seat) }],
  );

const listedOf = (game: HostedGame, state: HostedState, seat: Seat): readonly HostedCommand[] => {
  const legal = game.legal(state, seat);
  assert(legal.kind === "listed", "these laws are of games that list their commands");
  return legal.commands;
};

/** What an accepted command does, as text; nothing where it is refused. */
const effect = (
  game: HostedGame,
  state: HostedState,
  seat: Seat,
  command: HostedCommand,
): string | undefined => {
  const decided = game.decide(state, seat, command);
  return decided.ok ? canonical(decided.value.map((event) => game.split(event).line)) : undefined;
};

/** Commands that may be illegal: listed earlier, and strange ones that parse. */
const strangeCommands = (
  { game, strange }: LawSubject,
  pick: Pick,
  state: HostedState,
  listed: readonly JsonObject[],
): readonly HostedCommand[] => {
  const view = game.view(state, SPECTATOR);
  const earlier = Array.from({ length: STRANGE_PER_STEP }, () => listed[pick(listed.length)] ?? {});
  const others = Array.from({ length: STRANGE_PER_STEP }, () => strange(pick, view, listed));
  return [...earlier, ...others].flatMap((json) => {
    const read = game.readCommand(json);
    return read.ok ? [read.value] : [];
  });
};

const readOptions = ({ game, variant, options }: LawSubject) => {
  const read = game.readOptions(variant, options);
  assert(read.ok, "the subject's options are readable");
  return read.value;
};

/** The event as it comes back from its printed line. */
const logged = (game: HostedGame, event: HostedEvent): HostedEvent => {
  const { line, secret } = game.split(event);
  return game.join(throughText(line), secret === undefined ? undefined : throughText(secret));
};

const throughText = <Value extends Json>(json: Value): Value =>
  JSON.parse(canonical(json)) as Value;

const expectZeroSum = (game: HostedGame, state: HostedState): Outcome => {
  const turn = game.turn(state);
  assert(turn.kind === "over", "the match is over");
  const { points } = turn.outcome;
  expect(points.length).toBeGreaterThanOrEqual(game.card.seats.min);
  expect(
    points.reduce((sum, one) => sum + one, 0),
    "the sum of the points",
  ).toBe(0);
  return turn.outcome;
};

const seatsOf = ({ card }: HostedGame): readonly Seat[] =>
  Array.from({ length: card.seats.max }, (_, number) => seatOf(number));

const viewersOf = (game: HostedGame): readonly Viewer[] =>
  seatsOf(game).map((seat) => ({ kind: "seat", seat }));

const print = ({ game }: LawSubject, command: HostedCommand): string =>
  canonical(game.printCommand(command));
