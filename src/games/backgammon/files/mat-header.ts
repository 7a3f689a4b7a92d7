import type { Variant } from "../start.ts";
import type { FileAbout, FileRules, MatchFile } from "./record.ts";

/** What the headers of a .mat say. */
export interface MatHeader {
  readonly variant: Variant;
  readonly rules: FileRules;
  readonly about: FileAbout;
  /** Names that the headers give; they serve to read the line of the players. */
  readonly players: readonly [string | undefined, string | undefined];
}

/** Header values by their key in lower case, with the line they stand in. */
export type MatHeaders = ReadonlyMap<string, { readonly value: string; readonly line: number }>;

/** A header that is known and has a value that is not. */
export interface HeaderFault {
  readonly line: number;
  readonly reason: string;
}

/**
 * Reads the headers. Those that say nothing about the rules, the players or the place are passed over.
 * `CubeLimit "1"` is eXtreme Gammon's way to say that there is no cube.
 */
export const matHeader = (headers: MatHeaders): MatHeader | HeaderFault => {
  const text = (key: string): string | undefined => headers.get(key)?.value;
  const fault = (key: string, reason: string): HeaderFault => ({
    line: headers.get(key)?.line ?? 1,
    reason,
  });

  const variant = variantOf(text("variation") ?? "backgammon");
  if (variant === undefined) return fault("variation", "variant-not-known");
  const rules: { -readonly [Rule in keyof FileRules]: FileRules[Rule] } = {};
  for (const rule of ["crawford", "jacoby", "beavers"] as const) {
    const key = rule === "beavers" && !headers.has(rule) ? "beaver" : rule;
    const said = text(key)?.trim().toLowerCase();
    if (said === undefined) continue;
    if (!/^(?:on|off|yes|no|true|false|0|1)$/.test(said))
      return fault(key, "header-not-understood");
    rules[rule] = /^(?:on|yes|true|1)$/.test(said);
  }
  for (const rule of ["cubeLimit", "automaticDoubles"] as const) {
    const key = rule.toLowerCase();
    const said = text(key);
    if (said === undefined) continue;
    if (!/^\d{1,6}$/.test(said) || (rule === "cubeLimit" && Number(said) === 0))
      return fault(key, "header-not-understood");
    if (rule === "cubeLimit" && Number(said) === 1) rules.cube = false;
    else rules[rule] = Number(said);
  }
  return {
    variant,
    rules,
    about: aboutOf(text),
    players: [text("player 1"), text("player 2")],
  };
};

const variantOf = (text: string): Variant | undefined => {
  switch (text.toLowerCase().replaceAll(" ", "")) {
    case "backgammon":
    case "standard":
      return "standard";
    case "nackgammon":
      return "nackgammon";
    case "hypergammon":
    case "hypergammon(3)":
      return "hypergammon";
    default:
      return undefined;
  }
};

const aboutOf = (text: (key: string) => string | undefined): FileAbout => {
  const [, year, month, day] = /^(\d{4})[.-](\d\d)[.-](\d\d)$/.exec(text("eventdate") ?? "") ?? [];
  const about: { -readonly [Key in keyof FileAbout]: FileAbout[Key] } = {};
  if (year !== undefined) about.date = `${year}-${month}-${day}`;
  for (const [key, name] of [
    ["event", "event"],
    ["round", "round"],
    ["place", "site"],
  ] as const) {
    const said = text(name);
    if (said !== undefined && said !== "") about[key] = said;
  }
  return about;
};

const VARIATIONS = {
  standard: undefined,
  nackgammon: "NackGammon",
  hypergammon: "HyperGammon (3)",
} as const satisfies Record<Variant, string | undefined>;

/**
 * The headers of a match, in the order of GNU Backgammon, then those of eXtreme Gammon, which GNU Backgammon
 * passes over. The names stand there where the line of the players could be read in two ways.
 */
export const printMatHeader = (file: MatchFile): readonly string[] => {
  const { about, rules, players } = file;
  const onOff = (is: boolean | undefined) => (is === undefined ? undefined : is ? "On" : "Off");
  const named = players.every(isPlain) ? [] : players;
  const headers: readonly (readonly [string, string | number | undefined])[] = [
    ["Site", about.place],
    ["Event", about.event],
    ["Round", about.round],
    ["EventDate", about.date?.replaceAll("-", ".")],
    ["Variation", VARIATIONS[file.variant]],
    ["Player 1", named[0]],
    ["Player 2", named[1]],
    ["Crawford", onOff(rules.crawford)],
    ["Jacoby", onOff(rules.jacoby)],
    ["Beaver", onOff(rules.beavers)],
    ["CubeLimit", rules.cube === false ? 1 : rules.cubeLimit],
    ["AutomaticDoubles", rules.automaticDoubles],
  ];
  return headers.flatMap(([key, value]) => (value === undefined ? [] : [`; [${key} "${value}"]`]));
};

/** Whether the name can be told from its score and from the other name. */
const isPlain = (name: string): boolean => /^[^\s:]+(?: [^\s:]+)*$/.test(name);
