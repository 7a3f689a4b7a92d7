// The service's own worker thread, from its source.
import { register } from "tsx/esm/api";

register();
const { answer, deckTips } = await import("../../src/worker.ts");

export { answer, deckTips };
