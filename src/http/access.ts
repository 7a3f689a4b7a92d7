import type { Action } from "../application/policy.ts";
import { BEARER } from "./schemas.ts";

/**
 * What each operation is in the words of the policy; `public` ones look at no token. An operation that is not
 * named here fails a test, and so does one that answers anybody otherwise than the policy says.
 */
export const POLICY = {
  analysis: "see",
  bestPlays: "public",
  claimSeat: "claim",
  command: "act",
  convertPosition: "public",
  cubeAction: "public",
  decks: "public",
  evaluatePosition: "public",
  events: "see",
  exportMatch: "see",
  hint: "hint",
  importMatch: "open",
  legalCommands: "legal",
  legalPlays: "public",
  listGames: "public",
  listMatches: "list",
  listProblems: "public",
  live: "public",
  log: "see",
  openMatch: "open",
  playerStatistics: "read-statistics",
  readContract: "public",
  readDocs: "public",
  readGame: "public",
  readMatch: "see",
  readMeta: "public",
  readProblem: "public",
  ready: "public",
  replies: "reply",
  rotateSeat: "rotate",
} as const satisfies Record<string, Action | "public">;

type Operation = keyof typeof POLICY;

/** What anybody may do without a token, at a public match where it is about one. */
const OPEN_TO_ALL: readonly string[] = ["see", "reply", "open", "list"] satisfies Action[];

/** An operation's name, and what the document says of its token. */
export const guarded = <Name extends Operation>(operationId: Name) => {
  const bearer: Record<string, string[]> = { [BEARER]: [] };
  return {
    operationId,
    security: OPEN_TO_ALL.includes(POLICY[operationId]) ? [bearer, {}] : [bearer],
  };
};
