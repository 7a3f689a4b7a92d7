// fair/1: checks the log of one match, Node 20.19 or newer and nothing else. It shares no code with the service.
// usage: node check-log.mjs match.ndjson decks.json        Not checked: signatures, the log's tree, the game's rules.
import { createHash, createHmac } from "node:crypto";
import { readFileSync, realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";

const sha = (...parts) =>
  parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest("hex");
const bytes = (hex) => Buffer.from(hex, "hex");
const isHash = (text) => typeof text === "string" && /^[0-9a-f]{64}$/.test(text);
const same = (a, b) => jcs(a) === jcs(b);
const need = (condition, why) => {
  if (!condition) throw new Error(why);
};

// RFC 8785: the one text of a JSON value. Numbers are whole, texts are well formed (design.md 4).
const jcs = (value) => {
  if (Array.isArray(value)) return `[${value.map(jcs).join(",")}]`;
  if (typeof value === "number") need(Number.isSafeInteger(value), "a number that is not whole");
  if (typeof value === "string") need(value.isWellFormed(), "a text that is not Unicode");
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  return `{${Object.keys(value)
    .sort()
    .map((key) => `${jcs(key)}:${jcs(value[key])}`)
    .join(",")}}`;
};

// RFC 9162, 2.1.3.2: where an inclusion proof leads. Its length must be exact.
const rootOf = (leaf, index, size, proof) => {
  let [node, last, hash] = [index, size - 1, sha("\0", leaf)];
  need(index < size && proof.every(isHash), "no such card, or a malformed proof");
  for (const sibling of proof) {
    need(last > 0, "the card's proof is too long");
    const isRight = node % 2 === 1 || node === last;
    hash = isRight
      ? sha("\x01", bytes(sibling), bytes(hash))
      : sha("\x01", bytes(hash), bytes(sibling));
    while (isRight && node !== 0 && node % 2 === 0) [node, last] = [node >> 1, last >> 1];
    [node, last] = [node >> 1, last >> 1];
  }
  need(last === 0, "the card's proof is too short");
  return hash;
};

function* byteStream(key, head) {
  for (let block = 0; ; block += 1)
    yield* createHmac("sha256", key).update(`${head}\n${block}`).digest();
}

const below = (stream, bound) => {
  for (;;) {
    const byte = stream.next().value;
    if (byte < 256 - (256 % bound)) return byte % bound;
  }
};

// What links give (design.md 2).
const derive = (key, kind, head) => {
  const stream = byteStream(key, head);
  need(typeof kind === "string", "a kind that is no text");
  const [, word, digits] = /^(2d6|open|d|shuffle)([1-9][0-9]{0,2})?$/.exec(kind) ?? [];
  const pairs = word === "2d6" || word === "open";
  need(
    word && (pairs ? !digits : digits >= (word === "d" ? 2 : 1) && digits <= 256),
    `unknown kind ${kind}`,
  );
  if (word === "d") return below(stream, Number(digits));
  const out = [];
  while (pairs && (out.length === 0 || (word === "open" && out.at(-1)[0] === out.at(-1)[1]))) {
    const value = below(stream, 36);
    out.push([Math.floor(value / 6) + 1, (value % 6) + 1]);
  }
  for (let index = 0; !pairs && index < digits; index += 1) out.push(index);
  for (let top = out.length - 1; !pairs && top > 0; top -= 1) {
    const other = below(stream, top + 1);
    [out[top], out[other]] = [out[other], out[top]];
  }
  return out;
};

// A source of chance as `open` or `entropy` sets it, in force from roll `from` on.
const setSource = (state, from, who, source, decks) => {
  need(state.names.includes(who), `a source of ${who}, who is not here`);
  const shape = source === null ? "" : Object.keys(source).sort().join(" ");
  const shapes = { server: ["card proof tip"], beacon: ["", "drand"] }[who] ?? ["", "tip", "text"];
  need(shapes.includes(shape), `a source of ${who} that is none`);
  if (who === "server") {
    const [, number, index] = /^(0|[1-9][0-9]{0,8})\/(0|[1-9][0-9]{0,8})$/.exec(source.card) ?? [];
    const deck = decks.find((one) => String(one.deck) === number);
    need(deck, `card ${source.card} is of no deck that is known`);
    const leaf = `fair/1 card\n${source.card}\n${source.tip}`;
    need(
      isHash(source.tip) && rootOf(leaf, Number(index), deck.size, source.proof) === deck.root,
      "the card is not in its deck",
    );
    need(!state.cards.has(source.card), "the card was used before");
    state.cards.add(source.card);
  }
  state.due.push({ from, who, source: source && { ...source } });
};

// Does what `who` contributed fit its source? A link must step to the one before.
const contributed = (source, part) => {
  if (!source) return part === null;
  if (!isHash(part)) return false;
  if ("text" in source) return part === sha("fair/1 text\n", source.text);
  const fits =
    "drand" in source
      ? part === (source.seen ?? part)
      : sha("fair/1 link\n", bytes(part)) === source.tip;
  source["drand" in source ? "seen" : "tip"] = part;
  return fits;
};

const advance = (state, roll) => {
  for (const { from, who, source } of state.due) if (from === roll) state.sources[who] = source;
};

const checkRoll = (state, { roll, kind, links, out }) => {
  state.rolls += 1;
  need(roll === state.rolls, `roll ${state.rolls} was expected`);
  advance(state, roll);
  need(
    same(Object.keys(links).sort(), [...state.names].sort()),
    "links of others than server, seats and beacon",
  );
  for (const who of state.names)
    need(contributed(state.sources[who], links[who]), `the link of ${who} does not fit`);
  const parts = state.names.slice(1).map((who) => links[who] ?? "-");
  const head = ["fair/1 roll", state.sources.server.card, roll, kind, ...parts].join("\n");
  need(same(derive(bytes(links.server), kind, head), out), "the links give another result");
};

const checkClose = (state, { rolls, next, openSeals = {} }) => {
  need(rolls === state.rolls, "close counts other rolls");
  advance(state, rolls + 1);
  need(contributed(state.sources.server, next), "next is not the link of the roll not made");
  const seals = state.open.seals ?? {};
  need(
    same(Object.keys(openSeals).sort(), Object.keys(seals).sort()),
    "close opens other seals than open has",
  );
  for (const [name, { salt, value }] of Object.entries(openSeals)) {
    need(
      isHash(salt) && sha(`fair/1 seal\n${salt}\n${jcs(value)}`) === seals[name],
      `the seal ${name} does not open`,
    );
  }
};

const ECHOES = {
  "opening-rolled": (line) => ["open", line.rolls],
  "dice-rolled": (line) => ["2d6", [line.dice]],
};
const PROTOCOL = ["open", "roll", "entropy", "close", "deal", "deck", "burn", "key", "audit"];

// The game's own event after a roll says what the roll said; no dice without a roll.
const checkEcho = (roll, line) => {
  const echo = ECHOES[line.type]?.(line);
  need(!echo || (roll && same(echo, [roll.kind, roll.out])), `${line.type} does not repeat a roll`);
  need(
    !roll || echo || !(["open", "2d6"].includes(roll.kind) || PROTOCOL.includes(line.type)),
    "a roll without its event",
  );
};

/** Dice that another program rolled stand in an imported match only, before its first roll here. */
const checkImported = ({ open, rolls }, line) =>
  need(
    !/-imported$/.test(line.type) || ("imported" in open && rolls === 0),
    "imported dice in a match that rolls its own",
  );

const checkLine = (state, raw, decks) => {
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(raw);
  const line = JSON.parse(text);
  need(jcs(line) === text, "not canonical JSON");
  need(!state.closed, "a line after close");
  need(line.seq === state.seq && line.prev === state.prev, "the chain of lines is broken");
  need((line.type === "open") === (state.seq === 0), "open is line 0, and only that");
  state.open ??= line;
  need(
    typeof line.match === "string" && line.match === state.open.match,
    "a line of another match",
  );
  checkEcho(state.roll, line);
  checkImported(state, line);
  state.roll = line.type === "roll" ? line : null;
  if (line.type === "open") {
    const count = line.seats.length;
    const seats = line.seats.map((_, seat) =>
      count === 2 ? ["white", "black"][seat] : `seat${seat}`,
    );
    state.names = ["server", ...seats, "beacon"];
    need(line.v === "fair/1" && line.from === 1, "not a match under fair/1");
  }
  if (line.type === "entropy")
    need(Number.isSafeInteger(line.from) && line.from >= state.rolls + 2, "a source set too late");
  if (line.type === "open" || line.type === "entropy") {
    for (const [who, source] of Object.entries(line.set))
      setSource(state, line.from, who, source, decks);
  } else if (line.type === "roll") checkRoll(state, line);
  else if (line.type === "close") checkClose(state, line);
  else need(!PROTOCOL.includes(line.type), `${line.type} lines are not known here`);
  state.closed = line.type === "close";
  state.seq += 1;
  state.prev = sha(raw);
};

/** Checks a log; throws "line K: why", K counted from 0 as `seq` is. */
export const check = (log, decks) => {
  const state = {
    seq: 0,
    prev: "0".repeat(64),
    rolls: 0,
    sources: {},
    due: [],
    cards: new Set(),
    closed: false,
  };
  try {
    const lines = log.toString("latin1").replace(/\n$/, "").split("\n");
    for (const line of lines) checkLine(state, Buffer.from(line, "latin1"), decks);
    need(!state.roll, "the log ends with a roll, without its event");
  } catch (cause) {
    throw new Error(`line ${state.seq}: ${cause.message}`, { cause });
  }
  return `OK: ${state.seq} lines, ${state.rolls} rolls, ${state.closed ? "closed" : "not closed yet"}`;
};

const [, script, match, decks] = process.argv;
if (script && realpathSync(script) === fileURLToPath(import.meta.url)) {
  try {
    need(match && decks, "usage: node check-log.mjs match.ndjson decks.json");
    console.log(check(readFileSync(match), JSON.parse(readFileSync(decks, "utf8")).decks));
  } catch (rejection) {
    console.log(`REJECTED: ${rejection.message}`);
    process.exitCode = 1;
  }
}
