import { GENESIS } from "../fairness/line.ts";
import type { FileFormat, HostedEvent, HostedGame, HostedOptions } from "../games/host.ts";
import { assert } from "../kernel/assert.ts";
import type { Json } from "../kernel/json.ts";
import type { Result } from "../kernel/result.ts";
import { ok, reject } from "../kernel/result.ts";
import type { Viewer } from "../kernel/seat.ts";
import { SPECTATOR, seat } from "../kernel/seat.ts";
import type { Present } from "./act.ts";
import type { Answer, Repeatable } from "./answer.ts";
import { replay, tagOf, tokenPlaceholder, toStore, weakKey, withTokens } from "./answer.ts";
import { rowOf, seatsOnTurn } from "./commit.ts";
import type { Failure } from "./failure.ts";
import type { MatchRecord, SeatRecord, Visibility } from "./match.ts";
import { NAME_LENGTH_MAX } from "./match.ts";
import { playedGames, shownTo } from "./players.ts";
import type { Principal } from "./policy.ts";
import { admitHere, answerPrincipal, identify } from "./policy.ts";
import type { Service } from "./service.ts";
import { OPEN_MS_MAX, REPLIES_MAX } from "./service.ts";
import { newHidden, opened, settle } from "./settle.ts";
import type { Draft, Table } from "./table.ts";
import { withEvents } from "./table.ts";
import { startTiming } from "./timing.ts";
import type { TokenSource } from "./tokens.ts";
import { freshSecret, storedKey, tokenHash, tokenSource } from "./tokens.ts";
import type { MatchView } from "./view.ts";
import { openView, tableView } from "./view.ts";

/** A place at a match that is to be opened. */
export type SeatWish =
  | { readonly kind: "human"; readonly name?: string; readonly player?: string }
  | { readonly kind: "engine"; readonly level: string }
  | { readonly kind: "open" };

/** What somebody wants to sit down to. */
export interface MatchWish {
  readonly game: string;
  readonly played: PlayedBy;
  /** In seat order; absent: those whom the file names. */
  readonly seats?: readonly SeatWish[];
  readonly visibility: Visibility;
}

/** By which rules: as the opener says, or as the file of another program says, with what was played already. */
type PlayedBy =
  | { readonly variant?: string; readonly options: Json }
  | { readonly format: FileFormat; readonly file: string };

/** What the opener gets for a seat: a token to act with, or an invite to give away. */
export type SeatGrant =
  | { readonly seat: number; readonly token: string }
  | { readonly seat: number; readonly invite: string };

export interface Opened {
  readonly match: MatchView;
  readonly seats: readonly SeatGrant[];
}

/** Opens a match; if nobody has to come, it begins, and the answer is where a human must act. */
export const openMatch = async (
  service: Service,
  request: Repeatable & { readonly token?: string; readonly wish: MatchWish },
  present: Present<Opened>,
): Promise<Result<Answer, Failure>> => {
  const { wish, key } = request;
  const caller = await identify(service, request.token);
  const opener = admitHere(caller, "open");
  if (!opener.ok) return opener;
  const weak = caller.kind === "anonymous" ? weakKey(key) : undefined;
  if (weak !== undefined) return weak;
  const principal = answerPrincipal(caller);
  const source = tokenSource(service.serviceKey, { principal, secret: key ?? freshSecret() });
  const twin = (): Promise<Result<Answer, Failure> | undefined> =>
    storedOpening(service, request, principal, source);
  if (key !== undefined) {
    const stored = await twin();
    if (stored !== undefined) return stored;
  }
  const rules = rulesOf(service, wish, opener.value);
  if (!rules.ok) return rules;
  const prepared = prepare(service, wish, rules.value, source);
  const draft = await begun(service, prepared, rules.value);
  const record = draft === undefined ? prepared : rowOf(service, draft.table);
  const viewer = onlyHuman(record);
  const now = service.clock();
  const view =
    draft === undefined ? openView(record, viewer, now) : tableView(draft.table, viewer, now);
  const answer: Answer = {
    match: record.id,
    body: present({ match: shownTo(opener.value, record, view), seats: grants(rules.value) }),
    tag: tagOf(record),
    replayed: false,
  };
  const created = await service.matches.create({
    next: record,
    lines: draft?.lines.map(({ text }) => text) ?? [],
    onTurn: draft === undefined ? [] : seatsOnTurn(draft.table),
    played: draft === undefined ? [] : playedGames(draft.table, 0),
    ...toStore(service.serviceKey, principal, request, answer),
  });
  if (created === "done") return ok(withTokens(answer, source));
  return (await twin()) ?? reject("version-conflict");
};

const storedOpening = async (
  { matches, serviceKey }: Service,
  { key, requestHash }: Repeatable,
  principal: string,
  source: TokenSource,
): Promise<Result<Answer, Failure> | undefined> => {
  if (key === undefined) return undefined;
  const stored = await matches.answer({
    match: source.match,
    principal,
    key: storedKey(serviceKey, key),
  });
  if (stored === undefined) return undefined;
  const replayed = replay(source.match, stored, requestHash);
  return replayed.ok ? ok(withTokens(replayed.value, source)) : replayed;
};

interface Rules {
  readonly game: HostedGame;
  readonly variant: string;
  readonly options: HostedOptions;
  readonly seats: readonly SeatWish[];
  readonly imported?: Imported;
  readonly app?: string;
}

/** What another program has played. */
interface Imported {
  readonly format: FileFormat;
  readonly events: readonly HostedEvent[];
}

/** The game, variant and options of the wish, or what is wrong with them or with the seats. */
const rulesOf = (
  { games, engines }: Service,
  wish: MatchWish,
  opener: Principal,
): Result<Rules, Failure> => {
  const game = games.get(wish.game);
  if (game === undefined) return reject("game-unknown", { games: [...games.keys()] });
  const played = playedBy(game, wish.played);
  if (!played.ok) return played;
  const { min, max } = game.card.seats;
  const seats = wish.seats ?? played.value.seats;
  if (seats.length < min || seats.length > max) {
    return reject("seats-not-possible", { seatsMin: min, seatsMax: max });
  }
  const levels = [...(engines.games.get(wish.game)?.levels.keys() ?? [])];
  for (const [place, wanted] of seats.entries()) {
    if (wanted.kind === "engine" && !levels.includes(wanted.level)) {
      return reject("engine-level-unknown", { seat: place, level: wanted.level, levels });
    }
  }
  const strange = strangePlayers(seats, opener);
  if (strange !== undefined) return strange;
  const isForNobody = opener.kind !== "app" && wish.visibility === "private";
  if (isForNobody && seats.every(({ kind }) => kind === "engine")) {
    return reject("private-for-nobody");
  }
  const rules = { game, ...played.value, seats };
  return ok(opener.kind === "app" ? { ...rules, app: opener.app } : rules);
};

/** The rules that the opener names, or those of the file with what was played and who played it. */
const playedBy = (
  game: HostedGame,
  played: PlayedBy,
): Result<Pick<Rules, "variant" | "options" | "seats" | "imported">, Failure> => {
  if ("file" in played) {
    const { format, file } = played;
    if (game.files === undefined) return reject("game-has-no-files");
    const read = game.files.read(format, file);
    if (!read.ok) return read;
    const { players, variant, options, events } = read.value;
    return ok({ variant, options, seats: players.map(named), imported: { format, events } });
  }
  const { variants } = game.card;
  const variant = played.variant ?? variants[0];
  if (!variants.includes(variant)) return reject("variant-unknown", { variants });
  const options = game.readOptions(variant, played.options);
  if (options.ok) return ok({ variant, options: options.value, seats: [] });
  return reject("malformed-options", {
    issues: options.error.map(({ pointer, message }) => `/options${pointer}: ${message}`),
  });
};

/** A human by the name in a file, as far as it may be shown. */
const named = (written: string): SeatWish => {
  const shown = written.normalize("NFC").replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "");
  const name = [...shown.trim()].slice(0, NAME_LENGTH_MAX).join("").trim();
  return name === "" ? { kind: "human" } : { kind: "human", name };
};

/** What is wrong with the players of the wish: only apps have any, and nobody plays against themselves. */
const strangePlayers = (
  seats: readonly SeatWish[],
  opener: Principal,
): Result<never, Failure> | undefined => {
  const players = seats.flatMap((wanted) =>
    wanted.kind === "human" && wanted.player !== undefined ? [wanted.player] : [],
  );
  if (players.length > 0 && opener.kind !== "app") return reject("player-needs-app-key");
  const twice = players.find((player, place) => players.indexOf(player) !== place);
  return twice === undefined ? undefined : reject("player-twice", { player: twice });
};

const prepare = (
  { clock }: Service,
  wish: MatchWish,
  { game, variant, options, seats, imported, app }: Rules,
  source: TokenSource,
): MatchRecord => {
  const now = clock();
  const isOpen = seats.some(({ kind }) => kind === "open");
  const record: MatchRecord = {
    id: source.match,
    game: wish.game,
    variant,
    options: game.printOptions(options),
    visibility: wish.visibility,
    ...(imported === undefined ? {} : { imported: imported.format }),
    ...(app === undefined ? {} : { app }),
    status: isOpen ? "open" : "playing",
    seats: seats.map((wanted, place) => seatRecord(wanted, place, source)),
    claims: 0,
    version: -1,
    head: GENESIS,
    createdAt: now,
    at: now,
    snapshot: null,
    hidden: null,
  };
  return isOpen ? { ...record, dueAt: now + OPEN_MS_MAX } : record;
};

const seatRecord = (wanted: SeatWish, place: number, source: TokenSource): SeatRecord => {
  switch (wanted.kind) {
    case "human": {
      return { ...wanted, tokenHash: tokenHash(source.token("seat", place)) };
    }
    case "engine":
      return wanted;
    case "open":
      return { kind: "open", inviteHash: tokenHash(source.token("inv", place)) };
  }
};

/** The match's first lines, up to where a human must act; undefined while a seat is open. */
export const begun = async (
  service: Service,
  record: MatchRecord,
  { game, imported }: Pick<Rules, "game" | "imported">,
): Promise<Draft | undefined> => {
  if (record.seats.some(({ kind }) => kind === "open")) return undefined;
  const options = game.readOptions(record.variant, record.options);
  assert(options.ok, "the options of a match are readable as they are kept");
  const table: Table = {
    record: { ...record, status: "playing" },
    game,
    state: game.init(options.value),
    rolls: 0,
    cards: [],
    timing: startTiming(game, options.value, record.seats.length),
    hidden: newHidden(),
  };
  const card = await service.cards.draw();
  const draft = opened(service, { table, lines: [] }, card, game.printOptions(options.value));
  const hasHuman = record.seats.some(({ kind }) => kind === "human");
  const played = withEvents(draft, service.clock(), imported?.events ?? []);
  return settle(service, played, hasHuman ? REPLIES_MAX : 0);
};

/** The opener sees as the only human does; with more of them, or none, as a spectator. */
const onlyHuman = ({ seats }: MatchRecord): Viewer => {
  const [only, another] = seats.flatMap(({ kind }, place) => (kind === "human" ? [place] : []));
  return only === undefined || another !== undefined
    ? SPECTATOR
    : { kind: "seat", seat: seat(only) };
};

const grants = ({ seats }: Rules): readonly SeatGrant[] =>
  seats.flatMap<SeatGrant>(({ kind }, place) => {
    if (kind === "engine") return [];
    return kind === "human"
      ? [{ seat: place, token: tokenPlaceholder("seat", place) }]
      : [{ seat: place, invite: tokenPlaceholder("inv", place) }];
  });
