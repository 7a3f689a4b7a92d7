import { assert, present } from "../../kernel/assert.ts";
import { ok, type Rejection, type Result, reject } from "../../kernel/result.ts";
import { at, BAR, checkers, OFF, PLACES, type Position, type Side } from "./board.ts";
import { parseBits, printBits } from "./id-bits.ts";
import { CHECKERS_MAX } from "./position.ts";

/*
 * GNU Backgammon's Position ID. 80 bits, the lowest bit of each byte first: for each side, for its own
 * points 1..24 and its bar, one 1 a checker and then a 0; what is left is 0. Ten bytes in standard
 * Base64 without its padding: 14 characters. Checkers borne off are not written.
 *
 * The side NOT on roll comes first. The GNU manual says the reverse; the program (1.07.001) does this.
 */

const BITS = 80;

/**
 * The GNU Position ID: 14 characters of the standard Base64 alphabet.
 *
 * @param position - at most 15 checkers a side on points and bar; borne-off checkers leave no trace
 */
export const printPositionId = ({ onRoll, opponent }: Position): string => {
  const bits: number[] = new Array(BITS).fill(0);
  let bit = 0;
  for (const side of [opponent, onRoll]) {
    assert(
      checkers(side) - at(side, OFF) <= CHECKERS_MAX,
      "a Position ID holds 15 checkers a side",
    );
    for (let place = 1; place <= BAR; place++, bit++) {
      for (let left = at(side, place); left > 0; left--, bit++) bits[bit] = 1;
    }
  }
  return printBits(bits);
};

/**
 * The position of a GNU Position ID.
 *
 * Strict: 14 characters of the standard alphabet (no `-` or `_`), the four padding bits and all bits
 * after the second bar 0, at most `checkersPerSide` a side. Whether both sides hold one point is for
 * `position` to say.
 *
 * @param checkersPerSide - how many a side has in all, 1..15: what is not on points or bar is off.
 *   The ID does not say; 3 in hypergammon
 * @returns the position; or `position-not-readable` with the `reason`
 */
export const parsePositionId = (
  text: string,
  checkersPerSide: number = CHECKERS_MAX,
): Result<Position, Rejection<"position-not-readable">> => {
  if (!/^[A-Za-z0-9+/]{14}$/.test(text)) return unreadable("not-14-base64-characters");
  const bits = parseBits(text);
  if (bits.slice(BITS).includes(1)) return unreadable("padding-bits-set");
  const sides: Side[] = [];
  let bit = 0;
  while (sides.length < 2) {
    const side: number[] = new Array(PLACES).fill(0);
    for (let place = 1; place <= BAR; place++, bit++) {
      for (; bits[bit] === 1; bit++) side[place] = at(side, place) + 1;
      if (bit >= BITS) return unreadable("bits-run-out");
    }
    const off = checkersPerSide - checkers(side);
    if (off < 0) return unreadable("too-many-checkers");
    side[OFF] = off;
    sides.push(side);
  }
  if (bits.slice(bit).includes(1)) return unreadable("bits-left-over");
  const [opponent, onRoll] = sides;
  return ok({
    onRoll: present(onRoll, "two sides were read"),
    opponent: present(opponent, "two sides were read"),
  });
};

const unreadable = (reason: string) =>
  reject("position-not-readable", { notation: "positionId", reason });
