import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { side } from "../../src/games/backgammon/board.ts";
import { httpPlayer } from "../../training/evaluate/over-http.ts";
import { IllegalAnswer, moneySituation } from "../../training/evaluate/player.ts";

const START = side({ 24: 2, 13: 5, 8: 3, 6: 5 });
const situation = moneySituation({ onRoll: START, opponent: START });

/** A service that answers as the API's description has it: once that it is busy, then what it is given. */
const answers = new Map<string, unknown>();
const received: { readonly url: string; readonly body: unknown }[] = [];
let isBusy = true;

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { url = "" } = request;
  received.push({ url, body: JSON.parse(Buffer.concat(chunks).toString()) });
  if (isBusy) {
    isBusy = false;
    response.writeHead(503, { "retry-after": "0" }).end();
    return;
  }
  const answer = answers.get(url);
  response.writeHead(answer === undefined ? 404 : 200).end(JSON.stringify(answer ?? {}));
});

beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
});
afterAll(() => {
  server.close();
});

describe("a level over HTTP", () => {
  const player = () => {
    const { port } = server.address() as AddressInfo;
    return httpPlayer({ url: `http://127.0.0.1:${port}`, level: "expert" });
  };

  it("is asked for its best play, and again when it is busy", async () => {
    answers.set("/v1/positions/best-plays", {
      plays: [{ play: "8/5 6/5", resultingPositionId: "4HPwATDQZvABMA" }],
    });
    await expect(player().play(situation, [3, 1])).rejects.toThrow(IllegalAnswer);
    expect(received).toHaveLength(2);
  });

  it("sends the position, the cube, the dice and the level", async () => {
    answers.set("/v1/positions/best-plays", {
      plays: [{ play: "8/5 6/5", resultingPositionId: "sGfwATDgc/ABMA" }],
    });
    expect((await player().play(situation, [3, 1])).text).toBe("8/5 6/5");
    expect(received.at(-1)).toEqual({
      url: "/v1/positions/best-plays",
      body: {
        position: { positionId: "4HPwATDgc/ABMA" },
        level: "expert",
        cube: {
          value: 1,
          owner: "centre",
          matchLength: 0,
          score: [0, 0],
          crawford: false,
          jacoby: false,
          beavers: false,
        },
        dice: [3, 1],
        limit: 1,
      },
    });
  });

  it("is asked what to do with the cube", async () => {
    answers.set("/v1/positions/cube-action", { action: "double", response: "beaver" });
    expect(await player().doubles(situation)).toBe(true);
    expect(await player().takes(situation)).toBe(true);
    answers.set("/v1/positions/cube-action", { action: "noDouble", response: "pass" });
    expect(await player().doubles(situation)).toBe(false);
    expect(await player().takes(situation)).toBe(false);
    answers.set("/v1/positions/cube-action", { action: "double" });
    await expect(player().doubles(situation)).rejects.toThrow(IllegalAnswer);
  });

  it("is measured no further where it refuses", async () => {
    answers.clear();
    await expect(player().doubles(situation)).rejects.toThrow("404");
  });
});
