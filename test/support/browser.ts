import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** Where Chromium is, if it is here. */
export const CHROMIUM = PLACES.find(isProgram);

const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--disable-dev-shm-usage",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // Chromium's own errands go to a port where nobody listens; loopback is never sent through a proxy.
  "--proxy-server=http://127.0.0.1:9",
  "--remote-debugging-pipe",
  "about:blank",
];

/** A page in a browser, by the DevTools protocol. */
export interface BrowserPage {
  /** Goes to a URL, and waits until the page's text holds all of `texts`; says which ones never came. */
  visit(url: string, texts: readonly string[]): Promise<readonly string[]>;
  /** Every URL that the page has asked for, whether or not an answer came. */
  requested(): readonly string[];
  close(): Promise<void>;
}

const RENDER_MS_MAX = 60_000;

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly request?: { readonly url: string } };
  readonly result?: Readonly<Record<string, unknown>>;
}

/** Opens a fresh browser with one page. */
export const openPage = async (): Promise<BrowserPage> => {
  const profile = await mkdtemp(join(tmpdir(), "qiju-chromium-"));
  const browser = spawn(CHROMIUM ?? "", [`--user-data-dir=${profile}`, ...FLAGS], {
    stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
  });
  const urls: string[] = [];
  const call = callsOf(browser, ({ method, params }) => {
    if (method === "Network.requestWillBeSent") urls.push(params?.request?.url ?? "");
  });
  const { targetId } = await call("Target.createTarget", { url: "about:blank" });
  const attached = await call("Target.attachToTarget", { targetId, flatten: true });
  const sessionId = String(attached["sessionId"]);
  await call("Network.enable", {}, sessionId);
  const visit = async (url: string, texts: readonly string[]): Promise<readonly string[]> => {
    await call("Page.navigate", { url }, sessionId);
    const expression = `(${missing.toString()})(${JSON.stringify(texts)}, ${RENDER_MS_MAX})`;
    const asked = { expression, awaitPromise: true, returnByValue: true };
    const { result } = await call("Runtime.evaluate", asked, sessionId);
    return (result as { readonly value: readonly string[] }).value;
  };
  const close = async (): Promise<void> => {
    const ended = new Promise((resolve) => browser.once("close", resolve));
    await call("Browser.close", {});
    await ended;
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  return { visit, requested: () => urls, close };
};

type Call = (
  method: string,
  params: object,
  sessionId?: string,
) => Promise<Readonly<Record<string, unknown>>>;

/** Calls over the browser's pipes: JSON texts, each ended by a NUL. */
const callsOf = (browser: ChildProcess, hear: (message: Message) => void): Call => {
  const [, , , writable, readable] = browser.stdio as unknown as [0, 0, 0, Writable, Readable];
  const waiting = new Map<number, (result: Readonly<Record<string, unknown>>) => void>();
  let rest = "";
  readable.setEncoding("utf8");
  readable.on("data", (piece: string) => {
    const texts = (rest + piece).split("\u0000");
    rest = texts.pop() ?? "";
    for (const text of texts) {
      const message = JSON.parse(text) as Message;
      if (message.id === undefined) hear(message);
      else waiting.get(message.id)?.(message.result ?? {});
    }
  });
  let last = 0;
  return (method, params, sessionId) =>
    new Promise((resolve) => {
      last += 1;
      waiting.set(last, resolve);
      writable.write(`${JSON.stringify({ id: last, method, params, sessionId })}\u0000`);
    });
};

/** Runs in the page: which texts are still missing when all are there, or when the time is up. */
const missing = (texts: readonly string[], msMax: number): Promise<readonly string[]> => {
  const page = globalThis as unknown as {
    document: { documentElement: { textContent: string } | null };
    MutationObserver: new (seen: () => void) => { observe(node: unknown, what: object): void };
  };
  const shown = () => page.document.documentElement?.textContent ?? "";
  const absent = () => texts.filter((text) => !shown().includes(text));
  return new Promise((resolve) => {
    const look = () => {
      if (absent().length === 0) resolve([]);
    };
    new page.MutationObserver(look).observe(page.document, { subtree: true, childList: true });
    setTimeout(() => resolve(absent()), msMax);
    look();
  });
};
