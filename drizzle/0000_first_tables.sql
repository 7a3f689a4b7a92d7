CREATE TABLE "decks" (
	"deck" integer PRIMARY KEY NOT NULL,
	"size" integer NOT NULL,
	"length" integer NOT NULL,
	"root" text NOT NULL,
	"sealed_secret" text NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "leases" (
	"name" text PRIMARY KEY NOT NULL,
	"holder" text NOT NULL,
	"lapses_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "lines" (
	"match_id" uuid NOT NULL,
	"seq" integer NOT NULL,
	"line" text NOT NULL,
	CONSTRAINT "lines_pkey" PRIMARY KEY("match_id","seq")
);
--> statement-breakpoint
CREATE TABLE "matches" (
	"match_id" uuid PRIMARY KEY NOT NULL,
	"game" text NOT NULL,
	"variant" text NOT NULL,
	"options" text NOT NULL,
	"visibility" text NOT NULL,
	"status" text NOT NULL,
	"seats" text NOT NULL,
	"claims" integer NOT NULL,
	"version" integer NOT NULL,
	"head" text NOT NULL,
	"created_at" bigint NOT NULL,
	"at" bigint NOT NULL,
	"due_at" bigint,
	"snapshot" text NOT NULL,
	"hidden" text
) WITH (fillfactor = 50);
--> statement-breakpoint
CREATE TABLE "service" (
	"name" text PRIMARY KEY NOT NULL,
	"value" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "stored_answers" (
	"match_id" uuid NOT NULL,
	"principal" text NOT NULL,
	"key" text NOT NULL,
	"request_hash" text NOT NULL,
	"tag" text NOT NULL,
	"body" text NOT NULL,
	CONSTRAINT "stored_answers_pkey" PRIMARY KEY("match_id","principal","key")
);
--> statement-breakpoint
CREATE INDEX "matches_listed" ON "matches" USING btree ("created_at" DESC NULLS FIRST,"match_id" DESC NULLS FIRST) WHERE "matches"."visibility" = 'public';--> statement-breakpoint
CREATE INDEX "matches_listed_by_status" ON "matches" USING btree ("status","created_at" DESC NULLS FIRST,"match_id" DESC NULLS FIRST) WHERE "matches"."visibility" = 'public';--> statement-breakpoint
CREATE INDEX "matches_due" ON "matches" USING btree ("due_at","match_id") WHERE "matches"."due_at" is not null;
