/**
 * Clients that play the same matches at once through several processes, and note all that they see.
 *
 * They hold every seat's token, act on what they saw last (which others may have made stale), with and
 * without `If-Match`, sometimes out of turn, sometimes with a twin of the request at another process.
 */
import type { Seat } from "../../src/kernel/seat.ts";
import type { ActedJson, EventJson, MatchJson, OpenedJson, ProblemJson } from "./client.ts";
import type { Log, Operation } from "./history.ts";
import { type Folded, foldLog, linesOf, shownAt, textOf } from "./log-check.ts";
import type { Random } from "./seeded.ts";
import { getJson, getText, type Reply, type Sent, send, sha256 } from "./send.ts";

/** A match that all the clients play. */
export interface SharedMatch {
  readonly id: string;
  readonly tokens: readonly (string | undefined)[];
  readonly operations: Operation[];
  /** What the log says, once all is over. */
  truth?: { readonly folded: Folded; readonly lines: readonly string[] };
  isOver: boolean;
}

export interface Rivalry {
  readonly urls: readonly string[];
  readonly matches: SharedMatch[];
  /** What clients asked for, commands and replies. */
  commands: number;
  readonly answers: Map<string, number>;
  readonly faults: string[];
}

export const newRivalry = (urls: readonly string[]): Rivalry => ({
  urls,
  matches: [],
  commands: 0,
  answers: new Map(),
  faults: [],
});

const SEATS = [
  [{ kind: "human" }, { kind: "human" }],
  [{ kind: "human" }, { kind: "engine", level: "random" }],
  [
    { kind: "engine", level: "random" },
    { kind: "engine", level: "heuristic" },
  ],
];

/** Opens a match; its first lines count as a write. */
export const openShared = async (rivalry: Rivalry, random: Random): Promise<SharedMatch> => {
  const invoked = performance.now();
  const reply = await send(random.pick(rivalry.urls), {
    method: "POST",
    path: "/v1/matches",
    body: { game: "backgammon", seats: random.pick(SEATS) },
  });
  if (reply.status !== 201) throw new Error(`opening: ${reply.status} ${reply.text}`);
  const { match, seats } = JSON.parse(reply.text) as OpenedJson;
  const tokens = [0, 1].map((seat) => seats.find((grant) => grant.seat === seat)?.token);
  const opened: SharedMatch = {
    id: match.id,
    tokens,
    operations: [],
    isOver: false,
  };
  const asked = { client: -1, match: match.id, invoked, returned: performance.now() };
  opened.operations.push({ ...asked, kind: "write", first: 0, last: match.version, events: [] });
  rivalry.matches.push(opened);
  return opened;
};

/** One client's life: until so many commands were asked for in all. */
export const rival = async (
  rivalry: Rivalry,
  client: number,
  random: Random,
  commandsMax: number,
): Promise<void> => {
  const seen = new Map<string, MatchJson>();
  while (rivalry.commands < commandsMax) {
    const open = rivalry.matches.filter(({ isOver }) => !isOver);
    // The first is everybody's favourite.
    const match = random.isHit(40) ? open[0] : random.pick(open);
    if (match === undefined) throw new Error("no match is left to play");
    const known = seen.get(match.id);
    if (known === undefined || random.isHit(25)) {
      seen.set(match.id, await readShared(rivalry, match, client, random));
    } else {
      const after = await change(rivalry, match, client, random, known);
      // After a refusal some look again, and some insist.
      if (after === known && random.isHit(60)) seen.delete(match.id);
      else seen.set(match.id, after);
      if (random.isHit(30)) seen.set(match.id, await readShared(rivalry, match, client, random));
    }
    if (seen.get(match.id)?.status === "over" && !match.isOver) {
      match.isOver = true;
      await openShared(rivalry, random);
    }
  }
};

const readShared = async (
  { urls }: Rivalry,
  match: SharedMatch,
  client: number,
  random: Random,
): Promise<MatchJson> => {
  const invoked = performance.now();
  const token = random.pick(match.tokens);
  const path = `/v1/matches/${match.id}`;
  const read = await getJson<MatchJson>(random.pick(urls), path, token);
  const asked = { client, match: match.id, invoked, returned: performance.now() };
  const { version, state } = read;
  match.operations.push({ ...asked, kind: "read", version, state: textOf(state) });
  // Only the seat on turn is shown what is legal.
  const [seat] = read.turn.seats ?? [];
  const mine = seat === undefined ? undefined : match.tokens[seat];
  if (mine === undefined || mine === token || read.status === "over") return read;
  return getJson<MatchJson>(random.pick(urls), path, mine);
};

const WRONG = [
  { type: "roll" },
  { type: "play", play: "24/23 13/12" },
  { type: "play", play: "1/off" },
];

const change = async (
  rivalry: Rivalry,
  match: SharedMatch,
  client: number,
  random: Random,
  known: MatchJson,
): Promise<MatchJson> => {
  rivalry.commands += 1;
  const { sent, seat, command } = chosen(match, random, known);
  const invoked = performance.now();
  const isTwin = sent.key !== undefined && random.isHit(25);
  const replies = await Promise.all(
    Array.from({ length: isTwin ? 2 : 1 }, async () => {
      const reply = await send(random.pick(rivalry.urls), sent);
      return { reply, returned: performance.now() };
    }),
  );
  if (isTwin) rivalry.faults.push(...twinFaults(sent, replies));
  let last = known;
  for (const { reply, returned } of replies) {
    const asked = { client, match: match.id, invoked, returned };
    count(rivalry, reply);
    if (reply.status === 200) {
      const { match: after, events, receipt } = JSON.parse(reply.text) as ActedJson;
      last = after;
      if (reply.isReplayed) continue;
      match.operations.push({
        ...asked,
        kind: "write",
        first: events[0]?.seq ?? -1,
        last: receipt.seq,
        hash: receipt.hash,
        events: events.map(textOf),
        isAsAsked: () => isAsAsked(match, events[0], seat, command),
        ...(sent.expected === undefined ? {} : { expected: sent.expected }),
      });
    } else {
      refused(rivalry, match, { asked, reply, sent, seat, command });
    }
  }
  return last;
};

/** What to ask: mostly what was legal when the client last looked. */
const chosen = (match: SharedMatch, random: Random, known: MatchJson) => {
  const onTurn = known.turn.seats?.[0] ?? 0;
  const isEngine = match.tokens[onTurn] === undefined;
  const hasHuman = match.tokens.some((token) => token !== undefined);
  const isReply = !hasHuman || (isEngine && random.isHit(50));
  const human = match.tokens.findIndex((token) => token !== undefined);
  const wanted = random.isHit(10) ? 1 - onTurn : onTurn;
  const seat = match.tokens[wanted] === undefined ? human : wanted;
  const legal = known.legal?.commands ?? [];
  const command = legal.length === 0 || random.isHit(10) ? random.pick(WRONG) : random.pick(legal);
  const token = match.tokens[seat];
  const sent: Sent = {
    method: "POST",
    ...(isReply
      ? { path: `/v1/matches/${match.id}/replies`, body: { max: 1 + random.below(5) } }
      : { path: `/v1/matches/${match.id}/commands`, body: command }),
    ...(isReply || token === undefined ? {} : { token }),
    ...(random.isHit(50) ? { expected: known.version } : {}),
    ...(random.isHit(50) ? { key: random.hex(32) } : {}),
  };
  return { sent, seat, command: isReply ? undefined : command };
};

type Command = { readonly type: string; readonly play?: string } | undefined;

/** What an engine's command begins with. */
const ENGINES_BEGIN = [
  "roll-requested",
  "played",
  "cube-offered",
  "cube-taken",
  "cube-passed",
  "resignation-accepted",
  "resignation-refused",
];

/** The first line is what the rules make of the request at the version before it. */
const isAsAsked = (
  { truth }: SharedMatch,
  event: EventJson | undefined,
  seat: number,
  command: Command,
): boolean => {
  if (truth === undefined || event === undefined) return false;
  if (command === undefined) return ENGINES_BEGIN.includes(event.type);
  const { game, states } = truth.folded;
  const state = states[event.seq - 1];
  const read = game.readCommand({ ...command });
  const decided = state && read.ok ? game.decide(state, seat as Seat, read.value) : undefined;
  const [asked] = decided?.ok === true ? decided.value : [];
  if (asked === undefined) return false;
  const { seq, at } = event;
  return textOf({ seq, at, ...game.split(asked).line }) === textOf(event);
};

const twinFaults = (
  { path, key }: Sent,
  replies: readonly { readonly reply: Reply }[],
): readonly string[] => {
  const done = replies.map(({ reply }) => reply).filter(({ status }) => status === 200);
  const firsts = done.filter(({ isReplayed }) => !isReplayed);
  if (firsts.length > 1) return [`${path}: ${key} was done twice`];
  return new Set(done.map(({ text }) => text)).size > 1 ? [`${path}: ${key} got two answers`] : [];
};

const count = (rivalry: Rivalry, { status, text, isReplayed }: Reply): void => {
  const code = status === 200 ? "" : ` ${(JSON.parse(text) as ProblemJson).code}`;
  const name = `${status}${code}${isReplayed ? " replayed" : ""}`;
  rivalry.answers.set(name, (rivalry.answers.get(name) ?? 0) + 1);
};

const EXPECTED_STATUS: Readonly<Record<string, number>> = {
  "not-your-turn": 409,
  "wrong-phase": 409,
  "match-over": 409,
  "no-reply-owed": 409,
  "version-conflict": 409,
  "stale-version": 412,
  "play-not-legal": 422,
  "cube-not-available": 422,
  "resignation-not-higher": 422,
};

const refused = (
  rivalry: Rivalry,
  match: SharedMatch,
  given: {
    readonly asked: { client: number; match: string; invoked: number; returned: number };
    readonly reply: Reply;
    readonly sent: Sent;
    readonly seat: number;
    readonly command: Command;
  },
): void => {
  const { asked, reply, sent, seat, command } = given;
  const { code, version } = JSON.parse(reply.text) as ProblemJson;
  if (EXPECTED_STATUS[code] !== reply.status) {
    rivalry.faults.push(`${sent.path}: ${reply.status} ${reply.text}`);
    return;
  }
  match.operations.push({
    ...asked,
    kind: "refused",
    code,
    isRight: (at) => codeAt(match, at, seat, command) === code,
    ...(sent.expected === undefined ? {} : { expected: sent.expected }),
    ...(version === undefined ? {} : { version }),
  });
};

/** How the rules refuse a request at a version; nothing where they would not. */
const codeAt = (
  { truth }: SharedMatch,
  at: number,
  seat: number,
  command: Command,
): string | undefined => {
  const state = truth?.folded.states[at];
  if (truth === undefined || state === undefined) return undefined;
  const { lines } = truth;
  const { game } = truth.folded;
  if (command === undefined) {
    if ((lines[at] ?? "").includes('"type":"close"')) return "match-over";
    const turn = game.turn(state);
    const open = JSON.parse(lines[0] ?? "") as { seats: readonly { kind: string }[] };
    const isOwed =
      turn.kind === "seats" && turn.seats.some((one) => open.seats[one]?.kind === "engine");
    return isOwed ? undefined : "no-reply-owed";
  }
  const read = game.readCommand({ ...command });
  const decided = read.ok ? game.decide(state, seat as Seat, read.value) : undefined;
  return decided === undefined || decided.ok ? undefined : decided.error.code;
};

/** Follows a match's events by cursor, through any process, until `isOver` and everything is read. */
export const follow = async (
  rivalry: Rivalry,
  match: SharedMatch,
  client: number,
  random: Random,
  isOver: () => boolean,
): Promise<readonly { readonly seq: number; readonly text: string }[]> => {
  const read: { seq: number; text: string }[] = [];
  for (;;) {
    const isLast = isOver();
    const after = read.at(-1)?.seq ?? -1;
    const limit = 1 + random.below(20);
    const invoked = performance.now();
    const page = await getJson<{ events: EventJson[]; version: number; nextAfter?: number }>(
      random.pick(rivalry.urls),
      `/v1/matches/${match.id}/events?after=${after}&limit=${limit}`,
    );
    const asked = { client, match: match.id, invoked, returned: performance.now() };
    match.operations.push({ ...asked, kind: "read", version: page.version });
    read.push(...page.events.map((event) => ({ seq: event.seq, text: textOf(event) })));
    if (isLast && page.events.length < limit) return read;
    if (page.events.length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

/** What a match's log says now; from here on refusals can be judged. */
export const settledLog = async (
  url: string,
  match: SharedMatch,
): Promise<{ readonly text: string; readonly log: Log }> => {
  const text = await getText(url, `/v1/matches/${match.id}/log`);
  const lines = linesOf(text);
  const folded = foldLog(lines);
  match.truth = { folded, lines };
  const events: string[] = [];
  while (events.length < lines.length) {
    const page = await getJson<{ events: EventJson[] }>(
      url,
      `/v1/matches/${match.id}/events?after=${events.length - 1}&limit=500`,
    );
    if (page.events.length === 0) break;
    events.push(...page.events.map(textOf));
  }
  return {
    text,
    log: { hashes: lines.map(sha256), events, stateAt: (version) => shownAt(folded, version) },
  };
};
