/**
 * Linearizability of a history of requests, one match at a time.
 *
 * The state of a match is one chain of versions, so no search is needed: a sort and a sweep. A floor goes up
 * with every answer: nothing asked later may show less. And nothing may show a version before its write was
 * asked for. The acknowledged writes must tile the log.
 */

interface Asked {
  readonly client: number;
  readonly match: string;
  /** When it was sent and when its answer had come; milliseconds of one clock. */
  readonly invoked: number;
  readonly returned: number;
}

/** A read of the match; `state` absent where only the version was read. */
export interface Read extends Asked {
  readonly kind: "read";
  readonly version: number;
  readonly state?: string;
}

/** An acknowledged change that wrote the lines from `first` to `last`. */
export interface Write extends Asked {
  readonly kind: "write";
  readonly first: number;
  readonly last: number;
  /** The hash of the last line, where the answer says so. */
  readonly hash?: string;
  /** The lines' events as they were answered; empty where the answer has none. */
  readonly events: readonly string[];
  /** The version that the request was made for, where it said so. */
  readonly expected?: number;
  /** Whether the first line is what the request asked for. */
  readonly isAsAsked?: () => boolean;
}

/** A request that was refused. */
export interface Refused extends Asked {
  readonly kind: "refused";
  readonly code: string;
  readonly expected?: number;
  /** The version that the refusal names. */
  readonly version?: number;
  /** Whether the refusal is right at a version. */
  readonly isRight?: (version: number) => boolean;
}

export type Operation = Read | Write | Refused;

/** What a log says, when all is over. */
export interface Log {
  /** One a line, in order. */
  readonly hashes: readonly string[];
  readonly events: readonly string[];
  readonly stateAt: (version: number) => string;
}

/** A version conflict is answered only after so many lost races. */
const RACES_LOST = 4;

/** All that is wrong with the operations on one match; nothing if it is linearizable. */
export const anomalies = (operations: readonly Operation[], log: Log): readonly string[] => {
  const writes = operations
    .filter((operation) => operation.kind === "write")
    .sort((a, b) => a.first - b.first);
  const invokedAt = new Map(writes.map(({ last, invoked }) => [last, invoked]));
  const floor = floorOf(operations);
  /** The versions that a request may have met: not below what was known, and asked for by then. */
  const possible = ({ invoked, returned }: Asked): readonly number[] => {
    const low = floor(invoked);
    return writes.flatMap(({ last, invoked: asked }) =>
      last >= low && asked < returned ? [last] : [],
    );
  };
  const judge = (operation: Operation): readonly string[] => {
    switch (operation.kind) {
      case "read":
        return readFaults(operation, log, invokedAt, floor(operation.invoked));
      case "write":
        return writeFaults(operation, log, floor(operation.invoked));
      case "refused":
        return refusalFaults(operation, possible(operation));
    }
  };
  return [...tilingFaults(writes, log), ...operations.flatMap(judge)];
};

/** The highest version that an operation proves to have been there. */
const seenBy = (operation: Operation): number => {
  switch (operation.kind) {
    case "read":
      return operation.version;
    case "write":
      return operation.last;
    case "refused":
      return operation.version ?? -1;
  }
};

/** The highest version that was known at a moment: a running maximum, found by halving. */
const floorOf = (operations: readonly Operation[]): ((moment: number) => number) => {
  const sorted = [...operations].sort((a, b) => a.returned - b.returned);
  let highest = -1;
  const steps = sorted.map((operation) => {
    highest = Math.max(highest, seenBy(operation));
    return { moment: operation.returned, highest };
  });
  return (moment) => {
    let [low, high] = [0, steps.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((steps[middle]?.moment ?? 0) < moment) low = middle + 1;
      else high = middle;
    }
    return steps[low - 1]?.highest ?? -1;
  };
};

const tilingFaults = (writes: readonly Write[], log: Log): readonly string[] => {
  const wrong: string[] = [];
  let next = 0;
  for (const { first, last, client } of writes) {
    if (first < next)
      wrong.push(`duplicate: lines ${first}–${last} of client ${client} are another's`);
    if (first > next) wrong.push(`ghost: nobody wrote lines ${next}–${first - 1}`);
    if (last >= log.hashes.length) wrong.push(`lost: line ${last} was acknowledged to ${client}`);
    next = Math.max(next, last + 1);
  }
  if (next < log.hashes.length) wrong.push(`ghost: nobody wrote lines from ${next} on`);
  return wrong;
};

const readFaults = (
  { client, version, state, returned }: Read,
  log: Log,
  invokedAt: ReadonlyMap<number, number>,
  low: number,
): readonly string[] => {
  const wrong: string[] = [];
  const asked = invokedAt.get(version);
  if (version < low) wrong.push(`stale read: ${client} read ${version} when ${low} was known`);
  if (asked === undefined) wrong.push(`dirty read: ${client} read ${version}, inside a write`);
  else if (asked >= returned) wrong.push(`future read: ${client} read ${version} before its write`);
  if (state !== undefined && state !== log.stateAt(version)) {
    wrong.push(`wrong state: ${client} at version ${version}`);
  }
  return wrong;
};

const writeFaults = (write: Write, log: Log, low: number): readonly string[] => {
  const { client, first, last, hash, events, expected, isAsAsked } = write;
  const wrong: string[] = [];
  if (first <= low) wrong.push(`order: ${client} wrote ${first} when ${low} was known`);
  if (hash !== undefined && hash !== log.hashes[last])
    wrong.push(`other line: ${last} of ${client}`);
  if (events.some((event, nth) => event !== log.events[first + nth])) {
    wrong.push(`other events: ${first}–${last} of ${client}`);
  }
  if (events.length > 0 && events.length !== last - first + 1) {
    wrong.push(`wrong version: ${client} wrote ${events.length} lines as ${first}–${last}`);
  }
  if (expected !== undefined && first !== expected + 1) {
    wrong.push(`lost update: ${client} wrote ${first} on ${expected}`);
  }
  if (isAsAsked?.() === false) wrong.push(`other command: ${first} of ${client}`);
  return wrong;
};

const refusalFaults = (
  { client, code, expected, version, isRight }: Refused,
  possible: readonly number[],
): readonly string[] => {
  if (code === "stale-version") {
    const isKnown = version !== undefined && possible.includes(version) && version !== expected;
    return isKnown ? [] : [`wrong refusal: ${client} at ${expected} was told ${version}`];
  }
  if (code === "version-conflict") {
    const isLost = possible.length > RACES_LOST;
    return isLost ? [] : [`wrong refusal: ${client} lost no ${RACES_LOST} races`];
  }
  const at = expected === undefined ? possible : possible.filter((one) => one === expected);
  return at.some((one) => isRight?.(one) === true)
    ? []
    : [`wrong refusal: ${client} got ${code}, which is right at none of ${at.join(", ")}`];
};

/** What is wrong with what a cursor reader has read: it must be the log, each line once and in order. */
export const cursorFaults = (
  read: readonly { readonly seq: number; readonly text: string }[],
  events: readonly string[],
): readonly string[] => {
  const wrong: string[] = [];
  for (const [nth, { seq, text }] of read.entries()) {
    if (seq !== nth) wrong.push(`cursor: ${seq} at place ${nth}`);
    else if (text !== events[nth]) wrong.push(`cursor: another event ${seq}`);
  }
  if (read.length < events.length) wrong.push(`cursor: ${read.length} of ${events.length} events`);
  return wrong;
};
