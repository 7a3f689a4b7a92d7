import type { Result } from "../kernel/result.ts";
import { ok, reject } from "../kernel/result.ts";
import type { Seat } from "../kernel/seat.ts";
import { seat as seatOf } from "../kernel/seat.ts";
import type { Present } from "./act.ts";
import { look } from "./act.ts";
import type { Answer, MatchRequest } from "./answer.ts";
import { replay, tagOf, tokenPlaceholder, toStore, weakKey, withTokens } from "./answer.ts";
import type { Failure } from "./failure.ts";
import { upToDate } from "./forfeit.ts";
import type { MatchRecord } from "./match.ts";
import type { Opened } from "./open-match.ts";
import type { Principal } from "./policy.ts";
import { admit, answerPrincipal, identify } from "./policy.ts";
import type { StoredAnswer } from "./ports.ts";
import { viewOf } from "./read.ts";
import type { Service } from "./service.ts";
import type { TokenSource } from "./tokens.ts";
import { freshSecret, tokenHash, tokenSource } from "./tokens.ts";

/** Who is faster only delays the end of a token: whoever stole one must not hold this up by playing. */
const RACES_MAX = 20;

/**
 * Gives a seat a new token; the old one is dead from then on, in every process: `claims` moves, and so the
 * append of whoever acts by an older row fails.
 *
 * A retry by the seat comes with the dead token: its key, a secret, is then all that is asked for.
 */
export const rotateSeat = async (
  service: Service,
  request: MatchRequest & { readonly seat?: number },
  present: Present<Opened>,
): Promise<Result<Answer, Failure>> => {
  const caller = await identify(service, request.token);
  const principal = answerPrincipal(caller);
  const source = tokenSource(service.serviceKey, {
    principal,
    secret: request.key ?? freshSecret(),
    match: request.match,
  });
  for (let race = 0; ; race++) {
    const found = await look(service, principal, request);
    if (caller.kind === "holder" && found?.answer?.requestHash === request.requestHash) {
      return again(request, found.answer, source);
    }
    const admitted = admit(found?.record, caller, "rotate");
    if (!admitted.ok) return admitted;
    const weak = caller.kind === "holder" ? weakKey(request.key) : undefined;
    if (weak !== undefined) return weak;
    if (found?.answer !== undefined) return again(request, found.answer, source);
    if (race > RACES_MAX) return reject("version-conflict");
    const { record, principal: bearer } = admitted.value;
    // Where time has ended the match, it is looked at again, and so is whose token this is.
    if ((await upToDate(service, record)) !== record) continue;
    const place = seatMeant(record, bearer, request.seat);
    if (!place.ok) return place;
    const seat = place.value;
    const next = withToken(record, seat, tokenHash(source.token("seat", seat)));
    const answer: Answer = {
      match: request.match,
      body: present({
        match: await viewOf(service, record, bearer),
        seats: [{ seat, token: tokenPlaceholder("seat", seat) }],
      }),
      tag: tagOf(next),
      replayed: false,
    };
    const stores = toStore(service.serviceKey, principal, request, answer);
    const changed = await service.matches.change(record, { next, lines: [], ...stores });
    if (changed === "done") return ok(withTokens(answer, source));
  }
};

const again = (
  { match, requestHash }: MatchRequest,
  stored: StoredAnswer,
  source: TokenSource,
): Result<Answer, Failure> => {
  const replayed = replay(match, stored, requestHash);
  return replayed.ok ? ok(withTokens(replayed.value, source)) : replayed;
};

/** The seat whose token is to go: the bearer's own, or the one that an app names. */
const seatMeant = (
  { seats }: MatchRecord,
  bearer: Principal,
  named: number | undefined,
): Result<Seat, Failure> => {
  if (bearer.kind === "seat") {
    return named === undefined || named === bearer.seat ? ok(bearer.seat) : reject("not-allowed");
  }
  const held = seats.flatMap(({ kind }, place) => (kind === "human" ? [place] : []));
  return named !== undefined && held.includes(named)
    ? ok(seatOf(named))
    : reject("seat-has-no-token", { seats: held.map(String) });
};

const withToken = (record: MatchRecord, seat: Seat, hash: string): MatchRecord => ({
  ...record,
  seats: record.seats.map((held, place) =>
    place === seat && held.kind === "human" ? { ...held, tokenHash: hash } : held,
  ),
  claims: record.claims + 1,
});
