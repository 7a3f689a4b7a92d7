import { expect } from "vitest";
import type { ActedJson, Answered, Client, MatchJson, NextJson, OpenedJson } from "./client.ts";

/** More requests than any game of these tests takes. */
const REQUESTS_MAX = 2_000;

/**
 * Plays a match to its end as the simplest client there is: it sends the first request of `next`, puts
 * its token where that says so, and knows nothing of the game.
 *
 * @param tokenOf - the token of a seat on turn
 * @returns the match as it was last seen, and how many requests it took
 */
export const followNext = async (
  api: Client,
  opened: OpenedJson,
  tokenOf: (seat: number) => string = (seat) => tokenOfSeat(opened, seat),
): Promise<{ readonly match: MatchJson; readonly requests: number }> => {
  let { match } = opened;
  for (let requests = 0; requests < REQUESTS_MAX; requests++) {
    if (match.status === "over") return { match, requests };
    const [next] = match.next;
    expect(next, "a match that is not over says what is next").toBeDefined();
    const [seat] = match.turn.seats;
    if (next !== undefined) match = matchIn(await follow(api, next, tokenOf(seat ?? 0)));
  }
  throw new RangeError(`the match was not over after ${REQUESTS_MAX} requests`);
};

/** Sends a request of `next`, with the token where it belongs. */
export const follow = async (
  api: Client,
  { method, path, headers = {}, body }: NextJson,
  token: string,
): Promise<Answered<MatchJson | ActedJson>> => {
  const filled = Object.entries(headers).map(([name, value]) => [
    name,
    value.replace(/<[^>]+>/, token),
  ]);
  const answered = await api.request<MatchJson | ActedJson>(method, path, {
    headers: Object.fromEntries(filled) as Record<string, string>,
    ...(body === undefined ? {} : { body }),
  });
  expect(answered.status, answered.text).toBeLessThan(300);
  return answered;
};

const matchIn = ({ body }: Answered<MatchJson | ActedJson>): MatchJson =>
  "match" in body ? body.match : body;

/** The token that the opener got for a seat. */
export const tokenOfSeat = ({ seats }: OpenedJson, seat: number): string =>
  seats.find((grant) => grant.seat === seat)?.token ?? "";

/** Does a command as a seat. */
export const command = <Body = ActedJson>(
  api: Client,
  id: string,
  token: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answered<Body>> =>
  api.post<Body>(`/v1/matches/${id}/commands`, body, { token, headers });

/** Plays on, as the human in seat 0, until `until` holds of the match. */
export const playUntil = async (
  api: Client,
  opened: OpenedJson,
  until: (match: MatchJson) => boolean,
): Promise<MatchJson> => {
  let { match } = opened;
  for (let commands = 0; commands < REQUESTS_MAX; commands++) {
    if (until(match)) return match;
    const [seat] = match.turn.seats;
    const token = tokenOfSeat(opened, seat ?? 0);
    const legal =
      match.legal ?? (await api.get<MatchJson>(match.links["self"] ?? "", { token })).body.legal;
    const acted = await command(api, match.id, token, legal?.commands[0]);
    expect(acted.status, acted.text).toBe(200);
    match = acted.body.match;
  }
  throw new RangeError("the match never came there");
};
