// A worker thread for tests: engines that think until the test opens their gate. See gated-engines.ts.
import { register } from "tsx/esm/api";

register();
const { answer } = await import("./gated-engines.ts");

export { answer };
