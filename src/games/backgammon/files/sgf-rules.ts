import type { Variant } from "../start.ts";
import type { FileRules, MatchFile } from "./record.ts";

/** What the rules of a game tree say. `isCrawfordGame`: of this game. */
export interface SgfRules {
  readonly variant: Variant;
  readonly rules: FileRules;
  readonly isCrawfordGame: boolean;
}

type Writable<Value> = { -readonly [Key in keyof Value]: Value[Key] };

/**
 * Reads `RU` and our own `QR`. `RU` names the rules that are played by: a match whose `RU` has no `Crawford` is
 * played without it, a money session whose `RU` has no `Jacoby` too, as GNU Backgammon writes and reads it.
 *
 * @param named - the rules of `RU`, colons between them
 * @param others - values `rule:value` of `QR`, for what `RU` has no word for
 * @returns the rules; nothing if one is not known
 */
export const sgfRules = (
  length: number,
  named: string,
  others: readonly string[],
): SgfRules | undefined => {
  const words = new Set(named.split(":").map((word) => word.trim().toLowerCase()));
  words.delete("");
  const variants = Object.entries(VARIANT_WORDS).filter(([word]) => words.delete(word));
  if (variants.length > 1) return undefined;
  const has = (word: string): boolean => words.delete(word);
  const rules: Writable<FileRules> = {};
  if (has("nocube")) rules.cube = false;
  const crawford = has("crawford");
  const isCrawfordGame = has("crawfordgame");
  const jacoby = has("jacoby");
  if (words.size > 0) return undefined;
  if (length > 0) rules.crawford = crawford || isCrawfordGame;
  else rules.jacoby = jacoby;
  for (const other of others) {
    const [rule = "", value = ""] = other.split(":");
    if (isSwitch(rule) && /^(?:on|off)$/.test(value)) rules[rule] = value === "on";
    else if (isNumber(rule) && /^\d{1,6}$/.test(value)) rules[rule] = Number(value);
    else return undefined;
  }
  return { variant: variants[0]?.[1] ?? "standard", rules, isCrawfordGame };
};

const VARIANT_WORDS: Readonly<Record<string, Variant>> = {
  nackgammon: "nackgammon",
  hypergammon3: "hypergammon",
};

const SWITCHES = ["crawford", "jacoby", "beavers"] as const;
const NUMBERS = ["cubeLimit", "automaticDoubles"] as const;

const isSwitch = (rule: string): rule is (typeof SWITCHES)[number] =>
  SWITCHES.some((one) => one === rule);
const isNumber = (rule: string): rule is (typeof NUMBERS)[number] =>
  NUMBERS.some((one) => one === rule);

/**
 * `RU` and `QR` of a game. Where the file does not say it, a match has the Crawford rule and a money session the
 * Jacoby rule, as usual.
 */
export const printSgfRules = (
  { length, rules, variant }: MatchFile,
  isCrawfordGame: boolean,
): string => {
  const isMatch = length > 0;
  const words = [
    rules.cube === false ? "NoCube" : "",
    isMatch && rules.crawford !== false ? "Crawford" : "",
    isMatch && isCrawfordGame ? "CrawfordGame" : "",
    !isMatch && rules.jacoby !== false ? "Jacoby" : "",
    { standard: "", nackgammon: "Nackgammon", hypergammon: "Hypergammon3" }[variant],
  ].filter((word) => word !== "");
  const spoken = isMatch ? "crawford" : "jacoby";
  const others = [
    ...SWITCHES.filter((rule) => rule !== spoken && rules[rule] !== undefined).map(
      (rule) => `${rule}:${rules[rule] ? "on" : "off"}`,
    ),
    ...NUMBERS.filter((rule) => rules[rule] !== undefined).map((rule) => `${rule}:${rules[rule]}`),
  ];
  const named = words.length === 0 ? "" : `RU[${words.join(":")}]`;
  return named + (others.length === 0 ? "" : `QR[${others.join("][")}]`);
};
