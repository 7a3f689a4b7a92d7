/**
 * A ledger of acknowledged answers, and clients that fill it.
 *
 * Each client is alone at its matches, so the answers that it got must tile the log: every line belongs to
 * exactly one acknowledged request. A line that nobody answers for was done twice or by nobody; one that is
 * missing was lost.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { ActedJson, EventJson, MatchJson, OpenedJson } from "./client.ts";
import { checkByNode, foldLog, linesOf, shownAt, textOf } from "./log-check.ts";
import type { Random } from "./seeded.ts";
import { allDecks, getJson, getText, type Reply, type Sent, send, sha256 } from "./send.ts";

/** A request that was answered by a 2xx, noted after the answer had come. */
interface Acknowledged {
  readonly sent: Sent;
  readonly bodyHash: string;
  /** The first and the last line that it wrote. */
  readonly first: number;
  readonly last: number;
  /** The hash of the last line, where the answer says so. */
  readonly hash?: string;
  readonly events: readonly EventJson[];
}

export interface Ledger {
  readonly matches: Map<string, Acknowledged[]>;
  /** Answers that were noted. */
  acknowledged: number;
  /** Requests whose first answer never came, and how many of those had been done nevertheless. */
  unanswered: number;
  doneUnanswered: number;
  /** Answers that no client should get. */
  readonly faults: string[];
}

export const newLedger = (): Ledger => ({
  matches: new Map(),
  acknowledged: 0,
  unanswered: 0,
  doneUnanswered: 0,
  faults: [],
});

/** Where a client finds the service now, and whether it is to stop. */
export interface Scene {
  readonly url: () => Promise<string>;
  readonly isOver: () => boolean;
  readonly random: Random;
}

const RETRY_MS = 20;
const ANSWERED_MS_MAX = 60_000;

/** Sends a request, with the same key, until it is answered; only 503 may come in between. */
const untilAnswered = async (ledger: Ledger, scene: Scene, sent: Sent): Promise<Reply> => {
  const end = performance.now() + ANSWERED_MS_MAX;
  let isRetry = false;
  while (performance.now() < end) {
    const reply = await scene
      .url()
      .then((url) => send(url, sent))
      .catch(() => undefined);
    if (reply !== undefined && reply.status < 500) {
      if (isRetry && reply.isReplayed) ledger.doneUnanswered += 1;
      if (!isRetry && reply.isReplayed) ledger.faults.push(`${sent.path}: a first answer replayed`);
      return reply;
    }
    if (reply !== undefined && reply.status !== 503)
      ledger.faults.push(`${sent.path}: ${reply.text}`);
    if (reply?.status === 503 && reply.headers.get("Retry-After") === null) {
      ledger.faults.push(`${sent.path}: 503 without Retry-After`);
    }
    if (!isRetry) ledger.unanswered += 1;
    isRetry = true;
    await delay(RETRY_MS);
  }
  throw new Error(`${sent.path} was not answered within ${ANSWERED_MS_MAX} ms`);
};

const VARIANTS = ["standard", "nackgammon", "hypergammon"];
const LEVELS = ["random", "heuristic"];

/** Plays match after match until the scene is over. */
export const playOn = async (ledger: Ledger, scene: Scene): Promise<void> => {
  while (!scene.isOver()) await playMatch(ledger, scene);
};

/** Plays one match, human against engine or engine against engine, at random. */
export const playMatch = async (ledger: Ledger, scene: Scene): Promise<void> => {
  const { random } = scene;
  const hasHuman = random.isHit(60);
  const engine = () => ({ kind: "engine", level: random.pick(LEVELS) });
  const opened = await opening(ledger, scene, {
    game: "backgammon",
    variant: random.pick(VARIANTS),
    seats: [hasHuman ? { kind: "human" } : engine(), engine()],
  });
  if (opened === undefined) return;
  const token = opened.seats[0]?.token;
  let { match } = opened;
  while (match.status !== "over" && !scene.isOver()) {
    const next = await acting(ledger, scene, match, token);
    if (next === undefined) return;
    match = next;
  }
};

const opening = async (
  ledger: Ledger,
  scene: Scene,
  body: object,
): Promise<OpenedJson | undefined> => {
  const sent: Sent = { method: "POST", path: "/v1/matches", key: scene.random.hex(32), body };
  const reply = await untilAnswered(ledger, scene, sent);
  if (reply.status !== 201) {
    ledger.faults.push(`opening: ${reply.status} ${reply.text}`);
    return undefined;
  }
  const opened = JSON.parse(reply.text) as OpenedJson;
  const { id, version } = opened.match;
  note(ledger, id, { sent, bodyHash: sha256(reply.text), first: 0, last: version, events: [] });
  return opened;
};

const acting = async (
  ledger: Ledger,
  scene: Scene,
  { id, replyOwed, legal }: MatchJson,
  token: string | undefined,
): Promise<MatchJson | undefined> => {
  const { random } = scene;
  const asked = replyOwed
    ? { path: `/v1/matches/${id}/replies`, body: { max: 1 + random.below(6) } }
    : { path: `/v1/matches/${id}/commands`, body: random.pick(legal?.commands ?? []) };
  const sent: Sent = {
    method: "POST",
    key: random.hex(32),
    ...asked,
    ...(token === undefined ? {} : { token }),
  };
  const reply = await untilAnswered(ledger, scene, sent);
  if (reply.status !== 200) {
    ledger.faults.push(`${sent.path}: ${reply.status} ${reply.text}`);
    return undefined;
  }
  const { match, events, receipt } = JSON.parse(reply.text) as ActedJson;
  const [first] = events;
  note(ledger, id, {
    sent,
    bodyHash: sha256(reply.text),
    first: first?.seq ?? -1,
    last: receipt.seq,
    hash: receipt.hash,
    events,
  });
  return match;
};

const note = (ledger: Ledger, match: string, entry: Acknowledged): void => {
  ledger.matches.set(match, [...(ledger.matches.get(match) ?? []), entry]);
  ledger.acknowledged += 1;
};

/** What is wrong with a few of the ledger's latest answers; nothing if all is well. */
export const spotCheck = async (
  url: string,
  ledger: Ledger,
  random: Random,
  count: number,
): Promise<readonly string[]> => {
  const latest = [...ledger.matches].flatMap(([match, entries]) =>
    entries.slice(-2).map((entry) => ({ match, entry })),
  );
  const wrong: string[] = [];
  for (let i = 0; i < count && latest.length > 0; i++) {
    const { match, entry } = random.pick(latest);
    wrong.push(...(await replayFaults(url, match, entry)));
  }
  return wrong;
};

/** Everything that is wrong between the ledger and the service; nothing if all is well. */
export const ledgerFaults = async (url: string, ledger: Ledger): Promise<readonly string[]> => {
  const decks = await allDecks(url);
  const wrong = [...ledger.faults];
  for (const [match, entries] of ledger.matches) {
    const log = await getText(url, `/v1/matches/${match}/log`);
    try {
      checkByNode(log, decks);
    } catch (error) {
      wrong.push(`${match}: ${String(error)}`);
    }
    const lines = linesOf(log);
    wrong.push(...tilingFaults(match, lines, entries), ...hashFaults(match, lines, entries));
    wrong.push(...(await eventFaults(url, match, entries)));
    wrong.push(...(await stateFaults(url, match, lines)));
    for (const entry of entries) wrong.push(...(await replayFaults(url, match, entry)));
  }
  return wrong;
};

const tilingFaults = (
  match: string,
  lines: readonly string[],
  entries: readonly Acknowledged[],
): readonly string[] => {
  const wrong: string[] = [];
  let next = 0;
  for (const { first, last, sent } of entries) {
    if (first !== next) wrong.push(`${match}: ${sent.key} begins at ${first}, not at ${next}`);
    if (last >= lines.length) wrong.push(`${match}: line ${last}, acknowledged, is lost`);
    next = last + 1;
  }
  if (next < lines.length) wrong.push(`${match}: nobody was answered for line ${next}`);
  return wrong;
};

const hashFaults = (
  match: string,
  lines: readonly string[],
  entries: readonly Acknowledged[],
): readonly string[] =>
  entries
    .filter(({ hash, last }) => hash !== undefined && hash !== sha256(lines[last] ?? ""))
    .map(({ last }) => `${match}: the receipt is not the hash of line ${last}`);

/** The dice and plays that were answered are those of the log. */
const eventFaults = async (
  url: string,
  match: string,
  entries: readonly Acknowledged[],
): Promise<readonly string[]> => {
  const events: EventJson[] = [];
  for (let after: number | undefined = -1; after !== undefined; ) {
    const page: { events: EventJson[]; nextAfter?: number } = await getJson(
      url,
      `/v1/matches/${match}/events?after=${after}&limit=500`,
    );
    events.push(...page.events);
    after = page.nextAfter;
  }
  return entries.flatMap((entry) =>
    entry.events
      .filter((event) => textOf(event) !== textOf(events[event.seq] ?? null))
      .map(({ seq }) => `${match}: event ${seq} is not the one that was answered`),
  );
};

const stateFaults = async (
  url: string,
  match: string,
  lines: readonly string[],
): Promise<readonly string[]> => {
  const { version, state } = await getJson<MatchJson>(url, `/v1/matches/${match}`);
  if (version !== lines.length - 1)
    return [`${match}: version ${version} of ${lines.length} lines`];
  return textOf(state) === shownAt(foldLog(lines), version)
    ? []
    : [`${match}: the stored state is not the folded log`];
};

const replayFaults = async (
  url: string,
  match: string,
  { sent, bodyHash, last }: Acknowledged,
): Promise<readonly string[]> => {
  const reply = await send(url, sent);
  const isSame =
    reply.isReplayed &&
    sha256(reply.text) === bodyHash &&
    reply.headers.get("ETag") === `"${last}"`;
  return isSame
    ? []
    : [`${match}: ${sent.key} was answered otherwise: ${reply.status} ${reply.text}`];
};
