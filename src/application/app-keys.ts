import type { Result } from "../kernel/result.ts";
import { err, ok } from "../kernel/result.ts";
import type { AppKey, AppStore, Clock, Scope } from "./ports.ts";
import { appKeyId, freshAppKey, tokenHash } from "./tokens.ts";

/** How an operator names an app. The name is the app: keys of one name see the same matches. */
export const APP_NAME = /^[a-z0-9][a-z0-9-]{0,39}$/;

/** Makes a key of an app. It is given out here and never again; refused where the app has two that are good. */
export const createAppKey = async (
  { apps, clock }: { readonly apps: AppStore; readonly clock: Clock },
  wish: { readonly app: string; readonly scopes: readonly Scope[] },
): Promise<Result<{ readonly key: string; readonly record: AppKey }, "name" | "two-keys">> => {
  if (!APP_NAME.test(wish.app)) return err("name");
  const key = freshAppKey();
  const hash = tokenHash(key);
  const record: AppKey = { ...wish, id: appKeyId(hash), createdAt: clock() };
  return (await apps.add(record, hash)) ? ok({ key, record }) : err("two-keys");
};
