import type { Dice, Play, Position } from "../../games/backgammon/board.ts";
import { legalPlays } from "../../games/backgammon/plays.ts";
import { opponentOf } from "../../games/backgammon/state.ts";
import type { Json, JsonObject } from "../../kernel/json.ts";
import type { Seat } from "../../kernel/seat.ts";
import { seat as seatOf } from "../../kernel/seat.ts";
import type { Engine, EngineTask } from "../engine.ts";
import { playingOn } from "../engine.ts";
import type { Situation } from "./cube.ts";
import { acceptsResignation, answer, doubles } from "./cube.ts";
import type { CubeView, Table } from "./cube-view.ts";
import { situationOf, tableFor } from "./cube-view.ts";
import { evaluate } from "./evaluate.ts";

/**
 * Plays by a static evaluation: the play with the best score, the first of equals. Doubles, answers and
 * accepts a resignation by an estimate of the chances; never offers to resign.
 */
export const heuristicEngine: Engine = {
  build: "backgammon-heuristic/3",
  choose: ({ view, commands, seat }: EngineTask): Json => {
    const open = playingOn(commands);
    if (open.length === 1) return open[0] ?? null;
    const table = view as unknown as CubeView;
    const find = (type: string) => open.find((command) => command["type"] === type);
    return chosen(table, seatOf(seat), find) ?? open[0] ?? null;
  },
};

/** The command of a type, where it is open. */
type Find = (type: string) => JsonObject | undefined;

const chosen = (view: CubeView, seat: Seat, find: Find): JsonObject | undefined => {
  if (find("play") !== undefined && view.dice !== undefined) {
    const best = bestPlay(tableFor(view, seat).position, view.dice);
    return best === undefined ? undefined : { type: "play", play: best.text };
  }
  if (find("double") !== undefined) {
    return find(doubles(situationOf(view, seat, tableFor(view, seat))) ? "double" : "roll");
  }
  if (find("take") !== undefined && view.offer !== undefined) return answered(view, seat, find);
  if (find("accept-resignation") !== undefined && view.resignation !== undefined) {
    const isEnough = acceptsResignation(playedOn(view, seat), view.resignation.points);
    return find(isEnough ? "accept-resignation" : "refuse-resignation");
  }
  return undefined;
};

/** The answer to a double, beaver or raccoon. The doubler rolls next: after a beaver that is the seat. */
const answered = (view: CubeView, seat: Seat, find: Find): JsonObject | undefined => {
  const { offer } = view;
  if (offer === undefined) return undefined;
  const doubler = offer.kind === "beaver" ? seat : opponentOf(seat);
  const { outlook } = situationOf(view, seat, tableFor(view, doubler));
  const raise = find(offer.kind === "double" ? "beaver" : "raccoon");
  const choice = answer(outlook, offer, raise !== undefined);
  return choice === "raise" ? raise : find(choice);
};

/** The seat's decision about a resignation: the other is on turn, and may have its roll to play. */
const playedOn = (view: CubeView, seat: Seat): Situation => {
  const resigner = opponentOf(seat);
  const table = tableFor(view, resigner);
  const best = view.dice === undefined ? undefined : bestPlay(table.position, view.dice);
  const next: Table = best === undefined ? table : { position: best.after, onRoll: seat };
  return situationOf(view, seat, next);
};

const bestPlay = (position: Position, dice: Dice): Play | undefined => {
  let best: { readonly play: Play; readonly score: number } | undefined;
  for (const play of legalPlays(position, dice)) {
    const score = evaluate(play.after.opponent, play.after.onRoll);
    if (best === undefined || score > best.score) best = { play, score };
  }
  return best?.play;
};
