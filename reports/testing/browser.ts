import { existsSync } from "node:fs";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import type { TestContext } from "vitest";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Starts the Chromium of this machine; skips the test, and says why, where there is none. */
export async function startBrowser({ skip }: TestContext): Promise<Browser> {
  const { CHROMIUM_PATH } = process.env;
  const executablePath = [...(CHROMIUM_PATH ? [CHROMIUM_PATH] : []), ...PLACES].find((path) =>
    existsSync(path),
  );
  if (executablePath === undefined)
    return skip("no Chromium on this machine: install it (apt-get install chromium) or set CHROMIUM_PATH");
  // A container has no user namespaces for the sandbox of the browser, and the pages are our own.
  return await chromium.launch({ executablePath, args: ["--no-sandbox"] });
}

const phone = { width: 400, height: 900 };
const desk = { width: 1600, height: 1000 };
/** The windows, and the paper, on which people read a report. */
export const WINDOWS: readonly (readonly [
  name: string,
  BrowserContextOptions,
  media: "screen" | "print",
  isDark: boolean,
])[] = [
  ["400 px wide", { viewport: phone, colorScheme: "light" }, "screen", false],
  [
    "400 px wide, without JavaScript",
    { viewport: phone, colorScheme: "light", javaScriptEnabled: false },
    "screen",
    false,
  ],
  ["dark", { viewport: phone, colorScheme: "dark" }, "screen", true],
  ["wide", { viewport: desk, colorScheme: "light" }, "screen", false],
  [
    "on paper, for a reader who prefers dark",
    { viewport: { width: 700, height: 990 }, colorScheme: "dark" },
    "print",
    false,
  ],
];

/** A page, and everything that it did without being asked: console output, errors, and requests to any host. */
export interface Watched {
  readonly page: Page;
  readonly incidents: readonly string[];
}

/** Opens a file in a window of its own. */
export async function openFile(
  browser: Browser,
  path: string,
  options: BrowserContextOptions,
): Promise<Watched> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const incidents: string[] = [];
  page.on("console", (message) => incidents.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => incidents.push(`error: ${error.message}`));
  page.on("request", (request) => {
    const isOwn = request.url() === `file://${path}` || request.url() === "data:,";
    if (!isOwn) incidents.push(`request: ${request.url()}`);
  });
  await page.goto(`file://${path}`);
  return { page, incidents };
}
