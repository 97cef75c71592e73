import { existsSync } from "node:fs";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { expect, onTestFinished, type TestContext } from "vitest";

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Starts the Chromium of this machine for a test; skips it, and says why, where there is none. */
export async function startBrowser({ skip }: TestContext): Promise<Browser> {
  const { CHROMIUM_PATH } = process.env;
  const executablePath = [...(CHROMIUM_PATH ? [CHROMIUM_PATH] : []), ...PLACES].find((path) =>
    existsSync(path),
  );
  if (executablePath === undefined)
    return skip("no Chromium on this machine: install it (apt-get install chromium) or set CHROMIUM_PATH");
  // A container has no user namespaces for the sandbox of the browser, and the pages are our own.
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  onTestFinished(() => browser.close());
  return browser;
}

const phone = { width: 400, height: 900 };
const desk = { width: 1600, height: 1000 };
const sheet = { width: 700, height: 990 };

/** The windows, and the paper, on which people read a report. */
const WINDOWS: Readonly<Record<string, BrowserContextOptions & { readonly media?: "print" }>> = {
  "a phone": { viewport: phone, colorScheme: "light" },
  "a phone without JavaScript": { viewport: phone, colorScheme: "light", javaScriptEnabled: false },
  "a dark phone": { viewport: phone, colorScheme: "dark" },
  "a desk": { viewport: desk, colorScheme: "light" },
  "paper, for a reader who prefers dark": { viewport: sheet, colorScheme: "dark", media: "print" },
};

/** Opens a file in a window of its own; `incidents` is what the page did without being asked: output, errors and requests. */
export async function openFile(browser: Browser, path: string, options: BrowserContextOptions = {}) {
  const page = await (await browser.newContext(options)).newPage();
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

/**
 * Opens a page of ours in every window: it fits, has the colours that its reader prefers, and asks no host for anything.
 * `look` expects the rest.
 */
export async function expectReadable(
  browser: Browser,
  path: string,
  look: (page: Page, window: string, isDark: boolean) => Promise<void>,
) {
  for (const [window, { media = "screen", ...options }] of Object.entries(WINDOWS)) {
    const { page, incidents } = await openFile(browser, path, options);
    await page.emulateMedia({ media });
    const isDark = options.colorScheme === "dark" && media === "screen";
    const [width, background] = await page.evaluate(() => [
      document.documentElement.scrollWidth,
      getComputedStyle(document.body).backgroundColor,
    ]);

    await look(page, window, isDark);
    expect(width, `${window}: nothing sticks out`).toBeLessThanOrEqual(options.viewport?.width ?? 0);
    expect(background, window).toBe(isDark ? "rgb(15, 19, 23)" : "rgb(255, 255, 255)");
    expect(incidents, window).toEqual([]);
    await page.close();
  }
}
