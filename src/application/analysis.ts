import type { AnalysisTask } from "../engines/level.ts";
import type { AdviceLevel } from "../games/backgammon/advice.ts";
import { present } from "../kernel/assert.ts";
import type { Json, JsonObject } from "../kernel/json.ts";
import type { Result } from "../kernel/result.ts";
import { ok, reject } from "../kernel/result.ts";
import type { Failure } from "./failure.ts";
import { historyOf } from "./history.ts";
import type { MatchRecord } from "./match.ts";
import type { Reading, Tagged } from "./read.ts";
import { seen } from "./read.ts";
import type { Service } from "./service.ts";

/** Whose match is to be analysed, and how deeply. */
export interface AnalysisRequest extends Reading {
  readonly level: AdviceLevel;
  readonly signal?: AbortSignal;
}

/** An analysis that is there, or can be had. */
export interface Analysable {
  analysis(): Promise<Result<Json, Failure>>;
}

/**
 * The analysis of a match that is over. It never changes, but with the engine: the tag names the version, the level and
 * the engine's build, so a caller that has it need not have it made.
 */
export const analysisOf = async (
  service: Service,
  request: AnalysisRequest,
): Promise<Result<Tagged<Analysable>, Failure>> => {
  const found = await seen(service, request);
  if (!found.ok) return found;
  const { record } = found.value;
  if (record.status === "open") return reject("match-not-begun");
  const adviser = service.engines.games.get(record.game)?.adviser;
  if (adviser === undefined) return reject("game-has-no-adviser");
  if (record.status === "playing") return reject("match-not-over");
  const { level, signal } = request;
  const key = `${record.id} ${level}`;
  const analysis = () =>
    service.analyses.shared(key, (wanted) => made(service, record, level, wanted), signal);
  const build = adviser.build.replaceAll(NOT_IN_A_TAG, "_");
  return ok({ value: { analysis }, tag: `${record.version}-${level}-${build}` });
};

/** A space or a quotation mark ends an entity tag (RFC 9110, section 8.8.3), a comma tells two apart. */
const NOT_IN_A_TAG = /[^\w./:+-]+/g;

const made = async (
  service: Service,
  record: MatchRecord,
  level: AdviceLevel,
  signal: AbortSignal,
): Promise<Result<Json, Failure>> => {
  const game = present(service.games.get(record.game), "a stored match is of a known game");
  const gather = async (): Promise<AnalysisTask> => {
    const { options, events } = await historyOf(service, game, record);
    return {
      options: options as unknown as JsonObject,
      events: events.map(({ seq, event }) => ({ seq, event: event as unknown as JsonObject })),
    };
  };
  return service.thinker.analyse({ game: record.game, level }, gather, signal);
};

/** Analyses that were made, and those that are being made. */
export interface AnalysisCache {
  /**
   * The analysis of this key: as it was made before, or is being made for somebody else, or made now.
   *
   * @param make - gets a signal that is aborted once nobody waits any more
   */
  shared(
    key: string,
    make: (signal: AbortSignal) => Promise<Result<Json, Failure>>,
    signal?: AbortSignal,
  ): Promise<Result<Json, Failure>>;
}

/** One that is made or being made, and who waits for it. */
interface Entry {
  readonly made: Promise<Result<Json, Failure>>;
  readonly nobodyWaits: AbortController;
  waiting: number;
}

/** A cache of at most `max` analyses; the one that was asked for first goes first. What failed is not kept. */
export const analysisCache = (max: number): AnalysisCache => {
  const entries = new Map<string, Entry>();

  const forget = (key: string, entry: Entry): void => {
    if (entries.get(key) === entry) entries.delete(key);
  };

  const begin = (key: string, make: (signal: AbortSignal) => Entry["made"]): Entry => {
    const nobodyWaits = new AbortController();
    const entry: Entry = { made: make(nobodyWaits.signal), nobodyWaits, waiting: 0 };
    entry.made.then(
      (result) => {
        if (!result.ok) forget(key, entry);
      },
      () => forget(key, entry),
    );
    entries.set(key, entry);
    if (entries.size > max) entries.delete(present(entries.keys().next().value, "not empty"));
    return entry;
  };

  return {
    shared: async (key, make, signal) => {
      const entry = entries.get(key) ?? begin(key, make);
      const leave = (): void => {
        entry.waiting -= 1;
        if (entry.waiting > 0) return;
        forget(key, entry);
        entry.nobodyWaits.abort();
      };
      entry.waiting += 1;
      if (signal?.aborted) leave();
      else signal?.addEventListener("abort", leave, { once: true });
      try {
        return await entry.made;
      } finally {
        signal?.removeEventListener("abort", leave);
      }
    },
  };
};
