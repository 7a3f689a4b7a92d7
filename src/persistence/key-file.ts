import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { join } from "node:path";
import { assert } from "../kernel/assert.ts";
import { errorCode, fileFailure } from "./embedded-failures.ts";

const KEY_BYTES = 32;

/**
 * The service key of the data folder, 32 bytes. The first start makes it, in `secret-key`, mode 0600.
 *
 * It is linked into place whole, so of two processes that start at once both read the same one.
 *
 * @throws FolderNotWritable, DiskFull
 */
export const readKeyFile = (dataDir: string): Buffer => {
  const path = join(dataDir, "secret-key");
  try {
    fs.mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    if (!fs.existsSync(path)) makeKeyFile(path);
    const text = fs.readFileSync(path, "utf8").trim();
    assert(/^[0-9a-f]{64}$/.test(text), `${path} holds 64 hex digits`);
    return Buffer.from(text, "hex");
  } catch (error) {
    throw fileFailure(error, path);
  }
};

const makeKeyFile = (path: string): void => {
  const draft = `${path}.${randomBytes(8).toString("hex")}`;
  const file = fs.openSync(draft, "wx", 0o600);
  try {
    fs.writeSync(file, `${randomBytes(KEY_BYTES).toString("hex")}\n`);
    fs.fsyncSync(file);
  } finally {
    fs.closeSync(file);
  }
  try {
    fs.linkSync(draft, path);
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  } finally {
    fs.unlinkSync(draft);
  }
};
