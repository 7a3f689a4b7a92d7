import { describe, expect, it } from "vitest";
import { parseMat } from "../../../../src/games/backgammon/files/mat.ts";
import { printMat } from "../../../../src/games/backgammon/files/mat-print.ts";
import type { MatchFile } from "../../../../src/games/backgammon/files/record.ts";
import { parseSgf } from "../../../../src/games/backgammon/files/sgf.ts";
import { printSgf } from "../../../../src/games/backgammon/files/sgf-print.ts";
import { randomMatchFile } from "../support/match-files.ts";
import { deepFrozen, type Random, SEED, seeded } from "../support/random.ts";

const MATCHES = 300;
const outcome = <Value>(result: { ok: boolean; value?: Value; error?: unknown }) =>
  result.ok ? result.value : result.error;

/** The actions and the ends, which both formats say. */
const told = (file: MatchFile | unknown) =>
  (file as MatchFile).games.map(({ score, actions, end, rolled }) => ({
    score,
    actions,
    end,
    rolled,
  }));

describe(`random matches (SEED=${SEED})`, () => {
  it("a .mat is read back as the value it was printed from", () => {
    const random = seeded(SEED);
    for (let match = 0; match < MATCHES; match++) {
      const file = deepFrozen(randomMatchFile(random, "both"));
      const text = printMat(file);
      expect(
        outcome(parseMat(outcome(text) as string)),
        `match ${match}: ${outcome(text)}`,
      ).toEqual(file);
    }
  });

  it("an SGF is read back as the value it was printed from", () => {
    const random = seeded(SEED + 1);
    for (let match = 0; match < MATCHES; match++) {
      const file = deepFrozen(randomMatchFile(random, "sgf"));
      const text = printSgf(file);
      expect(
        outcome(parseSgf(outcome(text) as string)),
        `match ${match}: ${outcome(text)}`,
      ).toEqual(file);
    }
  });

  it("a .mat and an SGF of one match say the same", () => {
    const random = seeded(SEED + 2);
    for (let match = 0; match < MATCHES / 3; match++) {
      const file = randomMatchFile(random, "both");
      const [mat, sgf] = [printMat(file), printSgf(file)];
      const read = outcome(parseMat(outcome(mat) as string));
      expect(told(outcome(parseSgf(outcome(sgf) as string)))).toEqual(told(read));
    }
  });
});

describe(`broken files (SEED=${SEED})`, () => {
  const ALPHABET =
    ' \t\r\n()[];:\\/*=>"0123456789WBabyz)barofGame point match Doubles Takes Drops Wins';
  const garbled = (random: Random, text: string): string => {
    const at = random(text.length + 1);
    const junk = Array.from({ length: random(6) }, () => ALPHABET[random(ALPHABET.length)] ?? "");
    return text.slice(0, at) + junk.join("") + text.slice(at + random(8));
  };

  it("are read or refused with a line and a reason, never thrown at", () => {
    const random = seeded(SEED + 3);
    const texts = [0, 1, 2, 3].flatMap(() => {
      const file = randomMatchFile(random, "both");
      return [outcome(printMat(file)) as string, outcome(printSgf(file)) as string];
    });
    for (let round = 0; round < 3000; round++) {
      let text = texts[random(texts.length)] as string;
      for (let times = 1 + random(3); times > 0; times--) text = garbled(random, text);
      for (const read of [parseMat(text), parseSgf(text)]) {
        if (read.ok) continue;
        const { line, reason } = read.error.facts;
        expect(read.error.code).toBe("file-not-readable");
        expect(line).toBeGreaterThanOrEqual(1);
        expect(line).toBeLessThanOrEqual(text.split(/\r\n|\n|\r/).length);
        expect(reason).toMatch(/^[a-z-]+$/);
      }
    }
  });
});
