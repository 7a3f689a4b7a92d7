import { describe, expect, it } from "vitest";
import { GAMES } from "../../src/games/registry.ts";
import type { Json, JsonObject } from "../../src/kernel/json.ts";

const GAME_LIST = [...GAMES.values()];

describe.each(GAME_LIST.map((game) => [game.card.id, game] as const))("%s", (_, game) => {
  const read = (options: Json) => game.readOptions(game.card.variants[0], options);
  const accepted = (options: JsonObject) => {
    const chosen = read(options);
    if (!chosen.ok) throw new RangeError(JSON.stringify(chosen.error));
    return chosen.value;
  };

  it("has neither clock nor nudge unless it is asked for", () => {
    for (const options of [{}, { clock: "none" }]) {
      expect(game.clock(accepted(options))).toBeUndefined();
      expect(game.nudgeAfterMs(accepted(options))).toBeUndefined();
    }
  });

  it.each<[JsonObject, JsonObject]>([
    [
      { kind: "fischer", initialSeconds: 300, incrementSeconds: 8 },
      { kind: "fischer", initialMs: 300_000, incrementMs: 8_000 },
    ],
    [
      { kind: "delay", bankSeconds: 90, delaySeconds: 12 },
      { kind: "delay", initialMs: 90_000, delayMs: 12_000 },
    ],
    // Two minutes for a game of one point, and 12 seconds a turn.
    [{ preset: "usbgf" }, { kind: "delay", initialMs: 120_000, delayMs: 12_000 }],
  ])("is played with the clock %j", (clock, plan) => {
    expect(game.clock(accepted({ clock }))).toEqual(plan);
  });

  it("writes a preset out: the log says what it meant", () => {
    const options = accepted({ clock: { preset: "usbgf" } });
    expect(game.printOptions(options)).toMatchObject({
      clock: { kind: "delay", bankSeconds: 120, delaySeconds: 12 },
    });
  });

  it.each<JsonObject>([
    { clock: { kind: "fischer", initialSeconds: 300, incrementSeconds: 8 } },
    { clock: { kind: "delay", bankSeconds: 90, delaySeconds: 12 } },
    { nudgeAfterSeconds: 60 },
  ])("reads what it printed: %j", (given) => {
    const options = accepted(given);
    const printed = game.printOptions(options);
    expect(printed).toMatchObject(given);
    expect(accepted(printed)).toEqual(options);
    const state = game.init(options);
    const stored = JSON.parse(JSON.stringify(game.printState(state))) as Json;
    expect(game.readState(stored)).toEqual(state);
  });

  it.each<[string, JsonObject, string]>([
    [
      "a clock and a nudge",
      { clock: { preset: "usbgf" }, nudgeAfterSeconds: 60 },
      "/nudgeAfterSeconds",
    ],
    ["a nudge within 10 seconds", { nudgeAfterSeconds: 9 }, "/nudgeAfterSeconds"],
    ["a nudge after three days", { nudgeAfterSeconds: 259_201 }, "/nudgeAfterSeconds"],
    ["half a second", { nudgeAfterSeconds: 60.5 }, "/nudgeAfterSeconds"],
    ["another preset", { clock: { preset: "fide" } }, "/clock"],
    ["another word", { clock: "fischer" }, "/clock"],
    ["no time at all", { clock: { kind: "delay", bankSeconds: 0, delaySeconds: 9 } }, "/clock"],
    [
      "more than a week",
      { clock: { kind: "fischer", initialSeconds: 604_801, incrementSeconds: 0 } },
      "/clock",
    ],
    ["a member more", { clock: { preset: "usbgf", delaySeconds: 3 } }, "/clock"],
  ])("refuses %s", (_name, options, pointer) => {
    const refused = read(options);
    expect(refused).toMatchObject({ ok: false });
    expect(!refused.ok && refused.error[0]?.pointer).toContain(pointer);
  });
});
