import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeArtifacts } from "../artifacts.ts";
import { expectReadable, openFile, startBrowser } from "../testing/browser.ts";
import { EXAMPLE_RUNS } from "../testing/example-runs.ts";
import { exampleCheck, exampleRun } from "../testing/examples.ts";
import { runFolder } from "../testing/run-folder.ts";

const HOSTILE = `</pre></style><script>alert(1)</script><img src="http://127.0.0.1:9/x" onerror="alert(2)">${"long".repeat(200)}`;

/** Writes the reports of a run with a failure of which every text is hostile. */
function hostileRun(): string {
  const failed = exampleCheck("fail", {
    actual: HOSTILE,
    expected: HOSTILE,
    body: HOSTILE,
    curl: HOSTILE,
    exchanges: ["exchanges/1.json"],
  });
  const warned = exampleCheck("warn", { level: "SHOULD" });
  const directory = runFolder(exampleRun([exampleCheck("pass"), failed, warned]));
  mkdirSync(join(directory, "exchanges"));
  const exchange = {
    request: { method: "GET", url: `http://127.0.0.1/${HOSTILE}`, headers: [["X", HOSTILE]], body: HOSTILE },
    response: { status: 500, headers: [["X", HOSTILE]], body: HOSTILE },
  };
  writeFileSync(join(directory, "exchanges/1.json"), JSON.stringify(exchange));
  writeArtifacts(directory);
  return directory;
}

test("report.html shows failures and requirements in every window", { timeout: 60_000 }, async (context) => {
  const browser = await startBrowser(context);

  await expectReadable(browser, join(hostileRun(), "report.html"), async (page, window) => {
    const failure = page.locator("#failures article");
    expect(await failure.isVisible(), window).toBe(true);
    expect(await failure.locator("pre").count(), window).toBe(3);
    expect(await page.locator("#requirements table").first().isVisible(), window).toBe(true);
    expect(await page.getByRole("row", { name: /^R054/ }).textContent(), window).toMatch(/failed/);
  });
});

test("report.html has one main heading, named regions, headers for every table, and links that lead somewhere", {
  timeout: 60_000,
}, async (context) => {
  const { page } = await openFile(await startBrowser(context), join(hostileRun(), "report.html"));
  const deadLinks = await page
    .locator('a[href^="#"]')
    .evaluateAll((links) =>
      links
        .map((link) => link.getAttribute("href")?.slice(1) ?? "")
        .filter((id) => !document.getElementById(decodeURIComponent(id))),
    );

  expect(await page.locator("h1").allInnerTexts()).toEqual(["Not conformant"]);
  expect(await page.getByRole("main").count()).toBe(1);
  expect(await page.locator("section:not([aria-labelledby])").count()).toBe(0);
  expect(await page.locator("table:not(:has(th[scope=col]))").count()).toBe(0);
  expect(deadLinks).toEqual([]);
});

test("certificate.html is readable in every window, and fits on two sheets of paper with all that no test can prove", {
  timeout: 60_000,
}, async (context) => {
  const browser = await startBrowser(context);
  const directory = runFolder(EXAMPLE_RUNS.demonstration);
  writeArtifacts(directory);
  const path = join(directory, "certificate.html");

  await expectReadable(browser, path, async (page, window) => {
    expect(await page.getByText("Valid until").isVisible(), window).toBe(true);
  });
  const { page } = await openFile(browser, path);
  const paper = (await page.pdf({ format: "A4" })).toString("latin1");
  expect(paper.match(/\/Type \/Page\b/g)).toHaveLength(2);
});
