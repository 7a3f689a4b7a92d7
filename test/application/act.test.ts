import { describe, expect, it } from "vitest";
import type { MatchStore } from "../../src/application/ports.ts";
import { readMatch } from "../../src/application/read.ts";
import { REPLIES_ASKED_MAX } from "../../src/application/service.ts";
import { present } from "../../src/kernel/assert.ts";
import { memoryStores } from "../../src/persistence/memory-store.ts";
import {
  actedOf,
  answered,
  audited,
  bodiesOf,
  engine,
  failed,
  HUMAN,
  LONG_KEY,
  linesOf,
  movedClock,
  NO_MATCH,
  nextCommand,
  playOn,
  quickService,
  sat,
  tryReplying,
  trySending,
} from "../support/table-talk.ts";

const ROLL = { type: "roll" };

describe("a command", () => {
  it("is one append with its draw and the engine's reply, and the answer has all of it", async () => {
    const { service, stores } = await quickService();
    const seated = await sat(service, [HUMAN, engine()]);
    const { id, grants } = seated;
    while ((await nextCommand(service, id)).command["type"] === "roll")
      await playOn(service, seated, 1);
    const before = await linesOf(stores, id);
    const { command } = await nextCommand(service, id);
    const answer = await answered(trySending(service, id, command, { token: grants[0] }));
    const { match, events, receipt } = actedOf(answer);
    const lines = await linesOf(stores, id);
    expect(events.map(({ seq }) => seq)).toEqual(
      lines.slice(before.length).map((_, i) => before.length + i),
    );
    expect(events.map(({ type }) => type).slice(0, 5)).toEqual([
      ...["played", "roll-requested", "roll", "dice-rolled"],
      expect.stringMatching(/played|turn-skipped/),
    ]);
    expect(match).toMatchObject({ status: "playing", turn: { kind: "seats", seats: [0] } });
    expect(answer.tag).toBe(String(lines.length - 1));
    expect(receipt).toEqual({ seq: lines.length - 1, hash: (await stores.matches.load(id))?.head });
  });

  it("of humans goes on to the next human, whatever the dice", async () => {
    const { service, stores } = await quickService();
    const seated = await sat(service, [HUMAN, HUMAN]);
    await playOn(service, seated, 30);
    expect(await audited(stores, seated.id)).toMatch(/^OK/);
    const rolls = (await bodiesOf(stores, seated.id)).filter(({ type }) => type === "roll").length;
    const dice = (await bodiesOf(stores, seated.id)).filter(({ type }) =>
      /-rolled$/.test(String(type)),
    );
    expect(dice).toHaveLength(rolls);
  });

  it("is refused to everybody but the seat on turn, and nothing is recorded", async () => {
    const { service, stores } = await quickService();
    const { id, grants } = await sat(service, [HUMAN, HUMAN]);
    const { seat, command } = await nextCommand(service, id);
    const lines = await linesOf(stores, id);
    const codeOf = async (token: string | undefined, sent = command, match = id) =>
      (await failed(trySending(service, match, sent, { token }))).code;
    expect(await codeOf(undefined)).toBe("token-missing");
    expect(await codeOf("qj_seat_x")).toBe("token-unknown");
    expect(await codeOf(grants[1 - seat])).toBe("not-your-turn");
    expect(await codeOf(grants[seat], ROLL)).toBe("wrong-phase");
    expect(await codeOf(grants[seat], { type: "play", play: "24/1" })).toBe("play-not-legal");
    expect(await codeOf(grants[seat], { type: "roll", dice: [6, 6] })).toBe("malformed-command");
    expect(await codeOf(grants[seat], command, NO_MATCH)).toBe("match-not-found");
    expect(await linesOf(stores, id)).toEqual(lines);
  });

  it("of a private match is refused as if there were none", async () => {
    const { service } = await quickService();
    const { id, grants } = await sat(service, [HUMAN, HUMAN], { visibility: "private" });
    const other = await sat(service, [HUMAN, HUMAN]);
    for (const token of [undefined, other.grants[0], "qj_seat_x"]) {
      expect((await failed(trySending(service, id, ROLL, { token }))).code).toBe("match-not-found");
    }
    expect((await readMatch(service, { match: id, token: grants[0] ?? "" })).ok).toBe(true);
  });

  it("on a version that is not the last is stale, and says which is", async () => {
    const { service } = await quickService();
    const { id, grants } = await sat(service, [HUMAN, HUMAN]);
    const { seat, command } = await nextCommand(service, id);
    const asking = { token: grants[seat], expected: 1 };
    expect(await failed(trySending(service, id, command, asking))).toEqual({
      code: "stale-version",
      facts: { version: 2 },
    });
    const done = await answered(trySending(service, id, command, { ...asking, expected: 2 }));
    expect(done.tag).toBe("3");
  });

  it("after the end is refused: match-over", async () => {
    const { service, stores } = await quickService();
    const { id, grants } = await sat(service, [HUMAN, engine()], { variant: "hypergammon" });
    for (;;) {
      const record = present(await stores.matches.load(id), "it exists");
      if (record.status === "over") break;
      const { command } = await nextCommand(service, id);
      await answered(trySending(service, id, command, { token: grants[0] }));
    }
    const lines = await linesOf(stores, id);
    expect((await failed(trySending(service, id, ROLL, { token: grants[0] }))).code).toBe(
      "match-over",
    );
    expect((await failed(tryReplying(service, id, 1))).code).toBe("match-over");
    expect(await linesOf(stores, id)).toEqual(lines);
    expect((await bodiesOf(stores, id)).at(-1)).toMatchObject({
      type: "close",
      reason: "finished",
    });
    expect(await audited(stores, id)).toMatch(/closed$/);
    expect((await stores.matches.load(id))?.dueAt).toBeUndefined();
  });
});

describe("a retry", () => {
  it("with the same key gives the same bytes, and happens once", async () => {
    const { time, clock } = movedClock();
    const { service, stores } = await quickService({ clock });
    const { id, grants } = await sat(service, [HUMAN, engine()]);
    const { command } = await nextCommand(service, id);
    const asking = { token: grants[0], key: "one", expected: 0 };
    asking.expected = (await stores.matches.load(id))?.version ?? 0;
    const first = await answered(trySending(service, id, command, asking));
    const lines = await linesOf(stores, id);
    time.at += 9_000;
    expect(await answered(trySending(service, id, command, asking))).toEqual({
      ...first,
      replayed: true,
    });
    expect(await linesOf(stores, id)).toEqual(lines);
  });

  it("with the same key and another command is refused", async () => {
    const { service } = await quickService();
    const { id, grants } = await sat(service, [HUMAN, engine()]);
    const { command } = await nextCommand(service, id);
    const asking = { token: grants[0], key: "one" };
    await answered(trySending(service, id, command, asking));
    expect((await failed(trySending(service, id, { type: "play", play: "x" }, asking))).code).toBe(
      "idempotency-key-reused",
    );
  });

  it("never returns the answer of another principal's key", async () => {
    const { service } = await quickService();
    const { id, grants } = await sat(service, [HUMAN, HUMAN]);
    const { seat, command } = await nextCommand(service, id);
    await answered(trySending(service, id, command, { token: grants[seat], key: "one" }));
    const other = { token: grants[1 - seat], key: "one" };
    expect(await failed(trySending(service, id, command, other))).toMatchObject({
      code: "wrong-phase",
    });
    const rolled = await answered(trySending(service, id, ROLL, other));
    expect(rolled.replayed).toBe(false);
    expect((await failed(trySending(service, id, command, { key: "one" }))).code).toBe(
      "token-missing",
    );
  });

  it("of a refused command is decided again: a refusal is not stored", async () => {
    const { service } = await quickService();
    const { id, grants } = await sat(service, [HUMAN, HUMAN]);
    const { seat, command } = await nextCommand(service, id);
    const other = { token: grants[1 - seat], key: "early" };
    expect((await failed(trySending(service, id, ROLL, other))).code).toBe("not-your-turn");
    await answered(trySending(service, id, command, { token: grants[seat] }));
    expect((await answered(trySending(service, id, ROLL, other))).replayed).toBe(false);
  });

  it("of replies gives the same bytes too", async () => {
    const { service } = await quickService();
    const { id } = await sat(service, [engine(), engine()]);
    const first = await answered(tryReplying(service, id, 2, { key: LONG_KEY }));
    expect(await answered(tryReplying(service, id, 2, { key: LONG_KEY }))).toEqual({
      ...first,
      replayed: true,
    });
    const other = await failed(tryReplying(service, id, 3, { key: LONG_KEY }));
    expect(other.code).toBe("idempotency-key-reused");
    const weak = await failed(tryReplying(service, id, 2, { key: "one" }));
    expect(weak.code).toBe("idempotency-key-weak");
  });
});

describe("replies", () => {
  it("let engines play so many commands, and the match to its end", async () => {
    const { service, stores } = await quickService();
    const { id } = await sat(service, [engine(), engine("random")]);
    const one = actedOf(await answered(tryReplying(service, id, 1)));
    expect(one.events.map(({ type }) => type)).toEqual(["played"]);
    expect(one.match).toMatchObject({ replyOwed: true });
    for (let asked = 0; (await stores.matches.load(id))?.status === "playing"; asked++) {
      expect(asked).toBeLessThan(100);
      const { events } = actedOf(await answered(tryReplying(service, id, 1_000)));
      const commands = events.filter(({ type }) => /^(played|roll-requested)$/.test(String(type)));
      expect(commands.length).toBeLessThanOrEqual(REPLIES_ASKED_MAX);
    }
    expect(await audited(stores, id)).toMatch(/closed$/);
  });

  it("are refused where no engine is on turn", async () => {
    const { service } = await quickService();
    const { id } = await sat(service, [HUMAN, engine()]);
    expect((await failed(tryReplying(service, id, 1))).code).toBe("no-reply-owed");
  });

  it("may be asked for by anybody who sees the match", async () => {
    const { service } = await quickService();
    const seats = [HUMAN, engine()];
    const { id, grants } = await sat(service, seats, { visibility: "private" });
    expect((await failed(tryReplying(service, id, 1))).code).toBe("match-not-found");
    const seen = await failed(tryReplying(service, id, 1, { token: grants[0] }));
    expect(seen.code).toBe("no-reply-owed");
  });
});

describe("time", () => {
  it("never runs backwards in a match when the clock does", async () => {
    const { time, clock } = movedClock();
    const { service, stores } = await quickService({ clock });
    const seated = await sat(service, [HUMAN, HUMAN]);
    const startedAt = time.at;
    for (const moved of [5_000, -60_000, 0, 2_000, -1]) {
      time.at = startedAt + moved;
      await playOn(service, seated, 2);
    }
    const times = (await bodiesOf(stores, seated.id)).map(({ at }) => String(at));
    expect([...times].sort()).toEqual(times);
    expect(new Set(times).size).toBe(2);
    const record = present(await stores.matches.load(seated.id), "it exists");
    expect(record.at).toBe(startedAt + 5_000);
    expect(record.dueAt).toBeGreaterThan(record.at);
  });
});

describe("a race between load and append", () => {
  /** Two processes over one store; `rival` acts before each of the first `times` appends of `service`. */
  const raced = async (times: number) => {
    const stores = memoryStores(Date.now);
    const { service: rival } = await quickService({ stores });
    const race = { left: times, act: async (): Promise<unknown> => undefined };
    const matches: MatchStore = {
      ...stores.matches,
      change: async (expected, change) => {
        race.left -= 1;
        if (race.left >= 0) await race.act();
        return stores.matches.change(expected, change);
      },
    };
    const { service } = await quickService({ stores: { ...stores, matches } });
    return { stores, rival, service, race };
  };

  it("is tried again where the command still stands", async () => {
    const { stores, rival, service, race } = await raced(2);
    const { id } = await sat(rival, [engine(), engine()]);
    race.act = () => answered(tryReplying(rival, id, 1));
    const { receipt } = actedOf(await answered(tryReplying(service, id, 1)));
    expect(receipt.seq).toBe((await linesOf(stores, id)).length - 1);
    expect(await audited(stores, id)).toMatch(/^OK/);
  });

  it("is refused where it does not: one roll a turn, however many ask", async () => {
    const { stores, rival, service, race } = await raced(1);
    const seated = await sat(rival, [HUMAN, HUMAN]);
    await playOn(rival, seated, 1);
    const { seat } = await nextCommand(rival, seated.id);
    const asking = { token: seated.grants[seat] };
    race.act = () => answered(trySending(rival, seated.id, ROLL, asking));
    expect((await failed(trySending(service, seated.id, ROLL, asking))).code).toMatch(
      /wrong-phase|not-your-turn/,
    );
    const rolls = (await bodiesOf(stores, seated.id)).filter(({ type }) => type === "roll");
    expect(rolls).toHaveLength(2);
  });

  it("is stale where the caller named the version", async () => {
    const { stores, rival, service, race } = await raced(1);
    const { id } = await sat(rival, [engine(), engine()]);
    const expected = (await stores.matches.load(id))?.version ?? 0;
    race.act = () => answered(tryReplying(rival, id, 1));
    const { code, facts } = await failed(tryReplying(service, id, 1, { expected }));
    expect({ code, facts }).toEqual({ code: "stale-version", facts: { version: expected + 1 } });
  });

  it.each([undefined, "with its version"])(
    "lost to a twin gives the twin's answer, %s",
    async (versioned) => {
      const { stores, rival, service, race } = await raced(1);
      const { id, grants } = await sat(rival, [HUMAN, engine()]);
      const { command } = await nextCommand(rival, id);
      const version = (await stores.matches.load(id))?.version ?? 0;
      const asking = {
        token: grants[0],
        key: "twin",
        ...(versioned === undefined ? {} : { expected: version }),
      };
      let twin = {};
      race.act = async () => {
        twin = await answered(trySending(rival, id, command, asking));
      };
      const answer = await answered(trySending(service, id, command, asking));
      expect(answer).toEqual({ ...twin, replayed: true });
    },
  );

  it("lost each time is a conflict that the caller may try again", async () => {
    const { rival, service, race } = await raced(100);
    const { id } = await sat(rival, [engine(), engine()]);
    race.act = () => answered(tryReplying(rival, id, 1));
    expect((await failed(tryReplying(service, id, 1))).code).toBe("version-conflict");
  });
});
