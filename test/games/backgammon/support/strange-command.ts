import { PLAIN_COMMANDS } from "../../../../src/games/backgammon/command.ts";
import { printPositionId } from "../../../../src/games/backgammon/position-id.ts";
import { WIN_KINDS } from "../../../../src/games/backgammon/value.ts";
import type { View } from "../../../../src/games/backgammon/view.ts";
import { sideOf } from "../../../../src/games/backgammon/view.ts";
import type { Pick } from "../../../../src/kernel/game.ts";
import type { Json, JsonObject } from "../../../../src/kernel/json.ts";
import { randomPlacement } from "./random.ts";

/** A command of backgammon that a client may send: most parse, few are legal. */
export const strangeCommand = (
  pick: Pick,
  view: JsonObject,
  listed: readonly JsonObject[],
): Json => {
  const texts = listed.flatMap(({ play }) => (typeof play === "string" ? [play] : []));
  const text = texts[pick(Math.max(1, texts.length))] ?? "24/23";
  const hops = Array.from({ length: 1 + pick(4) }, () => hop(pick));
  switch (pick(14)) {
    case 0:
    case 12:
      return { type: PLAIN_COMMANDS[pick(PLAIN_COMMANDS.length)] ?? "roll" };
    case 11:
      return { type: "offer-resignation", value: WIN_KINDS[pick(WIN_KINDS.length)] ?? "single" };
    case 13:
      return { type: "play", play: text, dice: [1 + pick(6), 1 + pick(6)] };
    case 1:
      return { type: "play", moves: hops };
    case 2:
      return { type: "play", resultingPositionId: printPositionId(randomPlacement(pick)) };
    case 3:
      return { type: "play", play: hops.map(({ from, to }) => `${from}/${to}`).join(" ") };
    case 4:
      return { type: "play", play: mutated(text, pick) };
    case 5:
      return { type: "play", play: text.split(" ").slice(pick(2)).reverse().join(" ") };
    case 6:
      return { type: "play", play: text.replaceAll("*", "").toUpperCase() };
    default:
      return { type: "play", moves: byTheDice(view as unknown as View, pick) };
  }
};

/** Each die moves a checker of the seat on roll, whether it may or not; or one of them stays. */
const byTheDice = ({ board, dice = [1, 2], onRoll }: View, pick: Pick) => {
  const side = onRoll === undefined ? [] : [...sideOf(board, onRoll)];
  const rolled = dice[0] === dice[1] ? [...dice, ...dice] : [...dice];
  if (pick(2) === 0) rolled.reverse();
  return rolled.slice(pick(8) === 0 ? 1 : 0).map((die) => {
    const held = side.flatMap((count, place) => (place > 0 && count > 0 ? [place] : []));
    const from = held[pick(Math.max(1, held.length))] ?? 24;
    const to = Math.max(0, from - die);
    side[from] = (side[from] ?? 1) - 1;
    side[to] = (side[to] ?? 0) + 1;
    return { from, to };
  });
};

/** Any way of a checker by one to four dice. */
const hop = (pick: Pick) => {
  const from = 1 + pick(25);
  return { from, to: Math.max(0, from - 1 - pick(12)) };
};

const ALPHABET = "0123456789/*() baroff";

const mutated = (text: string, pick: Pick): string => {
  const at = pick(text.length);
  return text.slice(0, at) + ALPHABET.charAt(pick(ALPHABET.length)) + text.slice(at + 1);
};
