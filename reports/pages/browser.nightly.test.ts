import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { type RequirementId, requirements } from "../../schemas/requirements.ts";
import { writeArtifacts } from "../artifacts.ts";
import { openEvents } from "../events/events.ts";
import { writeAllurePage } from "../formats/allure-page.ts";
import { openFile, startBrowser, WINDOWS } from "../testing/browser.ts";
import { exampleCheck, exampleRun } from "../testing/examples.ts";
import type { CheckResult } from "../verdicts/verdict.ts";

const HOSTILE = `</pre></style><script>alert(1)</script><img src="http://127.0.0.1:9/x" onerror="alert(2)">${"long".repeat(200)}`;

/** Writes the reports of a run into a new folder. */
async function runOf(checks: readonly CheckResult[]): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), "pages-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const log = openEvents(directory);
  for (const event of exampleRun(checks)) log.append(event);
  log.close();
  mkdirSync(join(directory, "exchanges"));
  const exchange = {
    request: { method: "GET", url: `http://127.0.0.1/${HOSTILE}`, headers: [["X", HOSTILE]], body: HOSTILE },
    response: { status: 500, headers: [["X", HOSTILE]], body: HOSTILE },
  };
  writeFileSync(join(directory, "exchanges/1.json"), JSON.stringify(exchange));
  await writeArtifacts(directory);
  return directory;
}

const FAILED = exampleCheck("fail", {
  actual: HOSTILE,
  expected: HOSTILE,
  body: HOSTILE,
  curl: HOSTILE,
  exchanges: ["exchanges/1.json"],
});

describe("report.html in a browser", () => {
  test("shows failures and requirements in every window, and asks no host for anything", async (context) => {
    const browser = await startBrowser(context);
    onTestFinished(() => browser.close());
    const directory = await runOf([exampleCheck("pass"), FAILED, exampleCheck("warn", { level: "SHOULD" })]);

    for (const [name, options, media, isDark] of WINDOWS) {
      const { page, incidents } = await openFile(browser, join(directory, "report.html"), options);
      await page.emulateMedia({ media });
      const failure = page.locator("#failures article");
      const matrix = page.locator("#requirements table").first();
      const row = page.getByRole("row", { name: /^R054/ });
      const [width, background] = await page.evaluate(() => [
        document.documentElement.scrollWidth,
        getComputedStyle(document.body).backgroundColor,
      ]);

      expect(await failure.isVisible(), name).toBe(true);
      expect(await failure.locator("pre").count(), name).toBe(3);
      expect(await matrix.isVisible(), name).toBe(true);
      expect(await row.textContent(), name).toMatch(/failed/);
      expect(width, `${name}: nothing sticks out`).toBeLessThanOrEqual(options.viewport?.width ?? 0);
      expect(background, name).toBe(isDark ? "rgb(15, 19, 23)" : "rgb(255, 255, 255)");
      expect(incidents, name).toEqual([]);
      await page.close();
    }
  }, 60_000);

  test("has one main heading, named regions, and headers for every table", async (context) => {
    const browser = await startBrowser(context);
    onTestFinished(() => browser.close());
    const directory = await runOf([exampleCheck("pass"), FAILED]);
    const { page } = await openFile(browser, join(directory, "report.html"), {});

    expect(await page.locator("h1").allInnerTexts()).toEqual(["Not conformant"]);
    expect(await page.getByRole("main").count()).toBe(1);
    expect(await page.locator("section:not([aria-labelledby])").count()).toBe(0);
    expect(await page.locator("table:not(:has(th[scope=col]))").count()).toBe(0);
    expect(
      await page
        .locator('a[href^="#"]')
        .evaluateAll(
          (links) =>
            links.filter(
              (link) =>
                !document.getElementById(decodeURIComponent(link.getAttribute("href")?.slice(1) ?? "")),
            ).length,
        ),
    ).toBe(0);
  }, 60_000);
});

describe("certificate.html in a browser", () => {
  test("is readable in every window and fits on two sheets of paper with all that no test can prove", async (context) => {
    const browser = await startBrowser(context);
    onTestFinished(() => browser.close());
    const tested = Object.entries(requirements).filter(([, { testable }]) => testable !== "no");
    const ids = tested.map(([id]) => id) as RequirementId[];
    const directory = await runOf([exampleCheck("pass", { requirements: ids })]);

    for (const [name, options, media, isDark] of WINDOWS) {
      const { page, incidents } = await openFile(browser, join(directory, "certificate.html"), options);
      await page.emulateMedia({ media });
      const [width, background] = await page.evaluate(() => [
        document.documentElement.scrollWidth,
        getComputedStyle(document.body).backgroundColor,
      ]);

      expect(await page.getByText("Valid until").isVisible(), name).toBe(true);
      expect(width, `${name}: nothing sticks out`).toBeLessThanOrEqual(options.viewport?.width ?? 0);
      expect(background, name).toBe(isDark ? "rgb(15, 19, 23)" : "rgb(255, 255, 255)");
      expect(incidents, name).toEqual([]);
      await page.close();
    }
    const { page } = await openFile(browser, join(directory, "certificate.html"), {});
    const paper = (await page.pdf({ format: "A4" })).toString("latin1");
    expect(paper.match(/\/Type \/Page\b/g)).toHaveLength(2);
  }, 60_000);
});

describe("allure.html in a browser", () => {
  test("shows the tree of operations in every window, and asks no host for anything", async (context) => {
    const browser = await startBrowser(context);
    onTestFinished(() => browser.close());
    const directory = await runOf([exampleCheck("pass"), FAILED]);
    const path = await writeAllurePage(directory);

    for (const [name, options, media] of WINDOWS.filter(([, one]) => one.javaScriptEnabled !== false)) {
      const { page, incidents } = await openFile(browser, path, options);
      await page.emulateMedia({ media });

      await page.getByText("listTransfers").first().waitFor();
      expect(
        incidents.filter((one) => !/^request: (blob|data):/.test(one)),
        name,
      ).toEqual([]);
      await page.close();
    }
  }, 60_000);
});
