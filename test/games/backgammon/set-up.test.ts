import { describe, expect, it } from "vitest";
import { backgammon } from "../../../src/games/backgammon/game.ts";
import { hostedBackgammon } from "../../../src/games/backgammon/hosted.ts";
import { readOptions } from "../../../src/games/backgammon/options-wire.ts";
import type { State } from "../../../src/games/backgammon/state.ts";
import { BLACK, ofSeat, opponentOf, WHITE } from "../../../src/games/backgammon/state.ts";
import { view } from "../../../src/games/backgammon/view.ts";
import { assert, present } from "../../../src/kernel/assert.ts";
import type { Json } from "../../../src/kernel/json.ts";
import { pickedDraw } from "../../support/scripted-draw.ts";
import { accepted, folded, optionsOf, refused } from "./support/given.ts";
import { SEED, seeded } from "./support/random.ts";

const begunAt = (options: Json, variant = "standard"): State =>
  backgammon.init(optionsOf(options, variant));

/** What is wrong with the options: pointer and message. */
const wrong = (options: Json): string => {
  const read = readOptions("standard", options);
  assert(!read.ok, `${JSON.stringify(options)} is refused`);
  return read.error.map(({ pointer, message }) => `${pointer} ${message}`).join("; ");
};

const BOARD = "-b----E-C---eE---c-e----B-";

describe("a match that starts at a position", () => {
  it("has white on roll, before the roll, with what is not on the board borne off", () => {
    const state = begunAt({ start: { positionId: "AQAABAAAAAAAAA" } });
    expect(state).toMatchObject({ phase: "to-roll", onRoll: WHITE, game: 1, score: [0, 0] });
    expect(view(state)).toMatchObject({
      positionId: "AQAABAAAAAAAAA",
      board: { off: [14, 14], pips: [1, 1] },
    });
    const rolling = folded(state, accepted(state, WHITE, { type: "roll" }));
    const rolled = folded(rolling, backgammon.resolve(rolling, { kind: "2d6", pair: [2, 1] }));
    const won = folded(rolled, accepted(rolled, WHITE, { type: "play", play: "1/off" }));
    expect(won).toMatchObject({ phase: "match-over", score: [1, 0] });
  });

  it("is the same whether a board says what is off or not", () => {
    const opponent = { points: { 1: 1 } };
    const unsaid = begunAt({ start: { board: { onRoll: { points: { 6: 2 } }, opponent } } });
    const said = begunAt({ start: { board: { onRoll: { points: { 6: 2 }, off: 13 }, opponent } } });
    expect(unsaid).toEqual(said);
    expect(view(unsaid).board).toMatchObject({ off: [13, 14] });
  });

  it("takes length, score, cube and Crawford from a Match ID or an XGID", () => {
    const crawford = begunAt({ start: { xgid: `${BOARD}:0:0:1:00:6:2:1:7:10` } });
    expect(crawford).toMatchObject({
      score: [6, 2],
      crawford: true,
      options: { contest: { kind: "match", length: 7, crawford: true } },
    });
    expect(refused(crawford, WHITE, { type: "double" }).facts["reason"]).toBe("crawford-game");
    const owned = begunAt({ start: { positionId: "4HPwATDgc/ABMA", matchId: "UQngACAAGAAE" } });
    expect(owned).toMatchObject({ cube: { value: 2, owner: WHITE }, score: [3, 2] });
    const money = begunAt({ start: { xgid: `${BOARD}:0:0:1:00:5:9:3:0:10` } });
    expect(money).toMatchObject({
      score: [5, 9],
      options: { contest: { kind: "money-session", jacoby: true, beavers: true } },
    });
  });

  it("without the Crawford flag at such a score is post-Crawford", () => {
    const state = begunAt({ start: { xgid: `${BOARD}:0:0:1:00:6:2:0:7:10` } });
    expect(state.crawford).toBe(false);
    expect(accepted(state, WHITE, { type: "double" })).toHaveLength(1);
    const doubled = folded(state, accepted(state, WHITE, { type: "double" }));
    const taken = folded(doubled, accepted(doubled, BLACK, { type: "take" }));
    expect(taken).toMatchObject({ cube: { value: 2, owner: BLACK } });
  });

  it("B53: keeps a pending double", () => {
    const state = begunAt({ start: { xgid: `${BOARD}:0:0:1:D:4:2:0:7:10` } });
    expect(state).toMatchObject({ phase: "take-or-pass", onRoll: WHITE, offer: "double" });
    expect(folded(state, accepted(state, BLACK, { type: "pass" })).score).toEqual([5, 2]);
  });

  it("in hypergammon has three checkers a side", () => {
    const state = begunAt({ start: { positionId: "AACgAgAAKgAAAA" } }, "hypergammon");
    expect(view(state).board).toMatchObject({ off: [0, 0] });
  });

  it("lets seat 0 begin, and the next game begins as any other", () => {
    const state = begunAt({ start: { xgid: `${BOARD}:0:0:-1:00:0:2:0:3:10` }, autoRoll: true });
    expect(state).toMatchObject({ phase: "to-roll", onRoll: WHITE, score: [2, 0] });
    const doubled = folded(state, accepted(state, WHITE, { type: "double" }));
    const taken = folded(doubled, accepted(doubled, BLACK, { type: "take" }));
    expect(taken.phase).toBe("rolling");
  });

  it.each<readonly [string, Json, string]>([
    [
      "dice: they come from the server",
      { start: { xgid: `${BOARD}:0:0:1:61:0:0:0:7:10` } },
      "/start start-has-dice",
    ],
    [
      "a resignation",
      { start: { positionId: "4HPwATDgc/ABMA", matchId: "QUFgAAAAAAAE" } },
      "/start start-has-resignation",
    ],
    [
      "B40: a Crawford game at 0–0",
      { start: { xgid: `${BOARD}:0:0:1:00:0:0:1:5:10` } },
      "/start not-a-crawford-score",
    ],
    [
      "B41: a Crawford game at 2–2 to 3",
      { start: { xgid: `${BOARD}:0:0:1:00:2:2:1:3:10` } },
      "/start not-a-crawford-score",
    ],
    [
      "B52: 16 checkers",
      { start: { xgid: "-b----E-C---eE---c-e----BA:0:0:1:00:0:0:0:7:10" } },
      "/start too-many-checkers",
    ],
    ["a game that is over", { start: { positionId: "AAAAAAAAAAAAAA" } }, "/start game-over"],
    [
      "both sides on the bar before closed boards",
      { start: { xgid: "aBBBBBB------------bbbbbbA:0:0:1:00:0:0:0:0:10" } },
      "/start nobody-can-move",
    ],
    [
      "more than 1,000 points",
      { start: { xgid: `${BOARD}:0:0:1:00:0:0:0:2000:10` } },
      "/start a match is to 1000 points at most",
    ],
    [
      "a turned cube in the middle of a match",
      { start: { xgid: `${BOARD}:2:0:1:00:0:0:0:7:10` } },
      "/start not-a-possible-cube",
    ],
    [
      "another length",
      { length: 5, start: { xgid: `${BOARD}:0:0:1:00:0:0:0:7:10` } },
      "/length the start is of length 7",
    ],
    [
      "a cube over the limit",
      { cubeLimit: 4, start: { xgid: `${BOARD}:3:1:1:00:0:0:0:7:10` } },
      "/start the cube does not stand so by these options",
    ],
    [
      "a cube where there is none",
      { cube: false, start: { xgid: `${BOARD}:1:1:1:00:0:0:0:7:10` } },
      "/start the cube does not stand so by these options",
    ],
    [
      "no Crawford game, but one is played",
      { crawford: false, start: { xgid: `${BOARD}:0:0:1:00:6:2:1:7:10` } },
      "/crawford the start is of a Crawford game",
    ],
    [
      "Jacoby in a match",
      { jacoby: true, start: { xgid: `${BOARD}:0:0:1:00:0:0:0:7:10` } },
      "/jacoby jacoby is for money sessions and single games",
    ],
    [
      "checkers that are neither off nor on",
      {
        start: { board: { onRoll: { points: { 6: 5 }, off: 3 }, opponent: { points: { 6: 5 } } } },
      },
      "/start checkers-missing",
    ],
    [
      "none off, with checkers missing",
      {
        start: { board: { onRoll: { points: { 6: 5 }, off: 0 }, opponent: { points: { 6: 5 } } } },
      },
      "/start checkers-missing",
    ],
    [
      "a text that is no ID",
      { start: { positionId: "4HPwATDgc/ABM" } },
      "/start not-14-base64-characters",
    ],
  ])("is refused with %s", (_name, options, message) => {
    expect(wrong(options)).toBe(message);
  });
});

const STATES = process.env["TEST_SCALE"] === "full" ? 10_000 : 600;

it(`a state of random matches starts again from its IDs and from its XGID, seed ${SEED}`, {
  timeout: 600_000,
}, () => {
  const pick = seeded(SEED);
  const draw = pickedDraw(pick);
  const options: readonly Json[] = [
    { length: 5 },
    { length: 0 },
    { length: 0, jacoby: false, beavers: true },
  ];
  let states = 0;
  for (let match = 0; states < STATES; match++) {
    const given = options[match % options.length] ?? {};
    let state = backgammon.init(optionsOf(given));
    while (state.phase !== "match-over" && states < STATES) {
      const turn = backgammon.turn(state);
      if (turn.kind === "chance") {
        state = folded(state, backgammon.resolve(state, draw(turn.draw)));
        continue;
      }
      assert(turn.kind === "seats", "the match goes on");
      const seat = present(turn.seats[0], "a seat");
      const legal = backgammon.legal(state, seat);
      assert(legal.kind === "listed", "listed");
      if (
        state.phase === "to-roll" ||
        (state.phase === "take-or-pass" && state.offer === "double")
      ) {
        states += 1;
        startsAgain(state);
      }
      const playing = legal.commands.filter(({ type }) => type !== "resign-match");
      const command = present(playing[pick(playing.length)], "a command");
      state = folded(state, accepted(state, seat, command));
      if (state.results.length > 6) break;
    }
  }
  expect(states).toBe(STATES);
});

/** The state's own notations begin a match that stands as it does, the side on roll being white. */
const startsAgain = (state: State & { readonly phase: "to-roll" | "take-or-pass" }): void => {
  const { positionId = "", matchId = "", xgid = "" } = view(state);
  const { onRoll } = state;
  const turnedCube = state.cube.owner === null ? null : state.cube.owner === onRoll ? WHITE : BLACK;
  for (const start of [{ positionId, matchId }, { xgid }]) {
    const read = optionsOf({ start });
    const again = backgammon.init(read);
    expect(again).toMatchObject({
      phase: state.phase,
      onRoll: WHITE,
      sides: [ofSeat(state.sides, onRoll), ofSeat(state.sides, opponentOf(onRoll))],
      cube: { value: state.cube.value, owner: turnedCube },
      score: [ofSeat(state.score, onRoll), ofSeat(state.score, opponentOf(onRoll))],
      crawford: state.crawford,
    });
    const printed = hostedBackgammon.readOptions("standard", {
      ...(hostedBackgammon.printOptions(read as never) as object),
    });
    expect(printed).toEqual({ ok: true, value: read });
  }
};
