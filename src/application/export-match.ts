import type { ExportFormat } from "../games/host.ts";
import type { Result } from "../kernel/result.ts";
import { ok, reject } from "../kernel/result.ts";
import type { Failure } from "./failure.ts";
import { historyOf } from "./history.ts";
import { tableOf } from "./load.ts";
import type { SeatRecord } from "./match.ts";
import type { Reading, Tagged } from "./read.ts";
import { seen } from "./read.ts";
import type { Service } from "./service.ts";

/** A match as a file of other programs, up to now. */
export const exportMatch = async (
  service: Service,
  reading: Reading & { readonly format: ExportFormat },
): Promise<Result<Tagged<string>, Failure>> => {
  const found = await seen(service, reading);
  if (!found.ok) return found;
  const { record } = found.value;
  if (record.status === "open") return reject("match-not-begun");
  const { game } = await tableOf(service, record);
  if (game.files === undefined) return reject("game-has-no-files");
  const { options, events } = await historyOf(service, game, record);
  const written = game.files.write(reading.format, {
    options,
    players: record.seats.map(nameOf),
    date: new Date(record.createdAt).toISOString().slice(0, DAY_LENGTH),
    events: events.map(({ event }) => event),
  });
  return written.ok ? ok({ value: written.value, tag: String(record.version) }) : written;
};

const DAY_LENGTH = "2026-11-30".length;

const nameOf = (seat: SeatRecord): string => {
  if (seat.kind === "engine") return seat.level;
  return seat.kind === "human" ? (seat.name ?? "") : "";
};
