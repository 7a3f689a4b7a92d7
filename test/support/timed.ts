import { tableOf } from "../../src/application/load.ts";
import type { MatchId } from "../../src/application/match.ts";
import { readMatch } from "../../src/application/read.ts";
import { sweep } from "../../src/application/sweep.ts";
import { foldLines, readSnapshot } from "../../src/application/table.ts";
import type { MatchView } from "../../src/application/view.ts";
import { assert, present } from "../../src/kernel/assert.ts";
import type { Stores } from "../../src/persistence/stores.ts";
import { bodiesOf, linesOf, movedClock, quickService } from "./table-talk.ts";

export const SECOND = 1_000;

/** A minute, and 5 seconds a turn. */
export const FISCHER = { clock: { kind: "fischer", initialSeconds: 60, incrementSeconds: 5 } };
/** A minute in the bank, and 12 seconds a turn before it is touched. */
export const DELAY = { clock: { kind: "delay", bankSeconds: 60, delaySeconds: 12 } };
export const NUDGE = { nudgeAfterSeconds: 60 };

type Begun = Exclude<MatchView, { readonly status: "open" }>;

/** A service at a time that a test moves, and what the test asks of it. */
export const timedService = async (chainLength = 64) => {
  const { time, clock } = movedClock();
  const { service, stores } = await quickService({ clock, chainLength });
  const view = async (match: MatchId, token?: string): Promise<Begun> => {
    const read = await readMatch(service, token === undefined ? { match } : { match, token });
    assert(read.ok && read.value.value.status !== "open", "the match can be read");
    return read.value.value;
  };
  return {
    time,
    service,
    stores,
    view,
    swept: () => sweep(service, stores.leases, "one"),
    /** The last moment in time of the seat that is on turn. */
    fallsAt: async (match: MatchId) => Date.parse((await view(match)).clock?.fallsAt ?? ""),
    /** Seconds that the seats have left. */
    left: async (match: MatchId) => (await view(match)).clock?.remainingMs.map((ms) => ms / SECOND),
  };
};

/** The last lines of a match, without their chain. */
export const lastLines = async (stores: Stores, id: MatchId, count: number) =>
  (await bodiesOf(stores, id)).slice(-count);

/** How often an event stands in a match's log. */
export const countOf = async (stores: Stores, id: MatchId, wanted: string): Promise<number> =>
  (await bodiesOf(stores, id)).filter(({ type }) => type === wanted).length;

/** The timing of a match as the service has it, as its row keeps it, and as its log is folded. */
export const timings = async (
  { service, stores }: Pick<Awaited<ReturnType<typeof timedService>>, "service" | "stores">,
  id: MatchId,
) => {
  const record = present(await stores.matches.load(id), "the match exists");
  const { game, timing } = await tableOf(service, record);
  return {
    live: timing,
    kept: readSnapshot(game, JSON.parse(JSON.stringify(record.snapshot)))?.timing,
    folded: foldLines(game, await linesOf(stores, id)).timing,
  };
};
