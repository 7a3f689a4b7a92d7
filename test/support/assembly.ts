import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const COMPILER = "node_modules/assemblyscript/bin/asc.js";

/**
 * What AssemblyScript makes of a configuration, written nowhere in the tree. Some seconds.
 *
 * @param config - path of its asconfig.json, from the root
 * @param more - options that outweigh those of the configuration
 */
export const compiled = async (config: string, ...more: readonly string[]): Promise<Uint8Array> => {
  const folder = mkdtempSync(join(tmpdir(), "qiju-assembly-"));
  try {
    const outFile = join(folder, "compiled.wasm");
    const options = ["--config", config, "--outFile", outFile, ...more];
    await promisify(execFile)(process.execPath, [COMPILER, ...options], { cwd: ROOT });
    return new Uint8Array(readFileSync(outFile));
  } finally {
    rmSync(folder, { recursive: true });
  }
};
