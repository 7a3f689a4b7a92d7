import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { EngineFilesUnusable, openEngines } from "../../src/engine-files.ts";

const SOURCE = new URL("../../src/engines/backgammon/", import.meta.url);
const CODE = readFileSync(new URL("kernel.wasm", SOURCE));
const WEIGHTS = readFileSync(new URL("weights.bin", SOURCE));

const made: string[] = [];
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true });
});

/** A folder of engine files with this one instead. */
const folderWith = (name: string, bytes: Uint8Array): URL => {
  const folder = mkdtempSync(join(tmpdir(), "qiju-engine-"));
  made.push(folder);
  for (const file of ["kernel.wasm", "weights.bin"]) {
    copyFileSync(new URL(file, SOURCE), join(folder, file));
  }
  writeFileSync(join(folder, name), bytes);
  return pathToFileURL(`${folder}/`);
};

/** The weights with another number at a place of the file. */
const weightsWith = (at: number, bits: number): Uint8Array => {
  const weights = Buffer.from(WEIGHTS);
  weights.writeUInt32LE(bits, at);
  return weights;
};

const swapped = (): Uint8Array => {
  const weights = Buffer.from(WEIGHTS);
  weights.writeUInt32LE(WEIGHTS.readUInt32LE(12), 8);
  weights.writeUInt32LE(WEIGHTS.readUInt32LE(8), 12);
  return weights;
};

const NAN = 0x7fc00000;
const HEADER_BYTES = 32;
const NAN_EVERYWHERE = Buffer.alloc(WEIGHTS.length - HEADER_BYTES);
for (let at = 0; at < NAN_EVERYWHERE.length; at += 4) NAN_EVERYWHERE.writeUInt32LE(NAN, at);

const DAMAGED: readonly (readonly [string, string, Uint8Array])[] = [
  ["no weights", "weights.bin", new Uint8Array()],
  ["a piece of the head", "weights.bin", WEIGHTS.subarray(0, 10)],
  ["weights cut short", "weights.bin", WEIGHTS.subarray(0, WEIGHTS.length - 1_000)],
  ["more than weights", "weights.bin", Buffer.concat([WEIGHTS, Buffer.alloc(4)])],
  ["another file", "weights.bin", weightsWith(0, 1)],
  ["another format", "weights.bin", weightsWith(4, 2)],
  ["nets of exchanged sizes", "weights.bin", swapped()],
  [
    "weights that are no numbers",
    "weights.bin",
    Buffer.concat([WEIGHTS.subarray(0, HEADER_BYTES), NAN_EVERYWHERE]),
  ],
  ["one weight that is no number", "weights.bin", weightsWith(HEADER_BYTES + 4_000, NAN)],
  ["code cut short", "kernel.wasm", CODE.subarray(0, 9_000)],
];

describe("the engines' files", () => {
  it.each(DAMAGED)("of %s are refused in a sentence", (_, name, bytes) => {
    const folder = folderWith(name, bytes);
    expect(() => openEngines(folder)).toThrow(EngineFilesUnusable);
    expect(() => openEngines(folder)).toThrow(/^the engine's files .* cannot be used: /);
  });

  it("are refused in a sentence where one is not there", () => {
    const folder = folderWith("weights.bin", WEIGHTS);
    rmSync(new URL("weights.bin", folder));
    expect(() => openEngines(folder)).toThrow(EngineFilesUnusable);
  });

  it("are used as they are", () => {
    expect(openEngines(folderWith("weights.bin", WEIGHTS)).backgammon.build).toBe(
      openEngines().backgammon.build,
    );
  });
});
