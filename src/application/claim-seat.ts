import { assert, present as there } from "../kernel/assert.ts";
import type { Result } from "../kernel/result.ts";
import { ok, reject } from "../kernel/result.ts";
import type { Seat } from "../kernel/seat.ts";
import type { Present } from "./act.ts";
import { look } from "./act.ts";
import type { Answer, MatchRequest } from "./answer.ts";
import { replay, tagOf, tokenPlaceholder, toStore, withTokens } from "./answer.ts";
import { commit } from "./commit.ts";
import type { Failure } from "./failure.ts";
import type { MatchRecord, SeatRecord } from "./match.ts";
import type { Opened } from "./open-match.ts";
import { begun } from "./open-match.ts";
import { admit, answerPrincipal, identify } from "./policy.ts";
import type { Service } from "./service.ts";
import { OPEN_MS_MAX } from "./service.ts";
import { freshSecret, tokenHash, tokenSource } from "./tokens.ts";
import { openView, tableView } from "./view.ts";

const RACES_MAX = 3;

/** Takes a seat with its invite; the last seat to be taken begins the match. */
export const claimSeat = async (
  service: Service,
  request: MatchRequest & { readonly name?: string },
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
    const admitted = admit(found?.record, caller, "claim");
    if (!admitted.ok) return admitted;
    if (found?.answer !== undefined) {
      const again = replay(request.match, found.answer, request.requestHash);
      return again.ok ? ok(withTokens(again.value, source)) : again;
    }
    if (race > RACES_MAX) return reject("version-conflict");
    const { record: before, principal: bearer } = admitted.value;
    assert(bearer.kind === "invite", "only an invite is admitted to claim");
    if (before.seats[bearer.seat]?.kind !== "open") return reject("seat-taken");
    const claimed = withSeat(service, before, bearer.seat, {
      kind: "human",
      tokenHash: tokenHash(source.token("seat", bearer.seat)),
      ...(request.token === undefined ? {} : { inviteHash: tokenHash(request.token) }),
      ...(request.name === undefined ? {} : { name: request.name }),
    });
    const step = { before, claimed, seat: bearer.seat, principal };
    const answer = await taken(service, request, step, present);
    if (answer !== undefined) return ok(withTokens(answer, source));
  }
};

const withSeat = (
  { clock }: Service,
  record: MatchRecord,
  seat: Seat,
  filled: SeatRecord,
): MatchRecord => {
  const at = Math.max(clock(), record.at);
  return {
    ...record,
    seats: record.seats.map((held, place) => (place === seat ? filled : held)),
    claims: record.claims + 1,
    at,
    dueAt: at + OPEN_MS_MAX,
  };
};

/** Records the claim; undefined where somebody was faster. */
const taken = async (
  service: Service,
  request: MatchRequest,
  step: {
    readonly before: MatchRecord;
    readonly claimed: MatchRecord;
    readonly seat: Seat;
    readonly principal: string;
  },
  present: Present<Opened>,
): Promise<Answer | undefined> => {
  const { before, claimed, seat, principal } = step;
  const game = there(service.games.get(before.game), "a stored match is of a known game");
  const draft = await begun(service, claimed, { game });
  const now = service.clock();
  const match =
    draft === undefined
      ? openView(claimed, { kind: "seat", seat }, now)
      : tableView(draft.table, { kind: "seat", seat }, now);
  const answer: Answer = {
    match: request.match,
    body: present({ match, seats: [{ seat, token: tokenPlaceholder("seat", seat) }] }),
    tag: tagOf(draft?.table.record ?? claimed),
    replayed: false,
  };
  const stores = toStore(service.serviceKey, principal, request, answer);
  const changed =
    draft === undefined
      ? await service.matches.change(before, { next: claimed, lines: [], ...stores })
      : await commit(service, before, draft, stores);
  return changed === "done" ? answer : undefined;
};
