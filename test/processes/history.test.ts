import { describe, expect, it } from "vitest";
import {
  anomalies,
  cursorFaults,
  type Log,
  type Operation,
  type Read,
  type Refused,
  type Write,
} from "../support/history.ts";
import { type Random, random, seedOf } from "../support/seeded.ts";

// The checker of `cluster.test.ts`, tried on histories that are right and on planted faults: one that
// never failed proves nothing.

const seed = seedOf("history");
const GOOD = 300;
const FAULTS = 50;
const OPERATIONS = 200;
const CLIENTS = 12;

interface History {
  readonly operations: readonly Operation[];
  readonly log: Log;
}

const logOf = (lines: number): Log => {
  const texts = Array.from({ length: lines }, (_, seq) => `line ${seq}`);
  return {
    hashes: texts.map((text) => `hash of ${text}`),
    events: texts,
    stateAt: (version) => `state ${version}`,
  };
};

/** A right history: each operation happens at one moment between its request and its answer. */
const goodHistory = (choices: Random): History => {
  const busyUntil = new Array<number>(CLIENTS).fill(1);
  const moments = Array.from({ length: OPERATIONS }, () => {
    const client = choices.below(CLIENTS);
    const invoked = (busyUntil[client] ?? 0) + 1 + choices.below(50);
    const happened = invoked + 1 + choices.below(30) + choices.below(1_000) / 1_000;
    const returned = happened + 1 + choices.below(30);
    busyUntil[client] = returned;
    return { client, invoked, happened, returned };
  }).sort((a, b) => a.happened - b.happened);
  const log = logOf(OPERATIONS * 4);
  const match = "m";
  const opening: Write = {
    kind: "write",
    client: 0,
    match,
    invoked: 0,
    returned: 1,
    first: 0,
    last: 2,
    events: [],
  };
  let version = 2;
  const operations = moments.map(({ client, invoked, returned }): Operation => {
    const asked = { client, match, invoked, returned };
    const dice = choices.below(100);
    if (dice < 40) return { ...asked, kind: "read", version, state: log.stateAt(version) };
    if (dice < 60) {
      const now = version;
      return dice < 50
        ? { ...asked, kind: "refused", code: "stale-version", expected: now - 1, version: now }
        : { ...asked, kind: "refused", code: "wrong-phase", isRight: (one) => one === now };
    }
    const first = version + 1;
    const expected = version;
    version += 1 + choices.below(3);
    return {
      ...asked,
      kind: "write",
      first,
      last: version,
      hash: log.hashes[version] ?? "",
      events: log.events.slice(first, version + 1),
      ...(choices.isHit(50) ? { expected } : {}),
    };
  });
  return { operations: [opening, ...operations], log: { ...log, ...cut(log, version + 1) } };
};

const cut = ({ hashes, events }: Log, lines: number): Pick<Log, "hashes" | "events"> => ({
  hashes: hashes.slice(0, lines),
  events: events.slice(0, lines),
});

const of = <Kind extends Operation["kind"]>(
  { operations }: History,
  kind: Kind,
): readonly (Operation & { readonly kind: Kind })[] =>
  operations.filter((one): one is Operation & { readonly kind: Kind } => one.kind === kind);

const without = ({ operations, log }: History, one: Operation, other: Operation): History => ({
  operations: operations.map((kept) => (kept === one ? other : kept)),
  log,
});

type Plant = (history: History, choices: Random) => History | undefined;

const anyRead = (history: History, choices: Random): Read => choices.pick(of(history, "read"));
const anyWrite = (history: History, choices: Random): Write =>
  choices.pick(of(history, "write").slice(1));

/** The highest version that was answered before a moment. */
const knownAt = (history: History, moment: number): number =>
  Math.max(
    -1,
    ...of(history, "write").flatMap(({ returned, last }) => (returned < moment ? [last] : [])),
  );

const PLANTS: Readonly<Record<string, Plant>> = {
  "a lost write": ({ operations, log }) => ({
    operations,
    log: { ...log, ...cut(log, log.hashes.length - 1) },
  }),
  "a duplicate": ({ operations, log }, choices) => {
    const write = anyWrite({ operations, log }, choices);
    const again = [...log.events, ...log.events.slice(write.first, write.last + 1)];
    return { operations, log: { ...log, events: again, hashes: again } };
  },
  "two winners of a version": (history, choices) => {
    const write = anyWrite(history, choices);
    const twin = { ...write, client: write.client + 1 };
    return { ...history, operations: [...history.operations, twin] };
  },
  "a ghost": ({ operations, log }, choices) => {
    const ghost = anyWrite({ operations, log }, choices);
    return { operations: operations.filter((one) => one !== ghost), log };
  },
  "a gap": ({ operations, log }, choices) => {
    const at = choices.below(log.hashes.length);
    const left = (texts: readonly string[]) => texts.filter((_, seq) => seq !== at);
    return { operations, log: { ...log, hashes: left(log.hashes), events: left(log.events) } };
  },
  "a stale read": (history, choices) => {
    const read = anyRead(history, choices);
    const known = knownAt(history, read.invoked);
    const older = of(history, "write").filter(({ last }) => last < known);
    if (older.length === 0) return undefined;
    const version = choices.pick(older).last;
    return without(history, read, { ...read, version, state: history.log.stateAt(version) });
  },
  "a read that goes back": (history, choices) => {
    const read = anyRead(history, choices);
    const before = of(history, "read").filter(
      ({ client, returned }) => client === read.client && returned < read.invoked,
    );
    const seen = Math.max(-1, ...before.map(({ version }) => version));
    const older = of(history, "write").filter(({ last }) => last < seen);
    if (older.length === 0) return undefined;
    const version = choices.pick(older).last;
    return without(history, read, { ...read, version, state: history.log.stateAt(version) });
  },
  "a read of the future": (history, choices) => {
    const read = anyRead(history, choices);
    const later = of(history, "write").filter(({ invoked }) => invoked > read.returned);
    if (later.length === 0) return undefined;
    const version = choices.pick(later).last;
    return without(history, read, { ...read, version, state: history.log.stateAt(version) });
  },
  "a dirty read": (history, choices) => {
    const read = anyRead(history, choices);
    const long = of(history, "write").filter(({ first, last }) => last > first);
    const version = choices.pick(long).first;
    return without(history, read, { ...read, version, state: history.log.stateAt(version) });
  },
  "swapped writes": (history, choices) => {
    const one = anyWrite(history, choices);
    const others = of(history, "write").filter(
      ({ first, last, invoked }) => last - first === one.last - one.first && invoked > one.returned,
    );
    if (others.length === 0) return undefined;
    const other = choices.pick(others);
    const swap = (to: Write, from: Write): Write => ({
      ...to,
      first: from.first,
      last: from.last,
      events: from.events,
      ...(from.hash === undefined ? {} : { hash: from.hash }),
      ...(to.expected === undefined ? {} : { expected: from.first - 1 }),
    });
    return without(without(history, one, swap(one, other)), other, swap(other, one));
  },
  "swapped lines": ({ operations, log }, choices) => {
    const at = 3 + choices.below(log.hashes.length - 4);
    const swapped = (texts: readonly string[]): readonly string[] =>
      texts.map((text, seq) => texts[seq === at ? at + 1 : seq === at + 1 ? at : seq] ?? text);
    return {
      operations,
      log: { ...log, hashes: swapped(log.hashes), events: swapped(log.events) },
    };
  },
  "a wrong version": (history, choices) => {
    const write = anyWrite(history, choices);
    return without(history, write, { ...write, last: write.last + 1 });
  },
  "a lost update": (history, choices) => {
    const write = anyWrite(history, choices);
    return without(history, write, { ...write, expected: write.first - 2 });
  },
  "another command": (history, choices) => {
    const write = anyWrite(history, choices);
    return without(history, write, { ...write, isAsAsked: () => false });
  },
  "a wrong state": (history, choices) => {
    const read = anyRead(history, choices);
    return without(history, read, { ...read, state: "another" });
  },
  "a refusal of the version that is": (history, choices) => {
    const refused: Refused = choices.pick(
      of(history, "refused").filter(({ code }) => code === "stale-version"),
    );
    return without(history, refused, { ...refused, expected: refused.version ?? 0 });
  },
  "a refusal without reason": (history, choices) => {
    const refused: Refused = choices.pick(of(history, "refused"));
    return without(history, refused, { ...refused, code: "wrong-phase", isRight: () => false });
  },
  "a conflict without races": (history, choices) => {
    const { client, match, returned } = anyRead(history, choices);
    const moment = { client, match, invoked: returned, returned: returned + 0.001 };
    const conflict: Refused = { ...moment, kind: "refused", code: "version-conflict" };
    const running = of(history, "write").filter(
      (write) => write.invoked <= returned + 1 && write.returned >= returned,
    );
    if (running.length >= 4) return undefined;
    return { ...history, operations: [...history.operations, conflict] };
  },
};

describe("the checker of histories", () => {
  it(`has nothing to say of ${GOOD} right ones`, () => {
    for (let nth = 0; nth < GOOD; nth++) {
      const { operations, log } = goodHistory(random(seed, nth));
      expect(anomalies(operations, log), `history ${nth}`).toEqual([]);
    }
  });

  it.each(Object.entries(PLANTS))(`flags %s, ${FAULTS} of ${FAULTS} times`, (_, plant) => {
    let planted = 0;
    for (let nth = 0; planted < FAULTS; nth++) {
      expect(nth, "the fault can be planted").toBeLessThan(FAULTS * 20);
      const choices = random(seed, 1_000 + nth);
      const faulty = plant(goodHistory(choices), choices);
      if (faulty === undefined) continue;
      planted += 1;
      const found = anomalies(faulty.operations, faulty.log);
      expect(found.length, `history ${nth}`).toBeGreaterThan(0);
    }
  });

  const events = ["a", "b", "c", "d"];
  const right = events.map((text, seq) => ({ seq, text }));

  it("has nothing to say of a cursor that read everything once", () => {
    expect(cursorFaults(right, events)).toEqual([]);
  });

  it.each([
    ["a gap", right.filter(({ seq }) => seq !== 1)],
    ["a repetition", [...right.slice(0, 2), ...right.slice(1)]],
    [
      "a swap",
      [...right.slice(0, 1), ...right.slice(2, 3), ...right.slice(1, 2), ...right.slice(3)],
    ],
    ["another event", right.map(({ seq }) => ({ seq, text: "x" }))],
    ["an end too soon", right.slice(0, 3)],
    ["an event too many", [...right, { seq: 4, text: "e" }]],
  ])("flags a cursor with %s", (_, read) => {
    expect(cursorFaults(read, events).length).toBeGreaterThan(0);
  });
});
