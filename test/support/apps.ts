import { createAppKey } from "../../src/application/app-keys.ts";
import { SCOPES, type Scope } from "../../src/application/ports.ts";
import { assert } from "../../src/kernel/assert.ts";
import type { Stores } from "../../src/persistence/stores.ts";

/** A new key of an app, as the operator's command makes it. */
export const keyOfApp = async (
  { apps }: Pick<Stores, "apps">,
  app: string,
  scopes: readonly Scope[] = SCOPES,
): Promise<string> => {
  const created = await createAppKey({ apps, clock: Date.now }, { app, scopes });
  assert(created.ok, "the app has a key to spare");
  return created.value.key;
};
