import { randomUUID } from "node:crypto";
import type { Acted } from "../application/act.ts";
import type { Opened } from "../application/open-match.ts";
import type { MatchView } from "../application/view.ts";
import type { Json, JsonObject } from "../kernel/json.ts";

/** A request that makes sense now. */
interface Next {
  readonly title: string;
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Json;
}

/** A view with what only HTTP knows: paths, and the requests that come next. */
export const matchBody = (match: MatchView) => ({
  ...match,
  next: nextOf(match),
  links: linksOf(match),
});

/** The body of an answer to a command. */
export const actedBody = ({ match, events, receipt }: Acted): string =>
  JSON.stringify({ match: matchBody(match), events, receipt });

/** The body of an answer that hands out seats. */
export const openedBody = ({ match, seats }: Opened): string =>
  JSON.stringify({ match: matchBody(match), seats });

const linksOf = ({ id }: MatchView): Readonly<Record<string, string>> => ({
  self: `/v1/matches/${id}`,
  legalCommands: `/v1/matches/${id}/legal-commands`,
  commands: `/v1/matches/${id}/commands`,
  events: `/v1/matches/${id}/events`,
  log: `/v1/matches/${id}/log`,
  export: `/v1/matches/${id}/export?format=mat`,
  hint: `/v1/matches/${id}/hint`,
  analysis: `/v1/matches/${id}/analysis`,
  decks: "/v1/audit/decks",
});

/** Stands in `next` where the client puts its token. */
const OWN_TOKEN = { Authorization: "Bearer <your seat's token>" };

const nextOf = (match: MatchView): readonly Next[] => {
  const links = linksOf(match);
  const path = (name: string): string => links[name] ?? "";
  const asSeen = match.visibility === "private" ? { headers: OWN_TOKEN } : {};
  if (match.status === "open") {
    return match.seats
      .filter(({ kind }) => kind === "open")
      .map(({ seat }) => ({
        title: `Claim seat ${seat} with its invite`,
        method: "POST",
        path: `${path("self")}/seats`,
        headers: { Authorization: "Bearer <invite>", "Idempotency-Key": randomUUID() },
        body: {},
      }));
  }
  if (match.status === "over") {
    return [
      { title: "Fetch the log, to check every roll", method: "GET", path: path("log"), ...asSeen },
      {
        title: "Fetch the committed decks, to check it against",
        method: "GET",
        path: path("decks"),
      },
    ];
  }
  if (match.replyOwed) {
    return [
      {
        title: "Let the engine move",
        method: "POST",
        path: `${path("self")}/replies`,
        headers: { ...asSeen.headers, "Idempotency-Key": randomUUID() },
        body: { max: 100 },
      },
    ];
  }
  if (match.legal === undefined) {
    const onTurn = match.turn.kind === "seats" ? match.turn.seats : [];
    const who = onTurn.length === 1 ? `Seat ${onTurn[0]} is` : `Seats ${onTurn.join(" and ")} are`;
    return [
      {
        title: `${who} to act: read the match with the seat's own token, or ask again every few seconds with If-None-Match (304: nothing yet)`,
        method: "GET",
        path: path("self"),
        headers: OWN_TOKEN,
      },
      ...(mayNudge(match) ? [commandOf(match, { type: "nudge" })] : []),
    ];
  }
  return commandExamples(match.legal).map((body) => commandOf(match, body));
};

type BegunView = Exclude<MatchView, { readonly status: "open" }>;

const commandOf = (match: BegunView, body: JsonObject): Next => ({
  title: titleOf(String(body["type"])),
  method: "POST",
  path: `/v1/matches/${match.id}/commands`,
  headers: {
    ...OWN_TOKEN,
    "If-Match": `"${match.version}"`,
    "Idempotency-Key": randomUUID(),
  },
  body,
});

/** Whether the caller's seat waits for one that may be nudged now. Times of one form sort as texts. */
const mayNudge = ({ you, turn, nudge, serverTime }: BegunView): boolean =>
  you !== undefined &&
  turn.kind === "seats" &&
  !turn.seats.includes(you) &&
  nudge !== undefined &&
  "possibleAt" in nudge &&
  nudge.possibleAt <= serverTime;

/** One command of each type that is open. */
const commandExamples = (legal: JsonObject): readonly JsonObject[] => {
  const commands = Array.isArray(legal["commands"]) ? legal["commands"] : [];
  const byType = new Map<string, JsonObject>();
  for (const command of commands as JsonObject[]) {
    const type = String(command["type"]);
    if (!byType.has(type)) byType.set(type, command);
  }
  return [...byType.values()];
};

const TITLES: Readonly<Record<string, string>> = {
  roll: "Roll the dice",
  play: "Play; this is one of the legal plays",
  double: "Double, before the roll",
  take: "Take the double",
  pass: "Pass, and lose the game",
  beaver: "Double back, and keep the cube",
  raccoon: "Double once more",
  "offer-resignation": "Offer to lose the game",
  "accept-resignation": "Accept the resignation",
  "refuse-resignation": "Refuse it, and play on",
  "resign-match": "Give up the match; in a money session lose this game and end the session",
  "next-game": "Begin the next game",
  nudge: "Nudge the seat that does not act",
};

const titleOf = (type: string): string => TITLES[type] ?? type;
