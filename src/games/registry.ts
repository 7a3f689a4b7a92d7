import { hostedBackgammon } from "./backgammon/hosted.ts";
import type { HostedGame } from "./host.ts";

/** The games that this service knows, by id. A new game is one line here. */
export const GAMES: ReadonlyMap<string, HostedGame> = new Map(
  [hostedBackgammon].map((game) => [game.card.id, game]),
);
