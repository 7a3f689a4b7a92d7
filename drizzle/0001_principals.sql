CREATE TABLE "app_keys" (
	"key_id" text PRIMARY KEY NOT NULL,
	"key_hash" text NOT NULL,
	"app" text NOT NULL,
	"slot" integer NOT NULL,
	"scopes" text NOT NULL,
	"created_at" bigint NOT NULL,
	"revoked_at" bigint
);
--> statement-breakpoint
CREATE TABLE "played_games" (
	"match_id" uuid NOT NULL,
	"nth" integer NOT NULL,
	"seat" integer NOT NULL,
	"app" text NOT NULL,
	"player" text NOT NULL,
	"game" text NOT NULL,
	"opponent" text NOT NULL,
	"level" text,
	"won" boolean NOT NULL,
	"points" integer NOT NULL,
	"kind" text,
	"reason" text NOT NULL,
	"ended_at" bigint NOT NULL,
	CONSTRAINT "played_games_pkey" PRIMARY KEY("match_id","nth","seat")
);
--> statement-breakpoint
CREATE TABLE "seated_players" (
	"match_id" uuid NOT NULL,
	"seat" integer NOT NULL,
	"app" text NOT NULL,
	"player" text NOT NULL,
	"game" text NOT NULL,
	"status" text NOT NULL,
	"on_turn" boolean NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "seated_players_pkey" PRIMARY KEY("match_id","seat")
);
--> statement-breakpoint
ALTER TABLE "matches" ADD COLUMN "app" text;--> statement-breakpoint
CREATE UNIQUE INDEX "app_keys_hash" ON "app_keys" USING btree ("key_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "app_keys_live" ON "app_keys" USING btree ("app","slot") WHERE "app_keys"."revoked_at" is null;--> statement-breakpoint
CREATE INDEX "played_games_of_player" ON "played_games" USING btree ("app","player","ended_at","match_id","nth");--> statement-breakpoint
CREATE INDEX "seated_players_listed" ON "seated_players" USING btree ("app","player","created_at" DESC NULLS FIRST,"match_id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "seated_players_listed_by_status" ON "seated_players" USING btree ("app","player","status","created_at" DESC NULLS FIRST,"match_id" DESC NULLS FIRST);--> statement-breakpoint
CREATE INDEX "seated_players_on_turn" ON "seated_players" USING btree ("app","player","created_at" DESC NULLS FIRST,"match_id" DESC NULLS FIRST) WHERE "seated_players"."on_turn";--> statement-breakpoint
CREATE INDEX "matches_private" ON "matches" USING btree ("app","created_at" DESC NULLS FIRST,"match_id" DESC NULLS FIRST) WHERE "matches"."visibility" = 'private' and "matches"."app" is not null;--> statement-breakpoint
CREATE INDEX "matches_private_by_status" ON "matches" USING btree ("app","status","created_at" DESC NULLS FIRST,"match_id" DESC NULLS FIRST) WHERE "matches"."visibility" = 'private' and "matches"."app" is not null;