import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { foldLines } from "../../src/application/table.ts";
import { hostedBackgammon } from "../../src/games/backgammon/hosted.ts";
import { present } from "../../src/kernel/assert.ts";
import { audit } from "../support/audit.ts";
import { GOLDEN_LOGS, goldenUrl, signature } from "../support/golden.ts";
import { playedMatch } from "../support/played-match.ts";
import { playthrough } from "../support/playthrough.ts";

// npx tsx test/tooling/write-golden.ts
// Rewrites the playthrough and the signature: read the difference before you commit it. A log that is
// already there is never written again: it is what a release has written, and must verify for ever.

const pretty = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

writeFileSync(goldenUrl("backgammon/playthrough.txt"), await playthrough());
writeFileSync(goldenUrl("signature.txt"), await signature());

for (const [name, plan] of Object.entries(GOLDEN_LOGS)) {
  const file = (kind: string): URL => goldenUrl(`logs/${name}.${kind}`);
  mkdirSync(new URL("./", file("ndjson")), { recursive: true });
  if (existsSync(file("ndjson"))) continue;
  const played = await playedMatch(plan);
  const { state, rolls, cards } = foldLines(hostedBackgammon, played.lines);
  const said = await audit(played);
  const close = JSON.parse(present(played.lines.at(-1), "a log has lines"));
  writeFileSync(file("ndjson"), `${played.lines.join("\n")}\n`);
  writeFileSync(file("decks.json"), pretty({ decks: played.decks }));
  const stated = { said, reason: close.reason, rolls, cards: cards.length };
  writeFileSync(
    file("expected.json"),
    pretty({ ...stated, result: hostedBackgammon.result(state) }),
  );
  console.log(name, said);
}
