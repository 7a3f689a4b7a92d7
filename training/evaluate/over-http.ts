import { setTimeout as after } from "node:timers/promises";
import type { Situation } from "../../src/engines/backgammon/situation.ts";
import { legalPlays } from "../../src/games/backgammon/plays.ts";
import { printPositionId } from "../../src/games/backgammon/position-id.ts";
import type { Player } from "./player.ts";
import { IllegalAnswer } from "./player.ts";

/** Where the service answers, and the level that is asked. */
export interface Service {
  /** Its address, without a path. */
  readonly url: string;
  readonly level: string;
}

/** A level of a running service, asked through `positions/best-plays` and `positions/cube-action`. */
export const httpPlayer = ({ url, level }: Service): Player => ({
  name: `${level} at ${url}`,
  play: async (situation, dice) => {
    const body = { ...asked(situation, level), dice, limit: 1 };
    const { plays } = (await answerTo(`${url}/v1/positions/best-plays`, body)) as PlaysAnswer;
    const id = plays?.[0]?.resultingPositionId;
    const legal = legalPlays(situation.position, dice);
    const found = legal.find((play) => printPositionId(play.after) === id);
    if (found === undefined) throw new IllegalAnswer(`${level} plays ${JSON.stringify(plays)}`);
    return found;
  },
  doubles: async (situation) => (await cubeAction(url, level, situation)).action === "double",
  takes: async (situation) => (await cubeAction(url, level, situation)).response !== "pass",
});

interface PlaysAnswer {
  readonly plays?: readonly { readonly resultingPositionId?: string }[];
}

interface CubeAnswer {
  readonly action?: string;
  readonly response?: string;
}

const cubeAction = async (
  url: string,
  level: string,
  situation: Situation,
): Promise<CubeAnswer> => {
  const answer = (await answerTo(`${url}/v1/positions/cube-action`, asked(situation, level))) as
    | CubeAnswer
    | undefined;
  const isAnswer =
    ["double", "noDouble"].includes(answer?.action ?? "") &&
    ["take", "pass", "beaver"].includes(answer?.response ?? "");
  if (answer === undefined || !isAnswer) {
    throw new IllegalAnswer(`${level} answers ${JSON.stringify(answer)}`);
  }
  return answer;
};

/** The situation as the service reads it. */
const asked = ({ position, cube, match, jacoby, beavers }: Situation, level: string) => ({
  position: { positionId: printPositionId(position) },
  level,
  cube: {
    value: cube.value,
    owner: cube.owner,
    matchLength: match.length,
    score: match.score,
    crawford: match.crawford,
    jacoby,
    beavers,
  },
});

const TRIES = 20;

/** Sends it, again where the service is busy and says when. */
const answerTo = async (url: string, body: unknown): Promise<unknown> => {
  for (let tries = 0; tries < TRIES; tries++) {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (response.ok) return response.json();
    const text = await response.text();
    const wait = Number(response.headers.get("retry-after") ?? Number.NaN);
    if (![429, 503].includes(response.status) || Number.isNaN(wait)) {
      throw new IllegalAnswer(
        `${url} answers ${response.status} ${text} to ${JSON.stringify(body)}`,
      );
    }
    await after(1_000 * wait);
  }
  throw new IllegalAnswer(`${url} is busy`);
};
