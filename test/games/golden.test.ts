import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { eventLine, foldLines, isProtocolType } from "../../src/application/table.ts";
import { lineHash } from "../../src/fairness/line.ts";
import { GAMES } from "../../src/games/registry.ts";
import { assert, present } from "../../src/kernel/assert.ts";
import type { Json, JsonObject } from "../../src/kernel/json.ts";
import { canonical } from "../../src/kernel/json.ts";
import { seat as seatOf } from "../../src/kernel/seat.ts";
import { audit } from "../support/audit.ts";
import { golden, goldenUrl, signature } from "../support/golden.ts";
import { playthrough } from "../support/playthrough.ts";

// `npx tsx test/tooling/write-golden.ts` writes what is expected here; the logs only where there is none.

it("the playthrough is as it was read", async () => {
  expect(await playthrough()).toBe(golden("backgammon/playthrough.txt"));
});

it("the signature is the one that was committed", async () => {
  expect(await signature()).toBe(golden("signature.txt"));
});

/** What was known of a log when it was written. */
interface Expected {
  readonly said: string;
  readonly reason: string;
  readonly rolls: number;
  readonly cards: number;
  readonly result: JsonObject;
}

const LOGS = readdirSync(goldenUrl("logs/"), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ndjson"))
  .map((file) => ({ path: `logs/${file.replace(/\.ndjson$/, "")}` }));

const readLog = (path: string) => {
  const lines = golden(`${path}.ndjson`).trimEnd().split("\n");
  const bodies = lines.map((line) => JSON.parse(line) as JsonObject);
  const { decks } = JSON.parse(golden(`${path}.decks.json`)) as { readonly decks: Json };
  const expected = JSON.parse(golden(`${path}.expected.json`)) as Expected;
  const open = present(bodies[0], "line 0");
  const game = present(GAMES.get(String(open["game"])), "a game is never taken off the registry");
  return { lines, bodies, decks, expected, game };
};

describe.each(LOGS)("the log of a release, $path", ({ path }) => {
  const { lines, bodies, decks, expected, game } = readLog(path);

  it("passes the independent checker", async () => {
    expect(await audit({ lines, decks })).toBe(expected.said);
  });

  it("is refused by it with any die changed", async () => {
    const at = bodies.findIndex(({ type }) => type === "dice-rolled");
    const line = present(lines[at], "a match has a roll");
    const changed = line.replace(
      /"dice":\[(\d),(\d)\]/,
      (_, one, other) => `"dice":[${(one % 6) + 1},${other}]`,
    );
    await expect(audit({ lines: lines.with(at, changed), decks })).rejects.toThrow(`line ${at}`);
  });

  it("folds to the result that it was closed with", () => {
    const { state, rolls, cards } = foldLines(game, lines);
    // A later release may say more of a result, and must not say it otherwise.
    expect(game.result(state)).toMatchObject(expected.result);
    expect({ rolls, cards: cards.length }).toEqual({
      rolls: expected.rolls,
      cards: expected.cards,
    });
    expect(bodies.at(-1)).toMatchObject({
      type: "close",
      reason: expected.reason,
      rolls,
      result: expected.result,
    });
  });

  it("is a chain of canonical lines, whose times do not run backwards", () => {
    for (const [seq, body] of bodies.entries()) {
      expect(canonical(body)).toBe(lines[seq]);
      if (seq > 0) expect(body["prev"]).toBe(lineHash(lines[seq - 1] ?? ""));
    }
    const times = bodies.map(({ at }) => String(at));
    expect([...times].sort()).toEqual(times);
  });

  it("has only plays that the rules of its number accept", () => {
    const read = game.readLoggedOptions(
      String(bodies[0]?.["rules"]),
      String(bodies[0]?.["variant"]),
      bodies[0]?.["options"] ?? null,
    );
    assert(read.ok, "logged options are readable for ever");
    let state = game.init(read.value);
    for (const line of bodies) {
      const body = eventLine(line);
      if (isProtocolType(body.type)) continue;
      if (body.type === "played") {
        const command = game.readCommand({ type: "play", play: body["play"] ?? null });
        const decided = command.ok
          ? game.decide(state, seatOf(Number(body["seat"])), command.value)
          : undefined;
        const first = decided?.ok ? decided.value[0] : undefined;
        // What was played by itself could have been sent as a command.
        const { automatic: _automatic, ...played } = body;
        expect(first && game.split(first).line).toEqual(played);
      }
      state = game.evolve(state, game.join(body, undefined));
    }
  });
});

it("logs are kept of every variant, of an abandoned match, and of one that changed its card", () => {
  const read = LOGS.map(({ path }) => readLog(path));
  for (const { card } of GAMES.values()) {
    const kept = read.filter(({ bodies }) => bodies[0]?.["game"] === card.id);
    expect(new Set(kept.map(({ bodies }) => bodies[0]?.["variant"]))).toEqual(
      new Set(card.variants),
    );
  }
  expect(read.some(({ expected }) => expected.reason === "abandoned")).toBe(true);
  expect(read.some(({ expected }) => expected.cards > 1)).toBe(true);
});
