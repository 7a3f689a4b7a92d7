import { GENESIS } from "../fairness/line.ts";
import type { HostedGame, HostedOptions } from "../games/host.ts";
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
import { playedGames, shownTo } from "./players.ts";
import type { Principal } from "./policy.ts";
import { admitHere, answerPrincipal, identify } from "./policy.ts";
import type { Service } from "./service.ts";
import { OPEN_MS_MAX, REPLIES_MAX } from "./service.ts";
import { newHidden, opened, settle } from "./settle.ts";
import type { Draft, Table } from "./table.ts";
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
  readonly variant?: string;
  readonly options: Json;
  readonly seats: readonly SeatWish[];
  readonly visibility: Visibility;
}

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
  const draft = await begun(service, prepared, rules.value.game);
  const record = draft === undefined ? prepared : rowOf(service, draft.table);
  const viewer = onlyHuman(record);
  const now = service.clock();
  const view =
    draft === undefined ? openView(record, viewer, now) : tableView(draft.table, viewer, now);
  const answer: Answer = {
    match: record.id,
    body: present({ match: shownTo(opener.value, record, view), seats: grants(wish) }),
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
  readonly app?: string;
}

/** The game, variant and options of the wish, or what is wrong with them or with the seats. */
const rulesOf = (
  { games, engines }: Service,
  wish: MatchWish,
  opener: Principal,
): Result<Rules, Failure> => {
  const game = games.get(wish.game);
  if (game === undefined) return reject("game-unknown", { games: [...games.keys()] });
  const { variants, seats } = game.card;
  const variant = wish.variant ?? variants[0];
  if (!variants.includes(variant)) return reject("variant-unknown", { variants });
  if (wish.seats.length < seats.min || wish.seats.length > seats.max) {
    return reject("seats-not-possible", { seatsMin: seats.min, seatsMax: seats.max });
  }
  const levels = [...(engines.get(wish.game)?.keys() ?? [])];
  for (const [place, wanted] of wish.seats.entries()) {
    if (wanted.kind === "engine" && !levels.includes(wanted.level)) {
      return reject("engine-level-unknown", { seat: place, level: wanted.level, levels });
    }
  }
  const strange = strangePlayers(wish, opener);
  if (strange !== undefined) return strange;
  const isForNobody = opener.kind !== "app" && wish.visibility === "private";
  if (isForNobody && wish.seats.every(({ kind }) => kind === "engine")) {
    return reject("private-for-nobody");
  }
  const options = game.readOptions(variant, wish.options);
  if (!options.ok) {
    return reject("malformed-options", {
      issues: options.error.map(({ pointer, message }) => `/options${pointer}: ${message}`),
    });
  }
  const rules = { game, variant, options: options.value };
  return ok(opener.kind === "app" ? { ...rules, app: opener.app } : rules);
};

/** What is wrong with the players of the wish: only apps have any, and nobody plays against themselves. */
const strangePlayers = (
  { seats }: MatchWish,
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
  { game, variant, options, app }: Rules,
  source: TokenSource,
): MatchRecord => {
  const now = clock();
  const isOpen = wish.seats.some(({ kind }) => kind === "open");
  const record: MatchRecord = {
    id: source.match,
    game: wish.game,
    variant,
    options: game.printOptions(options),
    visibility: wish.visibility,
    ...(app === undefined ? {} : { app }),
    status: isOpen ? "open" : "playing",
    seats: wish.seats.map((wanted, place) => seatRecord(wanted, place, source)),
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
  game: HostedGame,
): Promise<Draft | undefined> => {
  if (record.seats.some(({ kind }) => kind === "open")) return undefined;
  const options = game.readOptions(record.variant, record.options);
  if (!options.ok) return undefined;
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
  return settle(service, draft, hasHuman ? REPLIES_MAX : 0);
};

/** The opener sees as the only human does; with more of them, or none, as a spectator. */
const onlyHuman = ({ seats }: MatchRecord): Viewer => {
  const [only, another] = seats.flatMap(({ kind }, place) => (kind === "human" ? [place] : []));
  return only === undefined || another !== undefined
    ? SPECTATOR
    : { kind: "seat", seat: seat(only) };
};

const grants = (wish: MatchWish): readonly SeatGrant[] =>
  wish.seats.flatMap<SeatGrant>(({ kind }, place) => {
    if (kind === "engine") return [];
    return kind === "human"
      ? [{ seat: place, token: tokenPlaceholder("seat", place) }]
      : [{ seat: place, invite: tokenPlaceholder("inv", place) }];
  });
