import type { MatchId } from "../application/match.ts";
import { parseMatchId } from "../application/match.ts";

/** A place in the list of matches. */
interface Cursor {
  readonly createdAt: number;
  readonly id: MatchId;
}

/** A cursor as clients carry it: opaque to them. */
export const printCursor = ({ createdAt, id }: Cursor): string =>
  Buffer.from(`${createdAt} ${id}`).toString("base64url");

/** The place that a cursor names; undefined where it is none of ours. */
export const parseCursor = (text: string): Cursor | undefined => {
  const match = /^(\d{1,15}) (\S+)$/.exec(Buffer.from(text, "base64url").toString());
  const id = parseMatchId(match?.[2] ?? "");
  return id === undefined ? undefined : { createdAt: Number(match?.[1]), id };
};
