import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { step } from "../../src/fairness/chain.ts";
import { present } from "../../src/kernel/assert.ts";
import { canonical, type Json, type JsonObject } from "../../src/kernel/json.ts";
import { chained, NO_SOURCES, type SampleLog, sampleLog, unrolledLog } from "./sample-log.ts";

// Both checkers stand alone: they share no code with the service, so agreement means something. Each
// kind of tampering is tried as it is, and with the chain of lines made anew, as an operator could.

const AUDIT = fileURLToPath(new URL("../audit", import.meta.url));
const SCRIPTS = { node: join(AUDIT, "check-log.mjs"), python: join(AUDIT, "check_log.py") };

interface Attempt {
  readonly name: string;
  readonly log: Buffer;
  readonly decks: JsonObject;
}

type Lines = JsonObject[];

const CHAIN_AND_TEXT = {
  seats: [
    { kind: "chain", seed: "c1".repeat(32) },
    { kind: "text", text: "骰子 ü" },
  ],
  beacon: "be".repeat(32),
} as const;
const FOUR_SEATS = {
  seats: [
    { kind: "none" },
    { kind: "chain", seed: "c2".repeat(32) },
    { kind: "none" },
    { kind: "none" },
  ],
  beacon: null,
} as const;

const OTHER_DRAWS = {
  ...NO_SOURCES,
  draws: [
    { kind: "open" },
    { kind: "number", below: 2 },
    { kind: "number", below: 6 },
    { kind: "shuffle", size: 25, hidden: false },
    { kind: "shuffle", size: 50, hidden: false },
    { kind: "number", below: 256 },
    { kind: "shuffle", size: 1, hidden: false },
  ],
} as const;

const plain = sampleLog(NO_SOURCES);
const others = sampleLog(OTHER_DRAWS);
const sourced = sampleLog(CHAIN_AND_TEXT);

const written = (name: string, lines: readonly JsonObject[], decks: JsonObject): Attempt => ({
  name,
  log: Buffer.from(`${lines.map(canonical).join("\n")}\n`),
  decks,
});

/** A match that another program began: its dice stand before the first roll, and its `open` says so. */
const imported = (): readonly JsonObject[] => {
  const [open = {}, ...rest] = structuredClone([...plain.lines]);
  const theirs = [
    { type: "opening-imported", seat: 0, dice: [3, 1] },
    { type: "dice-imported", seat: 1, dice: [6, 6] },
  ].map((body) => ({ ...open, ...body, set: null }));
  return chained([{ ...open, imported: { format: "mat" } }, ...theirs, ...rest]);
};

const honest: readonly Attempt[] = [
  written("begun in another program", imported(), plain.decks),
  written("no sources", plain.lines, plain.decks),
  written("a chain, a text and a beacon", sourced.lines, sourced.decks),
  written("four seats", sampleLog(FOUR_SEATS).lines, sampleLog(FOUR_SEATS).decks),
  written("coins and shuffles", others.lines, others.decks),
  written("closed before the first roll", unrolledLog().lines, unrolledLog().decks),
  written("not closed yet", plain.lines.slice(0, -1), plain.decks),
  written("only opened", plain.lines.slice(0, 1), plain.decks),
];

/** The position of the nth line (from 0) of a type. */
const at = (lines: Lines, type: string, nth = 0): number => {
  const found = lines.flatMap((line, index) => (line["type"] === type ? [index] : []));
  return present(found[nth], `the sample has a line of type ${type}`);
};

const line = (lines: Lines, type: string, nth = 0): JsonObject =>
  present(lines[at(lines, type, nth)], "it was found");

const object = (value: Json | undefined): JsonObject => value as JsonObject;

const list = (value: Json | undefined): Json[] => value as Json[];

/** Adds one to the first die of a roll, without leaving 1..6. */
const turned = (pair: Json): Json => [((list(pair)[0] as number) % 6) + 1, list(pair)[1] ?? 0];

const serverOf = (lines: Lines, type: string): JsonObject =>
  object(object(line(lines, type)["set"])["server"]);

const flipped = (hash: Json | undefined): string =>
  String(hash).replace(/^./, (digit) => (digit === "0" ? "1" : "0"));

/** Tampering with the log of two seats without sources. */
const TAMPERINGS: Readonly<Record<string, (lines: Lines) => void>> = {
  "a die changed in roll and event": (lines) => {
    const roll = line(lines, "roll", 2);
    roll["out"] = [turned(list(roll["out"])[0] ?? [])];
    line(lines, "dice-rolled", 1)["dice"] = list(roll["out"])[0] ?? [];
  },
  "a die changed in the event only": (lines) => {
    const event = line(lines, "dice-rolled", 1);
    event["dice"] = turned(event["dice"] ?? []);
  },
  "a roll taken out, and its dice called imported": (lines) => {
    const event = line(lines, "dice-rolled", 1);
    lines.splice(lines.indexOf(event) - 1, 1);
    event["type"] = "dice-imported";
  },
  "dice called imported before the first roll": (lines) => {
    lines.splice(1, 0, { ...present(lines[0], "open"), type: "dice-imported", dice: [6, 6] });
  },
  "dice swapped in roll and event": (lines) => {
    const nth = [0, 1, 2, 3].find(
      (n) => new Set(list(line(lines, "dice-rolled", n)["dice"])).size > 1,
    );
    const event = line(lines, "dice-rolled", present(nth, "one of four rolls is not doubles"));
    const roll = present(lines[lines.indexOf(event) - 1], "the roll is before");
    event["dice"] = [...list(event["dice"])].reverse();
    roll["out"] = [event["dice"]];
  },
  "the opening's tie left out": (lines) => {
    const roll = line(lines, "roll");
    roll["out"] = list(roll["out"]).slice(-1);
    line(lines, "opening-rolled")["rolls"] = roll["out"];
  },
  "the opening's tie left out of the event": (lines) => {
    const event = line(lines, "opening-rolled");
    event["rolls"] = list(event["rolls"]).slice(-1);
  },
  "a server link changed": (lines) => {
    const links = object(line(lines, "roll", 1)["links"]);
    links["server"] = flipped(links["server"]);
  },
  "a server link used again": (lines) => {
    object(line(lines, "roll", 2)["links"])["server"] =
      object(line(lines, "roll", 1)["links"])["server"] ?? null;
  },
  "another card named": (lines) => {
    serverOf(lines, "open")["card"] = "12/63";
  },
  "a card's index with a leading zero": (lines) => {
    serverOf(lines, "entropy")["card"] = "13/010";
  },
  "a card of an unknown deck": (lines) => {
    serverOf(lines, "open")["card"] = "99/0";
  },
  "another tip": (lines) => {
    const server = serverOf(lines, "open");
    server["tip"] = step(String(server["tip"]));
  },
  "a proof with another hash": (lines) => {
    const server = serverOf(lines, "open");
    server["proof"] = list(server["proof"]).map((hash, index) =>
      index === 2 ? flipped(hash) : hash,
    );
  },
  "a proof that is too short": (lines) => {
    const server = serverOf(lines, "open");
    server["proof"] = list(server["proof"]).slice(0, -1);
  },
  "a proof that is too long": (lines) => {
    const server = serverOf(lines, "entropy");
    server["proof"] = [...list(server["proof"]), "00".repeat(32)];
  },
  "a server that also has a text": (lines) => {
    serverOf(lines, "open")["text"] = "chosen later";
  },
  "a source for a seat that gave none": (lines) => {
    object(line(lines, "open")["set"])["white"] = { tip: "ab".repeat(32) };
  },
  "a link of a seat that gave no source": (lines) => {
    object(line(lines, "roll", 1)["links"])["white"] = "ab".repeat(32);
  },
  "a roll and its event missing": (lines) => {
    lines.splice(at(lines, "roll", 2), 2);
  },
  "a roll missing, its event kept": (lines) => {
    lines.splice(at(lines, "roll", 2), 1);
  },
  "an event missing after its roll": (lines) => {
    lines.splice(at(lines, "dice-rolled", 1), 1);
  },
  "two rolls swapped": (lines) => {
    const [first, second] = [at(lines, "roll", 1), at(lines, "roll", 2)];
    const moved = lines.splice(second, 2);
    lines.splice(first, 0, ...moved);
  },
  "a roll between a roll and its event": (lines) => {
    lines.splice(at(lines, "dice-rolled", 1), 0, ...lines.splice(at(lines, "roll", 3), 1));
  },
  "dice without a roll": (lines) => {
    lines.splice(at(lines, "played", 1), 0, { ...line(lines, "dice-rolled"), dice: [6, 6] });
  },
  "an opening without a roll": (lines) => {
    lines.splice(at(lines, "played", 1), 0, { ...line(lines, "opening-rolled") });
  },
  "a wrong roll number": (lines) => {
    line(lines, "roll", 4)["roll"] = 6;
  },
  "another kind": (lines) => {
    line(lines, "roll", 1)["kind"] = "d36";
  },
  "an opening relabelled as a roll": (lines) => {
    line(lines, "roll", 6)["kind"] = "2d6";
  },
  "a card drawn too late": (lines) => {
    line(lines, "entropy")["from"] = 4;
  },
  "a card drawn later than it was used": (lines) => {
    line(lines, "entropy")["from"] = 6;
  },
  "a card drawn twice": (lines) => {
    object(line(lines, "entropy")["set"])["server"] = serverOf(lines, "open");
  },
  "the switch of cards missing": (lines) => {
    lines.splice(at(lines, "entropy"), 1);
  },
  "another number of rolls at the close": (lines) => {
    line(lines, "close")["rolls"] = 8;
  },
  "another next link": (lines) => {
    const close = line(lines, "close");
    close["next"] = flipped(close["next"]);
  },
  "the last link as next": (lines) => {
    line(lines, "close")["next"] = object(line(lines, "roll", 8)["links"])["server"] ?? null;
  },
  "no next link": (lines) => {
    delete line(lines, "close")["next"];
  },
  "another value under a seal": (lines) => {
    object(object(line(lines, "close")["openSeals"])["engines"])["value"] = {
      "1": { seed: "78".repeat(32) },
    };
  },
  "another salt under a seal": (lines) => {
    object(object(line(lines, "close")["openSeals"])["engines"])["salt"] = "5b".repeat(32);
  },
  "a seal not opened": (lines) => {
    line(lines, "close")["openSeals"] = {};
  },
  "a seal taken out of open": (lines) => {
    line(lines, "open")["seals"] = {};
  },
  "a line after the close": (lines) => {
    lines.push({ ...line(lines, "played"), seq: lines.length });
  },
  "a second close": (lines) => {
    lines.push({ ...line(lines, "close"), seq: lines.length });
  },
  "a second open": (lines) => {
    lines.splice(4, 0, { ...line(lines, "open") });
  },
  "no open": (lines) => {
    lines.shift();
  },
  "a line of another match": (lines) => {
    line(lines, "played", 3)["match"] = "m-2";
  },
  "another protocol": (lines) => {
    line(lines, "open")["v"] = "fair/2";
  },
  "a line of the protocol that is not checked": (lines) => {
    lines.splice(at(lines, "played"), 0, { ...line(lines, "played"), type: "deal" });
  },
  "the log cut after a roll": (lines) => {
    lines.splice(at(lines, "roll", 5) + 1);
  },
};

/** Tampering that the sources of seats show. */
const SOURCE_TAMPERINGS: Readonly<Record<string, (lines: Lines) => void>> = {
  "a seat's link left out": (lines) => {
    object(line(lines, "roll", 3)["links"])["white"] = null;
  },
  "a seat's link changed": (lines) => {
    const links = object(line(lines, "roll", 3)["links"]);
    links["white"] = flipped(links["white"]);
  },
  "a seat's text changed": (lines) => {
    object(object(line(lines, "open")["set"])["black"])["text"] = "another text";
  },
  "a seat's source left out": (lines) => {
    object(line(lines, "open")["set"])["white"] = null;
  },
  "a beacon that changes": (lines) => {
    object(line(lines, "roll", 3)["links"])["beacon"] = "bf".repeat(32);
  },
  "a beacon left out": (lines) => {
    object(line(lines, "roll", 3)["links"])["beacon"] = null;
  },
  "a seat's link given to the other": (lines) => {
    const links = object(line(lines, "roll", 3)["links"]);
    [links["white"], links["black"]] = [links["black"] ?? null, links["white"] ?? null];
  },
};

/** Tampering with draws that are no dice. */
const OTHER_TAMPERINGS: Readonly<Record<string, (lines: Lines) => void>> = {
  "a coin turned": (lines) => {
    const roll = line(lines, "roll", 1);
    roll["out"] = 1 - Number(roll["out"]);
  },
  "two of a shuffle swapped": (lines) => {
    const roll = line(lines, "roll", 3);
    const [first = 0, second = 0, ...rest] = list(roll["out"]);
    roll["out"] = [second, first, ...rest];
  },
  "a kind that is none": (lines) => {
    line(lines, "roll", 5)["kind"] = "d257";
  },
  "a coin followed by the next roll": (lines) => {
    lines.splice(at(lines, "roll", 1) + 1, 2);
  },
};

/** Changes of the text itself, most of them in its last line, which no later line names. */
const TEXT_TAMPERINGS: Readonly<Record<string, (latin1: string) => string>> = {
  "a time changed": (text) => text.replace('"at":"2026', '"at":"2025'),
  "a space in a line": (text) => text.replace('"type":"close"', '"type": "close"'),
  "a key twice": (text) =>
    text.replace('"reason":"finished"', '"reason":"idle","reason":"finished"'),
  "a number that is not whole": (text) => text.replace('"rolls":9,', '"rolls":9.0,'),
  "a carriage return": (text) => text.replace(/\n$/, "\r\n"),
  "an empty line at the end": (text) => `${text}\n`,
  "an empty file": () => "",
  "not JSON": (text) => text.replace(/\}\n$/, "\n"),
  "not UTF-8": (text) => text.replace('"finished"', '"fin\xffshed"'),
  "not Unicode": (text) => text.replace('"finished"', '"\\ud800"'),
};

const attemptsOf = (log: SampleLog, table: typeof TAMPERINGS): readonly Attempt[] =>
  Object.entries(table).flatMap(([name, tamper]) => {
    const lines = structuredClone([...log.lines]);
    tamper(lines);
    return [
      written(`${name}, as it is`, lines, log.decks),
      written(`${name}, chained anew`, chained(lines), log.decks),
    ];
  });

const otherDeck = structuredClone(plain.decks);
object(list(otherDeck["decks"])[0])["root"] = "00".repeat(32);

/** An imported match with more imported dice once it rolls its own. */
const importedLate = (): readonly JsonObject[] => {
  const lines = structuredClone([...imported()]);
  const last = present(lines.at(-1), "a log has lines");
  lines.splice(-1, 0, { ...last, type: "dice-imported", seat: 0, dice: [6, 6] });
  return chained(lines);
};

const tampered: readonly Attempt[] = [
  written("imported dice after a roll", importedLate(), plain.decks),
  ...attemptsOf(plain, TAMPERINGS),
  ...attemptsOf(sourced, SOURCE_TAMPERINGS),
  ...attemptsOf(others, OTHER_TAMPERINGS),
  ...Object.entries(TEXT_TAMPERINGS).map(([name, tamper]) => {
    const { log, decks } = written(name, plain.lines, plain.decks);
    return { name, log: Buffer.from(tamper(log.toString("latin1")), "latin1"), decks };
  }),
  written("a deck of another root", plain.lines, otherDeck),
];

const hasPython =
  spawnSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 8))"]).status === 0;

type Check = (log: Buffer, decks: Json) => string;

/** What check-log.mjs says, called in this process: a process for each attempt would take a minute. */
const saidByNode = async (attempts: readonly Attempt[]): Promise<readonly string[]> => {
  const module = (await import(pathToFileURL(SCRIPTS.node).href)) as { readonly check: Check };
  return attempts.map(({ log, decks }) => {
    try {
      return module.check(log, decks["decks"] ?? null);
    } catch (rejection) {
      return `REJECTED: ${(rejection as Error).message}`;
    }
  });
};

const PYTHON_RUNNER = `
import base64, json, sys
sys.path.insert(0, sys.argv[1])
from check_log import check
for attempt in json.load(sys.stdin):
    try: said = check(base64.b64decode(attempt["log"]), attempt["decks"]["decks"])
    except ValueError as rejection: said = f"REJECTED: {rejection}"
    print(json.dumps(said))
`;

/** What check_log.py says, in one Python for all attempts. */
const saidByPython = (attempts: readonly Attempt[]): Promise<readonly string[]> =>
  new Promise((resolve, reject) => {
    const command = ["-B", "-c", PYTHON_RUNNER, AUDIT];
    const child = execFile("python3", command, { maxBuffer: 2 ** 24 }, (error, stdout) => {
      if (error) reject(error);
      else
        resolve(
          stdout
            .trim()
            .split("\n")
            .map((line) => JSON.parse(line) as string),
        );
    });
    child.stdin?.end(
      JSON.stringify(attempts.map(({ log, decks }) => ({ log: log.toString("base64"), decks }))),
    );
  });

/** Runs a checker as anybody would, in a process of its own. */
const ran = (command: string, script: string, attempt: Attempt) => {
  const folder = mkdtempSync(join(tmpdir(), "fairness-"));
  const [match, decks] = [join(folder, "match.ndjson"), join(folder, "decks.json")];
  writeFileSync(match, attempt.log);
  writeFileSync(decks, JSON.stringify(attempt.decks));
  const { status, stdout } = spawnSync(command, [script, match, decks], { encoding: "utf8" });
  rmSync(folder, { recursive: true });
  return { status, said: stdout.trim() };
};

const CHECKERS = [
  {
    title: "check-log.mjs",
    command: process.execPath,
    script: SCRIPTS.node,
    said: saidByNode,
    isMissing: false,
  },
  {
    title: hasPython ? "check_log.py" : "skipped: check_log.py (needs python3)",
    command: "python3",
    script: SCRIPTS.python,
    said: saidByPython,
    isMissing: !hasPython,
  },
] as const;

describe("the sample", () => {
  it("has a tie in the opening, a switch of cards and a close", () => {
    const lines = [...plain.lines];
    expect(list(line(lines, "opening-rolled")["rolls"]).length).toBeGreaterThan(1);
    expect(serverOf(lines, "entropy")["card"]).toBe("13/10");
    expect(lines.at(-1)).toMatchObject({ type: "close", rolls: 9 });
  });

  it("is tampered with in every attempt", () => {
    const texts = new Set(
      honest.map(({ log, decks }) => log.toString("latin1") + canonical(decks)),
    );
    for (const { name, log, decks } of tampered) {
      expect(texts.has(log.toString("latin1") + canonical(decks)), name).toBe(false);
    }
  });
});

describe.each(CHECKERS)("$title", ({ command, script, said, isMissing }) => {
  const verdicts = new Map<Attempt, string>();
  beforeAll(async () => {
    if (isMissing) return;
    const attempts = [...honest, ...tampered];
    const answers = await said(attempts);
    for (const [index, attempt] of attempts.entries()) verdicts.set(attempt, answers[index] ?? "");
  });

  it.skipIf(isMissing).each(honest)("accepts: $name", (attempt) => {
    const lines = attempt.log.toString().trimEnd().split("\n");
    const rolls = lines.filter((text) => text.includes('"type":"roll"')).length;
    const state = lines.at(-1)?.includes('"type":"close"') ? "closed" : "not closed yet";
    expect(verdicts.get(attempt)).toBe(`OK: ${lines.length} lines, ${rolls} rolls, ${state}`);
  });

  it.skipIf(isMissing).each(tampered)("rejects: $name", (attempt) => {
    expect(verdicts.get(attempt)).toMatch(/^REJECTED: line \d+: ./);
  });

  it.skipIf(isMissing)("says so on the command line, and by its exit status", () => {
    const [good, bad] = [present(honest[0], "an honest log"), present(tampered[0], "another")];
    expect(ran(command, script, good)).toEqual({ status: 0, said: verdicts.get(good) });
    expect(ran(command, script, bad)).toEqual({ status: 1, said: verdicts.get(bad) });
  });
});

describe.skipIf(!hasPython)("both checkers", () => {
  it("stop at the same line", async () => {
    const lineOf = (said: string) => /^OK|line \d+/.exec(said)?.[0];
    const attempts = [...honest, ...tampered];
    const [node, python] = [await saidByNode(attempts), await saidByPython(attempts)];
    expect(python.map(lineOf)).toEqual(node.map(lineOf));
  });
});
