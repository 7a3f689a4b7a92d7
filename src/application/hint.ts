import type { Hint } from "../engines/level.ts";
import type { AdviceLevel } from "../games/backgammon/advice.ts";
import { assert } from "../kernel/assert.ts";
import type { Result } from "../kernel/result.ts";
import { ok, reject } from "../kernel/result.ts";
import { tagOf } from "./answer.ts";
import type { Failure } from "./failure.ts";
import { tableOf } from "./load.ts";
import type { Reading, Tagged } from "./read.ts";
import { seen } from "./read.ts";
import type { Service } from "./service.ts";

/** Who asks for advice, and of which level. */
export interface HintRequest extends Reading {
  readonly level: AdviceLevel;
  /** How many commands at most, at least 1. */
  readonly limit: number;
  readonly signal?: AbortSignal;
}

/** What an engine would do in the caller's place, best first: by what the caller's seat may see, and nothing else. */
export const hint = async (
  service: Service,
  request: HintRequest,
): Promise<Result<Tagged<readonly Hint[]>, Failure>> => {
  const found = await seen(service, request, "hint");
  if (!found.ok) return found;
  const { record, principal } = found.value;
  assert(principal.kind === "seat", "only a seat is advised");
  if (record.status === "open") return reject("match-not-begun");
  const { seat } = principal;
  const { game, state } = await tableOf(service, record);
  const turn = game.turn(state);
  if (turn.kind === "over") return reject("match-over");
  if (turn.kind !== "seats" || !turn.seats.includes(seat)) return reject("not-your-turn", { seat });
  const legal = game.legal(state, seat);
  const isAdvised = service.engines.games.get(record.game)?.adviser !== undefined;
  if (!isAdvised || legal.kind !== "listed") return reject("game-has-no-adviser");
  const task = {
    view: game.view(state, { kind: "seat", seat }),
    commands: legal.commands.map(game.printCommand),
    seat,
  };
  const { level, limit, signal } = request;
  const thought = await service.thinker.think("hints", { game: record.game, level, task }, signal);
  return thought.ok ? ok({ value: thought.value.slice(0, limit), tag: tagOf(record) }) : thought;
};
