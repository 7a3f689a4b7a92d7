import { assert } from "../kernel/assert.ts";
import type { Json } from "../kernel/json.ts";
import type { Rejection, Result } from "../kernel/result.ts";
import { ok, reject } from "../kernel/result.ts";
import type { Seat } from "../kernel/seat.ts";
import type { Answer, MatchRequest } from "./answer.ts";
import { replay, tagOf, toStore, weakKey } from "./answer.ts";
import { commit } from "./commit.ts";
import type { Failure } from "./failure.ts";
import { meet } from "./forfeit.ts";
import type { MatchRecord } from "./match.ts";
import { isNudge, nudged } from "./nudge.ts";
import { shownTo } from "./players.ts";
import type { Admitted, Caller, MatchAction, Principal } from "./policy.ts";
import { admit, answerPrincipal, identify } from "./policy.ts";
import type { StoredAnswer } from "./ports.ts";
import type { Service } from "./service.ts";
import { REPLIES_ASKED_MAX, REPLIES_MAX } from "./service.ts";
import { engineOnTurn, settle } from "./settle.ts";
import type { Draft, Table } from "./table.ts";
import { withEvents } from "./table.ts";
import { verdictAt, verdictDue } from "./timing.ts";
import { storedKey } from "./tokens.ts";
import type { EventView, MatchView } from "./view.ts";
import { newEventView, tableView, viewerOf } from "./view.ts";

/** What was done, as the caller may see it. */
export interface Acted {
  readonly match: MatchView;
  readonly events: readonly EventView[];
  /** The last line's number and hash. */
  readonly receipt: { readonly seq: number; readonly hash: string };
}

/** Prints what was done as the body of an answer. */
export type Present<Outcome> = (outcome: Outcome) => string;

/** Times that a race may be lost before the caller is told to try again. */
const RACES_MAX = 3;

/** Does what a seat asks, draws what chance owes, and lets the engines reply: one append. */
export const act = (
  service: Service,
  request: MatchRequest & { readonly command: Json },
  present: Present<Acted>,
): Promise<Result<Answer, Failure>> =>
  change(service, request, "act", present, async (table, principal, now) => {
    if (isNudge(request.command)) return nudged(table, seatOf(principal), now);
    const command = table.game.readCommand(request.command);
    if (!command.ok) return malformed(command.error);
    if (request.expected === undefined && table.game.needsVersion(table.state, command.value)) {
      return reject("version-needed");
    }
    const decided = table.game.decide(table.state, seatOf(principal), command.value);
    if (!decided.ok) return decided;
    const draft = withEvents({ table, lines: [] }, now, decided.value);
    const mayThink = (verdictDue(table.timing) ?? Number.POSITIVE_INFINITY) - now > THINKING_MS_MAX;
    return ok(await settle(service, draft, REPLIES_MAX, { mayThink }));
  });

/**
 * A command is on record once the engines have replied. Where time might end the match before that, as whoever looks at
 * it would record, the command is recorded at once, and a reply that takes long is owed.
 */
const THINKING_MS_MAX = 15_000;

/**
 * Lets the engines on turn move, at most `max` commands: engine against engine, or where a reply is owed. Where
 * the caller leaves meanwhile, what has been played by then is kept.
 */
export const reply = (
  service: Service,
  request: MatchRequest & { readonly max: number; readonly signal?: AbortSignal },
  present: Present<Acted>,
): Promise<Result<Answer, Failure>> =>
  change(service, request, "reply", present, async (table) => {
    if (table.record.status === "over") return reject("match-over");
    if (engineOnTurn(table) === undefined) return reject("no-reply-owed");
    const max = Math.min(request.max, REPLIES_ASKED_MAX);
    const draft = await settle(service, { table, lines: [] }, max, {
      signal: request.signal,
    });
    return draft.lines.length > 0 ? ok(draft) : reject("engines-busy", { retryAfterSeconds: 1 });
  });

const seatOf = (principal: Principal): Seat => {
  assert(principal.kind === "seat", "only a seat is admitted to act");
  return principal.seat;
};

const malformed = (
  issues: readonly { readonly pointer: string; readonly message: string }[],
): Result<never, Rejection<string>> =>
  reject("malformed-command", {
    issues: issues.map(({ pointer, message }) => `${pointer}: ${message}`),
  });

/**
 * The steps that every change of a match takes: who asks, the answer of a twin, the version, the work,
 * the append. Whoever loses the race at the append, or meets a twin there, begins again.
 */
const change = async (
  service: Service,
  request: MatchRequest,
  action: MatchAction,
  present: Present<Acted>,
  work: Work,
): Promise<Result<Answer, Failure>> => {
  const caller = await identify(service, request.token);
  const step = { service, request, caller, present, work };
  const guessed = await guess(step, action);
  if (guessed !== undefined) return ok(guessed);
  const principal = answerPrincipal(caller);
  for (let race = 0; ; race++) {
    const found = await look(service, principal, request);
    const admitted = admit(found?.record, caller, action);
    if (!admitted.ok) return admitted;
    const weak = caller.kind === "anonymous" ? weakKey(request.key) : undefined;
    if (weak !== undefined) return weak;
    if (found?.answer !== undefined) {
      return replay(request.match, found.answer, request.requestHash);
    }
    if (race > RACES_MAX) return reject("version-conflict");
    const { record, principal: asking } = admitted.value;
    if (record.status === "open") return reject("match-not-begun");
    const isMoved = request.expected !== undefined && request.expected !== record.version;
    const met = await meet(service, record);
    // The version that the caller acts on was over in time: that it is stale too is news of this moment.
    if (met.kind === "ended" && !isMoved) return reject("match-over");
    if (met.kind !== "in-time") continue;
    if (isMoved) return reject("stale-version", { version: record.version });
    const worked = await work(met.table, asking, met.now);
    if (!worked.ok) return worked;
    const answer = await append(step, admitted.value, worked.value);
    if (answer !== undefined) return ok(answer);
  }
};

interface Step {
  readonly service: Service;
  readonly request: MatchRequest;
  readonly caller: Caller;
  readonly present: Present<Acted>;
  readonly work: Work;
}

/**
 * Tries without reading the match first: a caller that says its version, of a table that is in memory.
 * The append guards the version and the key, so a guess that is wrong changes nothing; whatever comes of it
 * but success is found out again the long way.
 */
const guess = async (step: Step, action: MatchAction): Promise<Answer | undefined> => {
  const { service, request, caller, work } = step;
  if (request.expected === undefined || request.token === undefined) return undefined;
  const table = service.tables.at(request.match, request.expected);
  const admitted = admit(table?.record, caller, action);
  if (table === undefined || !admitted.ok) return undefined;
  const now = service.clock();
  if (verdictAt(table.timing, now) !== undefined) return undefined;
  const worked = await work(table, admitted.value.principal, now);
  return worked.ok ? append(step, admitted.value, worked.value) : undefined;
};

/** Appends what was done with its answer; undefined where somebody was faster, or a twin has done it. */
const append = async (
  { service, request, caller, present }: Step,
  { record, principal }: Admitted,
  draft: Draft,
): Promise<Answer | undefined> => {
  const answer: Answer = {
    match: request.match,
    body: present(acted(draft, principal, service.clock())),
    tag: tagOf(draft.table.record),
    replayed: false,
  };
  const stores = toStore(service.serviceKey, answerPrincipal(caller), request, answer);
  return (await commit(service, record, draft, stores)) === "done" ? answer : undefined;
};

/**
 * The match, and the answer that a twin of the request has got. Both of one moment: so a request that is
 * refused at this version has no twin that made it.
 */
export const look = async (
  { matches, serviceKey }: Service,
  principal: string,
  { match, key }: MatchRequest,
): Promise<{ readonly record?: MatchRecord; readonly answer?: StoredAnswer } | undefined> => {
  if (key !== undefined) {
    return matches.loadWithAnswer({ match, principal, key: storedKey(serviceKey, key) });
  }
  const record = await matches.load(match);
  return record === undefined ? undefined : { record };
};

/** What a request does to a table at the moment `now`, which is the time of its first line. */
type Work = (table: Table, principal: Principal, now: number) => Promise<Result<Draft, Failure>>;

const acted = ({ table, lines }: Draft, principal: Principal, now: number): Acted => {
  const viewer = viewerOf(principal);
  return {
    match: shownTo(principal, table.record, tableView(table, viewer, now)),
    events: lines.map((line) => newEventView(table.game, line, viewer)),
    receipt: { seq: table.record.version, hash: table.record.head },
  };
};
