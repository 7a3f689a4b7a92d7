import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GNUBG } from "./gnubg.ts";
import type { GnubgMatch } from "./golden-matches.ts";

/** What the program has after reading a file, and the .mat and SGF that it then writes. */
export const readByGnubg = (load: "import mat" | "load match", text: string) => {
  const folder = mkdtempSync(join(tmpdir(), "qiju-gnubg-"));
  try {
    writeFileSync(join(folder, "in"), text);
    const script = [
      "import gnubg, json",
      `gnubg.command('${load} "${join(folder, "in")}"')`,
      `gnubg.command('export match mat "${join(folder, "out.mat")}"')`,
      `gnubg.command('save match "${join(folder, "out.sgf")}"')`,
      `json.dump(gnubg.match(0, 1, 0, 0), open("${join(folder, "out.json")}", "w"), default=list)`,
    ];
    writeFileSync(join(folder, "script.py"), `${script.join("\n")}\n`);
    execFileSync(GNUBG ?? "", ["-t", "-q", "-r", "-p", join(folder, "script.py")], {
      env: { ...process.env, HOME: folder },
      input: "",
      stdio: ["pipe", "ignore", "ignore"],
      timeout: 60_000,
    });
    const out = (name: string) => readFileSync(join(folder, name), "utf8");
    return {
      match: JSON.parse(out("out.json")) as GnubgMatch,
      mat: out("out.mat"),
      sgf: out("out.sgf"),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
};
