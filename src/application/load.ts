import type { HostedGame } from "../games/host.ts";
import { present } from "../kernel/assert.ts";
import type { Json } from "../kernel/json.ts";
import type { MatchId, MatchRecord } from "./match.ts";
import type { MatchStore, Vault } from "./ports.ts";
import { object } from "./stored.ts";
import type { Hidden, Table } from "./table.ts";
import { foldLines, readSnapshot } from "./table.ts";

/** Tables kept in memory by (match, version): immutable values, so any number of processes may. */
export interface TableCache {
  get(record: MatchRecord): Table | undefined;
  /** The table at a version, without asking the store: it may have moved on. */
  at(id: MatchId, version: number): Table | undefined;
  put(table: Table): void;
}

/** A cache of at most `max` tables; the one that was put first goes first. */
export const tableCache = (max: number): TableCache => {
  const tables = new Map<MatchId, Table>();
  return {
    get: (record) => {
      const kept = tables.get(record.id);
      return kept?.record.version === record.version && kept.record.head === record.head
        ? { ...kept, record }
        : undefined;
    },
    at: (id, version) => {
      const kept = tables.get(id);
      return kept?.record.version === version ? kept : undefined;
    },
    put: (table) => {
      tables.delete(table.record.id);
      tables.set(table.record.id, table);
      if (tables.size > max) tables.delete(present(tables.keys().next().value, "not empty"));
    },
  };
};

interface Loading {
  readonly games: ReadonlyMap<string, HostedGame>;
  readonly matches: MatchStore;
  readonly vault: Vault;
  readonly tables: TableCache;
}

const LINES_PAGE = 1_000;

/** The table of a match that has begun: from the cache, its snapshot, or its log. */
export const tableOf = async (service: Loading, record: MatchRecord): Promise<Table> => {
  const kept = service.tables.get(record);
  if (kept !== undefined) return kept;
  const game = present(service.games.get(record.game), "a stored match is of a known game");
  const folded =
    readSnapshot(game, record.snapshot) ??
    foldLines(game, await allLines(service.matches, record.id));
  const sealed = present(record.hidden, "a match that has begun has its secrets");
  const hidden = readHidden(service.vault.open(hiddenLabel(record.id), sealed));
  const table: Table = { record, game, hidden, ...folded };
  service.tables.put(table);
  return table;
};

/** What the sealed half of a snapshot is bound to. */
export const hiddenLabel = (id: MatchId): string => `qiju hidden ${id}`;

const readHidden = (json: Json): Hidden => {
  const engines = object(object(json)["engines"]);
  return { engines: { salt: String(engines["salt"]), value: String(engines["value"]) } };
};

/** Every line of a match that is there now, in order. */
export const allLines = async (matches: MatchStore, id: MatchId): Promise<readonly string[]> => {
  const lines: string[] = [];
  for (;;) {
    const page = await matches.lines(id, lines.length - 1, LINES_PAGE);
    lines.push(...page);
    if (page.length < LINES_PAGE) return lines;
  }
};
