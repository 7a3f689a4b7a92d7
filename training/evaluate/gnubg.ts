import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { AddressInfo, Socket } from "node:net";
import { connect, createServer } from "node:net";
import type { Situation } from "../../src/engines/backgammon/situation.ts";
import type { Dice, Play, Side } from "../../src/games/backgammon/board.ts";
import { at, BAR, mirrored, OFF } from "../../src/games/backgammon/board.ts";
import { readPlay } from "../../src/games/backgammon/notation.ts";
import { legalPlays } from "../../src/games/backgammon/plays.ts";
import { assert, present } from "../../src/kernel/assert.ts";
import { GNUBG } from "../../test/games/backgammon/support/gnubg.ts";
import type { OpenPlayer } from "./player.ts";
import { IllegalAnswer } from "./player.ts";

/*
 * GNU Backgammon as a player: `external HOST:PORT` makes it listen, and answer each line with a position in FIBS's
 * form by one line. What is not in its manual was found by asking 1.07.001, and is held by
 * `test/training/gnubg.test.ts`:
 * - of the two scores the first is that of the side whose turn it is not;
 * - the field "post-Crawford" says that the game is not the Crawford game, where one side alone is 1-away; where
 *   both are it must be 0;
 * - a double is answered in the answerer's view with the turn -1, the cube as before the double;
 * - a beaver is a take, beavers or not.
 */

/** How it plays. */
export interface GnubgLevel {
  /** How far it looks ahead; its own move filter. */
  readonly plies: number;
  /** Whether it chooses plays with the cube in mind. */
  readonly isCubeful: boolean;
}

/** Starts the program. It listens on a free port of this machine until it is closed. */
export const openGnubg = async ({ plies, isCubeful }: GnubgLevel): Promise<OpenPlayer> => {
  const port = await freePort();
  const child = await listening(port, [
    "set threads 1",
    `set evaluation chequerplay evaluation plies ${plies}`,
    `set evaluation chequerplay evaluation cubeful ${isCubeful ? "on" : "off"}`,
    `set evaluation cubedecision evaluation plies ${plies}`,
    "set evaluation cubedecision evaluation cubeful on",
    `external 127.0.0.1:${port}`,
  ]);
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  await once(socket, "connect");
  const answerTo = asking(socket);
  const word = async (line: string, words: readonly string[]): Promise<string> => {
    const answer = await answerTo(line);
    if (!words.includes(answer)) throw new IllegalAnswer(`gnubg answers ${answer} to ${line}`);
    return answer;
  };
  return {
    name: `gnubg ${plies}-ply${isCubeful ? "" : " cubeless"}`,
    play: async (situation, dice) =>
      playOf(situation, dice, await answerTo(rollLine(situation, dice))),
    doubles: async (situation) =>
      (await word(rollLine(situation, [0, 0]), ["roll", "double"])) === "double",
    takes: async (situation) =>
      (await word(doubledLine(situation), ["take", "drop", "beaver"])) !== "drop",
    close: () => {
      socket.destroy();
      child.kill();
    },
  };
};

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
};

const START_MS_MAX = 60_000;

/** The program, once it says that it waits for a connection. It ends with this process. */
const listening = async (port: number, commands: readonly string[]): Promise<ChildProcess> => {
  const program = present(GNUBG, "GNU Backgammon is installed");
  const child = spawn(program, ["-t", "-q", "-r"], {
    stdio: ["pipe", "pipe", "ignore"],
    env: { ...process.env, LC_ALL: "C" },
  });
  const kill = () => child.kill();
  process.once("exit", kill);
  child.once("exit", () => process.off("exit", kill));
  child.stdin.write(`${commands.join("\n")}\n`);
  let said = "";
  await new Promise<void>((resolve, reject) => {
    const stop = (why: string) => {
      clearTimeout(timer);
      kill();
      reject(new Error(`gnubg ${why}: ${said}`));
    };
    const timer = setTimeout(stop, START_MS_MAX, "does not listen");
    child.once("error", ({ message }) => stop(message));
    child.once("exit", () => stop("has ended"));
    child.stdout.on("data", (chunk: Buffer) => {
      said = `${said}${chunk.toString()}`.slice(-2_000);
      if (!said.includes(`connection from 127.0.0.1:${port}`)) return;
      clearTimeout(timer);
      resolve();
    });
  });
  return child;
};

/** Sends a line and gives the line that answers it; one after the other. */
const asking = (socket: Socket): ((line: string) => Promise<string>) => {
  const waiting: { resolve(line: string): void; reject(error: Error): void }[] = [];
  let rest = "";
  socket.setEncoding("utf8");
  socket.on("data", (chunk: string) => {
    const lines = `${rest}${chunk}`.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) waiting.shift()?.resolve(line.replaceAll("\0", "").trim());
  });
  socket.on("error", () => socket.destroy());
  socket.on("close", () => {
    for (const { reject } of waiting.splice(0)) reject(new Error("gnubg has hung up"));
  });
  return (line) =>
    new Promise((resolve, reject) => {
      waiting.push({ resolve, reject });
      socket.write(`${line}\n`);
    });
};

const playOf = ({ position }: Situation, dice: Dice, answer: string): Play => {
  const read = readPlay(position, dice, legalPlays(position, dice), answer);
  if (!read.ok) throw new IllegalAnswer(`gnubg plays ${answer} with ${dice.join("-")}`);
  return read.value;
};

/** The side on roll is asked: for its play, or, where the dice are 0, whether it doubles. */
const rollLine = ({ position, cube, match, jacoby }: Situation, dice: Dice): string =>
  line({
    own: position.onRoll,
    other: position.opponent,
    isOwnTurn: true,
    dice,
    cube: cube.value,
    mayDouble: [cube.owner !== "opponent", cube.owner !== "onRoll"],
    match: { ...match, score: [match.score[1], match.score[0]] },
    jacoby,
  });

/** The opponent is asked whether it takes. */
const doubledLine = ({ position, cube, match, jacoby }: Situation): string =>
  line({
    own: position.opponent,
    other: position.onRoll,
    isOwnTurn: false,
    dice: [0, 0],
    cube: cube.value,
    mayDouble: [cube.owner === "centre", true],
    match: { ...match, score: [match.score[1], match.score[0]] },
    jacoby,
  });

/** A question as FIBS's form has it; pairs are of the side asked and of the other, but for the score. */
interface Question {
  readonly own: Side;
  readonly other: Side;
  /** If not, the other has doubled. */
  readonly isOwnTurn: boolean;
  readonly dice: Dice;
  readonly cube: number;
  readonly mayDouble: readonly [boolean, boolean];
  readonly match: Situation["match"];
  readonly jacoby: boolean;
}

const line = ({
  own,
  other,
  isOwnTurn,
  dice,
  cube,
  mayDouble,
  match,
  jacoby,
}: Question): string => {
  const { length, score, crawford } = match;
  const points = Array.from({ length: BAR + 1 }, (_, place) => {
    if (place === OFF) return -at(other, BAR);
    return place === BAR ? at(own, BAR) : at(own, place) - at(other, mirrored(place));
  });
  const isOneAway = (score[0] === length - 1) !== (score[1] === length - 1);
  const fields = [
    "board",
    ...["asked", "other"],
    length,
    ...score,
    ...points,
    isOwnTurn ? 1 : -1,
    ...[...dice, 0, 0],
    cube,
    ...mayDouble.map(Number),
    isOwnTurn ? 0 : 1,
    ...[1, -1],
    ...[OFF, BAR],
    ...[at(own, OFF), at(other, OFF)],
    ...[at(own, BAR), at(other, BAR)],
    ...[0, 0],
    isOneAway && !crawford ? 1 : 0,
    0,
  ];
  assert(fields.length === 53, "a FIBS board has 53 fields");
  return `${fields.join(":")} JACOBYRULE ${jacoby ? "ON" : "OFF"} BEAVERS OFF`;
};
