import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { HttpPorts } from "../../src/http/app.ts";
import { httpApp } from "../../src/http/app.ts";
import type { Listening } from "../../src/http/server.ts";
import { listen } from "../../src/http/server.ts";
import type { BrowserPage } from "../support/browser.ts";
import { CHROMIUM, openPage } from "../support/browser.ts";
import type { OpenApi } from "../support/contract.ts";
import { operationsOf } from "../support/contract.ts";
import { testService } from "../support/service.ts";

const HOST = "127.0.0.1";

/** What the build copies to dist/reference.js. */
const BUNDLE = new URL(
  "../../node_modules/@scalar/api-reference/dist/browser/standalone.js",
  import.meta.url,
);

const quiet = (): void => undefined;

const docsApp = async () => {
  const { service, stores } = await testService({ chainLength: 16 });
  const ports: HttpPorts = {
    service,
    log: { info: quiet, error: quiet },
    referenceScript: BUNDLE,
    about: {
      name: "qiju",
      version: "0.0.0-test",
      commit: "test",
      database: stores.server,
      durability: stores.durability,
      ready: stores.ping,
    },
  };
  return httpApp(ports);
};

it("the page names no other host, and may ask none", async () => {
  const page = await (await docsApp()).request("/docs");
  expect(await page.text()).not.toMatch(/https?:\/\//);
  const policy = page.headers.get("Content-Security-Policy") ?? "";
  expect(policy).toContain("default-src 'self'");
  expect(policy).not.toMatch(/https?:|\*/);
});

it("the page's script comes from here, and may be kept for a day", async () => {
  const script = await (await docsApp()).request("/docs/reference.js");
  expect(script.headers.get("Content-Type")).toContain("text/javascript");
  expect(script.headers.get("Cache-Control")).toBe("public, max-age=86400");
  expect((await script.arrayBuffer()).byteLength).toBeGreaterThan(1_000_000);
});

const title = CHROMIUM === undefined ? "skipped: docs page in Chromium (needs chromium)" : "/docs";

describe.skipIf(CHROMIUM === undefined)(title, () => {
  let server: Listening;
  let page: BrowserPage;
  let document: OpenApi;

  beforeAll(async () => {
    const app = await docsApp();
    document = (await (await app.request("/openapi.json")).json()) as OpenApi;
    server = await listen(app.fetch, { host: HOST, port: 0 });
    page = await openPage();
  });
  afterAll(async () => {
    await page.close();
    await server.close();
  });

  it("shows every operation by its title, and asks nobody but the service", async () => {
    const titles = operationsOf(document).map(({ operation }) => operation.summary ?? "");
    const missing = await page.visit(`http://${HOST}:${server.port}/docs`, titles);
    expect(missing).toEqual([]);
    const asked = page.requested().filter((url) => !/^(data|blob|about):/.test(url));
    expect(asked).toContain(`http://${HOST}:${server.port}/openapi.json`);
    expect([...new Set(asked.map((url) => new URL(url).host))]).toEqual([`${HOST}:${server.port}`]);
  }, 90_000);

  it("would be caught asking somebody else", async () => {
    const picture = "http://example.invalid/picture.png";
    await page.visit(`data:text/html,<p>here</p><img src="${picture}">`, ["here"]);
    expect(page.requested()).toContain(picture);
  });
});
