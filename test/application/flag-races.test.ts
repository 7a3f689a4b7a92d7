import { expect } from "vitest";
import type { Failure } from "../../src/application/failure.ts";
import { readMatch } from "../../src/application/read.ts";
import { sweep } from "../../src/application/sweep.ts";
import type { Result } from "../../src/kernel/result.ts";
import type { Track } from "../support/race-suite.ts";
import { atOnce, raceSuite } from "../support/race-suite.ts";
import { random, report, seedOf } from "../support/seeded.ts";
import {
  actedOf,
  audited,
  bodiesOf,
  HUMAN,
  nextCommand,
  quickService,
  sat,
  trySending,
} from "../support/table-talk.ts";
import { SECOND } from "../support/timed.ts";

const RACES = 200;
const SEED = seedOf("flag races");
/** Half a minute: no later than the sweeper's minute, so all meet in the same instant. */
const options = { clock: { kind: "fischer", initialSeconds: 30, incrementSeconds: 0 } };

/**
 * Two processes over one store. The first stands at the flag's last millisecond, where the last command is in
 * time; by the second the sweeper's moment has come. They all begin at once, in a random order.
 */
const races = async ({ stores, time, name }: Track): Promise<void> => {
  const choices = random(SEED);
  const late = { byMs: 0 };
  const { service: early } = await quickService({ stores, clock: () => time.at });
  const { service: lateOne } = await quickService({ stores, clock: () => time.at + late.byMs });
  const winners = { command: 0, flag: 0 };
  for (let race = 0; race < RACES; race++) {
    late.byMs = 0;
    const { id, grants } = await sat(early, [HUMAN, HUMAN], { options });
    const { seat, command } = await nextCommand(early, id);
    time.at += 30 * SECOND;
    const dueAt = (await stores.matches.load(id))?.dueAt ?? 0;
    late.byMs = Math.max(1, dueAt - time.at);

    const met: { last?: Result<unknown, Failure>; other?: Result<unknown, Failure> } = {};
    const versioned = choices.isHit(50) ? { expected: 2 } : {};
    const rivals = [
      async () => {
        const asking = { token: grants[seat], key: "last", ...versioned };
        const sent = await trySending(early, id, command, asking);
        met.last = sent;
        if (sent.ok) expect(actedOf(sent.value).match).toMatchObject({ status: "playing" });
      },
      async () => {
        const read = await readMatch(lateOne, { match: id });
        expect(read.ok).toBe(true);
      },
      () => sweep(lateOne, stores.leases, name),
      async () => {
        const token = grants[1 - seat];
        met.other = await trySending(lateOne, id, { type: "roll" }, { token });
      },
    ];
    await atOnce(choices, rivals, 6);

    const isInTime = met.last?.ok === true;
    winners[isInTime ? "command" : "flag"] += 1;
    if (met.last?.ok === false) expect(met.last.error.code).toMatch(/^(match-over|stale-version)$/);
    if (met.other?.ok === false)
      expect(met.other.error.code).toMatch(/^(match-over|not-your-turn)$/);
    // Whoever was faster: one forfeits at most, once; time ends the match of the other sooner or later.
    time.at += late.byMs + 60 * SECOND;
    const read = await readMatch(early, { match: id });
    const bodies = await bodiesOf(stores, id);
    const of = (wanted: string) => bodies.filter(({ type }) => type === wanted);
    expect([of("seat-forfeited"), of("game-won"), of("close")].map(({ length }) => length)).toEqual(
      [...[1, 1, 1]],
    );
    expect(of("played")).toHaveLength(isInTime ? 1 : 0);
    const winner = isInTime ? seat : 1 - seat;
    expect(of("game-won")).toMatchObject([{ winner, reason: "flag-fall" }]);
    expect(read.ok && read.value.value).toMatchObject({ status: "over", result: { winner } });
    if (race % 20 === 0) expect(await audited(stores, id)).toMatch(/closed$/);
  }
  report(`flag races, ${name}`, JSON.stringify(winners));
  expect(winners.command).toBeGreaterThan(0);
  expect(winners.flag).toBeGreaterThan(0);
};

raceSuite(
  {
    suite: "the last command, a read, the sweeper and the other seat in one instant",
    test: `gives exactly one result, ${RACES} times (SEED=${SEED})`,
  },
  races,
);
