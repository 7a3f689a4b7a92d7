import { present } from "../kernel/assert.ts";
import type { Draw, Drawn } from "../kernel/draw.ts";
import type { JsonObject } from "../kernel/json.ts";
import { derive, kindOf, type RollFields } from "./derive.ts";

/** A roll before it is made. */
export interface RollRequest extends RollFields {
  readonly draw: Draw;
  /** The server's link of this roll, hex. */
  readonly link: string;
}

/** A roll that was made: the body of its line, and what the rules are told. */
export interface ServerRoll {
  /** `type`, `roll`, `kind`, `links` and `out` (design.md 4): all that is needed to check it. */
  readonly body: JsonObject;
  readonly drawn: Drawn;
}

/** The seats' names in `links` and `set`: white and black if they are two, else seat0, seat1 … (README 3). */
export const seatNames = (count: number): readonly string[] =>
  count === 2 ? ["white", "black"] : Array.from({ length: count }, (_, seat) => `seat${seat}`);

/** Makes a roll of the server's link and the seats' contributions. Pure: again, and it is the same. */
export const serverRoll = (request: RollRequest): ServerRoll => {
  const { draw, link, roll, seats, beacon } = request;
  const { out, drawn } = derive(draw, link, request);
  const names = seatNames(seats.length);
  const links: JsonObject = { server: link, beacon };
  for (const [seat, part] of seats.entries())
    links[present(names[seat], "every seat has a name")] = part;
  return { body: { type: "roll", roll, kind: kindOf(draw), links, out }, drawn };
};
