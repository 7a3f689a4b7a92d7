import { describe, expect, it } from "vitest";
import type { MatchStore } from "../../src/application/ports.ts";
import { readMatch } from "../../src/application/read.ts";
import { memoryStores } from "../../src/persistence/memory-store.ts";
import {
  answered,
  audited,
  bodiesOf,
  engine,
  failed,
  HUMAN,
  LONG_KEY,
  movedClock,
  NO_MATCH,
  nextCommand,
  OPEN,
  quickService,
  sat,
  tryClaiming,
  tryOpening,
} from "../support/table-talk.ts";

const KEYS = ["key-of-more-than-22-characters-1", "key-of-more-than-22-characters-2"] as const;

type Opening = Parameters<typeof tryOpening>;
type Refused = readonly [code: string, given: Opening[2], seats: Opening[1]];

describe("opening a match", () => {
  it("between two humans begins at once, after the opening roll", async () => {
    const { service, stores } = await quickService();
    const { id, view, grants } = await sat(service, [HUMAN, HUMAN]);
    expect(view).toMatchObject({ status: "playing", version: 2, replyOwed: false });
    expect(view["turn"]).toMatchObject({ kind: "seats" });
    expect(view).not.toHaveProperty("legal");
    expect(grants.every((grant) => /^qj_seat_/.test(grant ?? ""))).toBe(true);
    expect((await bodiesOf(stores, id)).map(({ type }) => type)).toEqual([
      "open",
      "roll",
      "opening-rolled",
    ]);
    expect(await audited(stores, id)).toBe("OK: 3 lines, 1 rolls, not closed yet");
  });

  it("against an engine goes on until the human must act, and shows what may be done", async () => {
    const { service } = await quickService();
    for (let match = 0; match < 8; match++) {
      const { id, view } = await sat(service, [HUMAN, engine()]);
      expect(view["turn"]).toEqual({ kind: "seats", seats: [0] });
      expect(view).toHaveProperty("legal");
      expect((await nextCommand(service, id)).seat).toBe(0);
    }
  });

  it("between engines owes a reply", async () => {
    const { service } = await quickService();
    const { view, grants } = await sat(service, [engine(), engine("random")]);
    expect(view).toMatchObject({ status: "playing", version: 2, replyOwed: true });
    expect(grants).toEqual([undefined, undefined]);
  });

  it("with an open seat waits: no line, no version", async () => {
    const { service, stores } = await quickService();
    const { id, view, grants } = await sat(service, [HUMAN, OPEN]);
    expect(view).toMatchObject({ status: "open", claims: 0 });
    expect(view).not.toHaveProperty("version");
    expect(grants[1]).toMatch(/^qj_inv_/);
    expect(await bodiesOf(stores, id)).toEqual([]);
  });

  it.each([
    ["game-unknown", { game: "chess" }, [HUMAN, HUMAN]],
    ["variant-unknown", { variant: "fevga" }, [HUMAN, HUMAN]],
    ["seats-not-possible", {}, [HUMAN]],
    ["seats-not-possible", {}, [HUMAN, HUMAN, HUMAN]],
    ["engine-level-unknown", {}, [HUMAN, engine("world-champion")]],
    ["malformed-options", { options: { dice: [6, 6] } }, [HUMAN, HUMAN]],
    ["idempotency-key-weak", { key: "short" }, [HUMAN, HUMAN]],
    ["private-for-nobody", { visibility: "private" }, [engine(), engine()]],
  ] as readonly Refused[])(
    "is refused with %s, and creates nothing",
    async (code, given, seats) => {
      const { service, stores } = await quickService();
      expect((await failed(tryOpening(service, seats, given))).code).toBe(code);
      expect(await stores.matches.list({ limit: 10 })).toEqual([]);
    },
  );

  it("again with its key gives the same bytes, tokens among them", async () => {
    const { time, clock } = movedClock();
    const { service, stores } = await quickService({ clock });
    for (const seats of [
      [HUMAN, engine()],
      [HUMAN, OPEN],
    ]) {
      const key = `${LONG_KEY} ${seats[1]?.kind}`;
      const first = await answered(tryOpening(service, seats, { key }));
      time.at += 5_000;
      const again = await answered(tryOpening(service, seats, { key }));
      expect(again).toEqual({ ...first, replayed: true });
      expect(first.body).toMatch(/qj_seat_[0-9A-Za-z]{38}/);
    }
    expect(await stores.matches.list({ limit: 10 })).toHaveLength(2);
  });

  it("with another's key and another wish is refused", async () => {
    const { service } = await quickService();
    await answered(tryOpening(service, [HUMAN, engine()], { key: LONG_KEY }));
    const { code } = await failed(tryOpening(service, [HUMAN, HUMAN], { key: LONG_KEY }));
    expect(code).toBe("idempotency-key-reused");
  });

  it("without a key is another match each time", async () => {
    const { service } = await quickService();
    const [one, other] = [await sat(service, [HUMAN, HUMAN]), await sat(service, [HUMAN, HUMAN])];
    expect(one.id).not.toBe(other.id);
    expect(new Set([...one.grants, ...other.grants]).size).toBe(4);
  });

  it("at the same moment as its twin gives the twin's answer", async () => {
    const stores = memoryStores(Date.now);
    const { service: rival } = await quickService({ stores });
    let twin: unknown;
    const matches: MatchStore = {
      ...stores.matches,
      create: async (change) => {
        twin ??= await answered(tryOpening(rival, [HUMAN, engine()], { key: LONG_KEY }));
        return stores.matches.create(change);
      },
    };
    const { service } = await quickService({ stores: { ...stores, matches } });
    const answer = await answered(tryOpening(service, [HUMAN, engine()], { key: LONG_KEY }));
    expect({ ...answer, replayed: false }).toEqual(twin);
    expect(await stores.matches.list({ limit: 10 })).toHaveLength(1);
  });
});

describe("claiming a seat", () => {
  it("the last one begins the match", async () => {
    const { service, stores } = await quickService();
    const { id, grants } = await sat(service, [OPEN, OPEN]);
    const first = await answered(tryClaiming(service, id, { token: grants[1], name: "乙" }));
    expect(first.tag).toBe("open-1");
    expect(JSON.parse(first.body).match).toMatchObject({ status: "open", claims: 1 });
    expect(await bodiesOf(stores, id)).toEqual([]);
    const last = await answered(tryClaiming(service, id, { token: grants[0] }));
    expect(last.tag).toBe("2");
    expect(JSON.parse(last.body)).toMatchObject({
      match: { status: "playing", version: 2, seats: [{ kind: "human" }, { name: "乙" }] },
      seats: [{ seat: 0 }],
    });
    expect(await audited(stores, id)).toContain("not closed yet");
  });

  it("gives a token that may act there", async () => {
    const { service } = await quickService();
    const { id, grants } = await sat(service, [HUMAN, OPEN]);
    const { body } = await answered(tryClaiming(service, id, { token: grants[1] }));
    const [{ token }] = JSON.parse(body).seats;
    const seen = await readMatch(service, { match: id, token });
    expect(seen.ok).toBe(true);
    expect(await readMatch(service, { match: id, token: `${token}x` })).toMatchObject({
      error: { code: "token-unknown" },
    });
  });

  it("against an engine that begins goes on until the human must act", async () => {
    const { service } = await quickService();
    for (let match = 0; match < 6; match++) {
      const { id, grants } = await sat(service, [engine(), OPEN]);
      const { body } = await answered(tryClaiming(service, id, { token: grants[1] }));
      expect(JSON.parse(body).match.turn).toEqual({ kind: "seats", seats: [1] });
    }
  });

  it("again with its key gives the same bytes, also after the match has gone on", async () => {
    const { time, clock } = movedClock();
    const { service } = await quickService({ clock });
    const { id, grants } = await sat(service, [HUMAN, OPEN]);
    const asking = { token: grants[1], key: "claim" };
    const first = await answered(tryClaiming(service, id, asking));
    time.at += 60_000;
    expect(await answered(tryClaiming(service, id, asking))).toEqual({ ...first, replayed: true });
    const other = await failed(tryClaiming(service, id, { ...asking, name: "另" }));
    expect(other.code).toBe("idempotency-key-reused");
    const fresh = await failed(tryClaiming(service, id, { ...asking, key: "another" }));
    expect(fresh.code).toBe("seat-taken");
  });

  it("is for the invite only", async () => {
    const { service } = await quickService();
    const { id, grants } = await sat(service, [HUMAN, OPEN]);
    const codeOf = async (token: string | undefined, match = id) =>
      (await failed(tryClaiming(service, match, { token }))).code;
    expect(await codeOf(undefined)).toBe("token-missing");
    expect(await codeOf(grants[0])).toBe("not-allowed");
    expect(await codeOf("qj_inv_nonsense")).toBe("token-unknown");
    expect(await codeOf(grants[1], NO_MATCH)).toBe("match-not-found");
  });

  it("while the other seat is claimed loses no claim, and begins the match once", async () => {
    const stores = memoryStores(Date.now);
    const { service: rival } = await quickService({ stores });
    const { id, grants } = await sat(rival, [OPEN, OPEN]);
    let raced = false;
    const matches: MatchStore = {
      ...stores.matches,
      change: async (expected, change) => {
        if (!raced) {
          raced = true;
          await answered(tryClaiming(rival, id, { token: grants[1], key: KEYS[1] }));
        }
        return stores.matches.change(expected, change);
      },
    };
    const { service } = await quickService({ stores: { ...stores, matches } });
    const answer = await answered(tryClaiming(service, id, { token: grants[0], key: KEYS[0] }));
    expect(JSON.parse(answer.body).match).toMatchObject({ status: "playing" });
    expect((await bodiesOf(stores, id)).filter(({ type }) => type === "open")).toHaveLength(1);
  });

  it("while a twin claims it gives the twin's answer; while another does, it is taken", async () => {
    for (const [key, code] of [
      ["the same", undefined],
      ["another", "seat-taken"],
    ]) {
      const stores = memoryStores(Date.now);
      const { service: rival } = await quickService({ stores });
      const { id, grants } = await sat(rival, [HUMAN, OPEN]);
      const token = grants[1];
      let twin: unknown;
      const matches: MatchStore = {
        ...stores.matches,
        change: async (expected, change) => {
          twin ??= await answered(tryClaiming(rival, id, { token, key: "the same" }));
          return stores.matches.change(expected, change);
        },
      };
      const { service } = await quickService({ stores: { ...stores, matches } });
      const claim = await tryClaiming(service, id, { token, key: key ?? "" });
      if (code === undefined)
        expect(claim).toMatchObject({ ok: true, value: { ...(twin as object), replayed: true } });
      else expect(claim).toMatchObject({ ok: false, error: { code } });
    }
  });
});
