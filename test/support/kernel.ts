import { readFileSync } from "node:fs";
import type { BearOffKernel } from "../../src/engines/backgammon/bear-off-tables.ts";

const FILE = new URL("../../src/engines/backgammon/kernel.wasm", import.meta.url);

/** A kernel of its own. */
export const kernel = (): BearOffKernel =>
  new WebAssembly.Instance(new WebAssembly.Module(readFileSync(FILE)))
    .exports as unknown as BearOffKernel;
