import type { Acted } from "../../src/application/act.ts";
import { act, reply } from "../../src/application/act.ts";
import type { Answer } from "../../src/application/answer.ts";
import { claimSeat } from "../../src/application/claim-seat.ts";
import type { Failure } from "../../src/application/failure.ts";
import { tableOf } from "../../src/application/load.ts";
import { type MatchId, matchId } from "../../src/application/match.ts";
import type { MatchWish, Opened, SeatWish } from "../../src/application/open-match.ts";
import { openMatch } from "../../src/application/open-match.ts";
import type { Service } from "../../src/application/service.ts";
import { requestHash } from "../../src/application/tokens.ts";
import { assert, present } from "../../src/kernel/assert.ts";
import type { Json, JsonObject } from "../../src/kernel/json.ts";
import { canonical } from "../../src/kernel/json.ts";
import type { Result } from "../../src/kernel/result.ts";
import type { Stores } from "../../src/persistence/stores.ts";
import { audit } from "./audit.ts";
import type { TestSettings } from "./service.ts";
import { testService } from "./service.ts";

/*
 * What tests of the use cases say to a service, in short: requests are hashed and answers printed as an
 * adapter does it.
 */

export const HUMAN: SeatWish = { kind: "human" };
export const OPEN: SeatWish = { kind: "open" };
export const engine = (level = "heuristic"): SeatWish => ({ kind: "engine", level });

/** A service whose cards have short chains: its decks are made in a moment. */
export const quickService = (settings: TestSettings = {}) =>
  testService({ chainLength: QUICK_LENGTH, ...settings });

export const QUICK_LENGTH = 64;

/** A time that tests move. */
export const movedClock = (at = Date.UTC(2026, 0, 1)) => {
  const time = { at };
  return { time, clock: () => time.at };
};

/** Who asks, and how: a seat's token, a key for retries, the version that the caller acts on. */
export interface Asking {
  readonly token?: string | undefined;
  readonly key?: string;
  readonly expected?: number;
}

type Opening = {
  readonly key?: string;
  readonly token?: string;
  readonly variant?: string;
  readonly options?: Json;
} & Partial<Omit<MatchWish, "seats" | "played">>;
type Answered = Promise<Result<Answer, Failure>>;

export const tryOpening = (
  service: Service,
  seats: readonly SeatWish[],
  given: Opening = {},
): Answered => {
  const { key, token, variant, options = {}, ...rest } = given;
  const played = variant === undefined ? { options } : { options, variant };
  const wish: MatchWish = { game: "backgammon", played, visibility: "public", ...rest, seats };
  const hash = requestHash("open", canonical(wish as unknown as Json));
  const request = {
    wish,
    requestHash: hash,
    ...stated({ token, ...(key === undefined ? {} : { key }) }),
  };
  return openMatch(service, request, printed<Opened>);
};

export const trySending = (
  service: Service,
  match: MatchId,
  command: Json,
  asking: Asking = {},
): Answered => {
  const request = { match, command, requestHash: requestHash("act", canonical(command)) };
  return act(service, { ...request, ...stated(asking) }, printed<Acted>);
};

export const tryReplying = (
  service: Service,
  match: MatchId,
  max: number,
  asking: Asking = {},
): Answered => {
  const request = { match, max, requestHash: requestHash("reply", String(max)) };
  return reply(service, { ...request, ...stated(asking) }, printed<Acted>);
};

export const tryClaiming = (
  service: Service,
  match: MatchId,
  asking: Asking & { readonly name?: string } = {},
): Answered => {
  const { name, ...rest } = asking;
  const request = { match, requestHash: requestHash("claim", name ?? "") };
  const named = name === undefined ? request : { ...request, name };
  return claimSeat(service, { ...named, ...stated(rest) }, printed<Opened>);
};

const stated = ({ token, key, expected }: Asking) => ({
  ...(token === undefined ? {} : { token }),
  ...(key === undefined ? {} : { key }),
  ...(expected === undefined ? {} : { expected }),
});

const printed = <Outcome>(outcome: Outcome): string => JSON.stringify(outcome);

/** The answer of a request that must succeed. */
export const answered = async (asked: Answered): Promise<Answer> => {
  const given = await asked;
  assert(given.ok, `the request is answered, not ${given.ok ? "" : given.error.code}`);
  return given.value;
};

/** The failure of a request that must fail. */
export const failed = async (asked: Answered): Promise<Failure> => {
  const given = await asked;
  assert(!given.ok, "the request fails");
  return given.error;
};

/** A match that was opened, with what the opener got for each seat. */
export interface Sat {
  readonly id: MatchId;
  readonly view: JsonObject;
  /** Tokens and invites by seat. */
  readonly grants: readonly (string | undefined)[];
}

export const sat = async (
  service: Service,
  seats: readonly SeatWish[],
  given: Opening = {},
): Promise<Sat> => {
  const { body, match } = await answered(tryOpening(service, seats, given));
  const opened = JSON.parse(body) as Opened;
  const grants = seats.map((_, seat) => {
    const grant = opened.seats.find((one) => one.seat === seat);
    if (grant === undefined) return undefined;
    return "token" in grant ? grant.token : grant.invite;
  });
  return { id: match, view: opened.match as unknown as JsonObject, grants };
};

export const actedOf = ({ body }: Answer): Acted => JSON.parse(body) as Acted;

/** The seat on turn, and a command that it may send. */
export const nextCommand = async (service: Service, id: MatchId) => {
  const record = present(await service.matches.load(id), "the match exists");
  const table = await tableOf(service, record);
  const turn = table.game.turn(table.state);
  assert(turn.kind === "seats", "the match waits for a seat");
  const seat = present(turn.seats[0], "somebody is on turn");
  const legal = table.game.legal(table.state, seat);
  assert(legal.kind === "listed", "backgammon lists its commands");
  const command = present(legal.commands[0], "a seat on turn may act");
  return { seat, command: table.game.printCommand(command) };
};

/** The first legal command of whoever is on turn, so many times. */
export const playOn = async (
  service: Service,
  { id, grants }: Sat,
  times: number,
): Promise<void> => {
  for (let time = 0; time < times; time++) {
    const { seat, command } = await nextCommand(service, id);
    await answered(trySending(service, id, command, { token: grants[seat] }));
  }
};

export const linesOf = (stores: Stores, id: MatchId): Promise<readonly string[]> =>
  stores.matches.lines(id, -1, 1_000);

export const bodiesOf = async (stores: Stores, id: MatchId): Promise<readonly JsonObject[]> =>
  (await linesOf(stores, id)).map((line) => JSON.parse(line) as JsonObject);

/** What the independent checker says of a stored match. */
export const audited = async (stores: Stores, id: MatchId): Promise<string> => {
  const decks = await stores.decks.list(0, 100);
  return audit({
    lines: await linesOf(stores, id),
    decks: decks.map(({ deck, size, length, root }) => ({ deck, size, length, root })),
  });
};

export const NO_MATCH = matchId("00000000-0000-4000-8000-000000000000");
/** Long enough for an anonymous caller. */
export const LONG_KEY = "a-key-of-more-than-22-characters";
