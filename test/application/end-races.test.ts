import { expect } from "vitest";
import { readMatch } from "../../src/application/read.ts";
import type { Json } from "../../src/kernel/json.ts";
import type { Track } from "../support/race-suite.ts";
import { atOnce, raceSuite } from "../support/race-suite.ts";
import { random, report, seedOf } from "../support/seeded.ts";
import {
  answered,
  audited,
  bodiesOf,
  HUMAN,
  quickService,
  sat,
  trySending,
} from "../support/table-talk.ts";
import { SECOND } from "../support/timed.ts";

const RACES = 200;
const SEED = seedOf("end races");

/** White has one checker left on its ace point and is on roll; black has two far away. */
const options = {
  start: { board: { onRoll: { points: { 1: 1 } }, opponent: { points: { 20: 1, 19: 1 } } } },
  clock: { kind: "fischer", initialSeconds: 30, incrementSeconds: 0 },
};

/**
 * The last play, a resignation and its acceptance, both seats giving up the match, and a read after the flag,
 * all at one instant: white's last millisecond for one process, one later for the other.
 */
const races = async ({ stores, time, name }: Track): Promise<void> => {
  const choices = random(SEED);
  const late = { byMs: 0 };
  const { service: early } = await quickService({ stores, clock: () => time.at });
  const { service: lateOne } = await quickService({ stores, clock: () => time.at + late.byMs });
  const reasons = new Map<string, number>();
  for (let race = 0; race < RACES; race++) {
    late.byMs = 0;
    const { id, grants } = await sat(early, [HUMAN, HUMAN], { options });
    const [white, black] = grants;
    await answered(trySending(early, id, { type: "roll" }, { token: white }));
    const isOffered = choices.isHit(50);
    const offer = { type: "offer-resignation", value: "single" };
    if (isOffered) await answered(trySending(early, id, offer, { token: white }));
    time.at += 30 * SECOND;
    late.byMs = 1;
    const send = (command: Json, token: string | undefined) => () =>
      trySending(early, id, command, {
        token,
        key: `${JSON.stringify(command)} of a race`.slice(0, 60),
      });
    const rivals = [
      send({ type: "play", play: "1/off" }, white),
      send({ type: "resign-match" }, white),
      send({ type: "resign-match" }, black),
      send({ type: "accept-resignation" }, black),
      send({ type: "refuse-resignation" }, black),
      () => readMatch(lateOne, { match: id }),
    ];
    await atOnce(choices, rivals, 40);

    const bodies = await bodiesOf(stores, id);
    const of = (wanted: string) => bodies.filter(({ type }) => type === wanted);
    expect([of("game-won").length, of("close").length], JSON.stringify(bodies)).toEqual([1, 1]);
    const [won] = of("game-won");
    const reason = String(won?.["reason"]);
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    const ways = ["match-resigned", "seat-forfeited", "resignation-accepted"];
    expect(ways.reduce((sum, way) => sum + of(way).length, 0)).toBe(reason === "borne-off" ? 0 : 1);
    const read = await readMatch(early, { match: id });
    expect(read.ok && read.value.value).toMatchObject({
      status: "over",
      result: { winner: won?.["winner"], games: [{ reason }] },
    });
    if (race % 20 === 0) expect(await audited(stores, id)).toMatch(/closed$/);
  }
  report(`end races, ${name}`, JSON.stringify(Object.fromEntries(reasons)));
  expect([...reasons.keys()].length).toBeGreaterThan(2);
};

raceSuite(
  {
    suite: "a match that ends in every way at one instant",
    test: `has exactly one result, ${RACES} times (SEED=${SEED})`,
  },
  races,
);
