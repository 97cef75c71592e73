import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../../fixtures/testing/example-target.ts";
import { openFile, startBrowser, WINDOWS } from "../../../reports/testing/browser.ts";
import { exampleResult } from "../../testing/example-result.ts";
import { renderLoadPage } from "./load-page.ts";

const HOSTILE = `</style></svg><script>alert(1)</script><img src="http://127.0.0.1:9/x" onerror="alert(2)">${"long".repeat(200)}`;

test("load.html shows its charts in every window, with readable letters, and asks no host for anything", async (context) => {
  const browser = await startBrowser(context);
  onTestFinished(() => browser.close());
  const path = join(temporaryFolder(), "load.html");
  writeFileSync(path, await renderLoadPage(exampleResult({ because: HOSTILE, problems: [HOSTILE] })));

  for (const [name, options, media, isDark] of WINDOWS) {
    const { page, incidents } = await openFile(browser, path, options);
    await page.emulateMedia({ media });
    const charts = page.locator("figure.chart svg:visible");
    const [width, background] = await page.evaluate(() => [
      document.documentElement.scrollWidth,
      getComputedStyle(document.body).backgroundColor,
    ]);
    const label = await charts.first().locator("text").first().boundingBox();
    const line = charts.nth(1).locator("path[stroke]").first();

    expect(await charts.count(), name).toBe(4);
    expect(label?.height, `${name}: the letters of a chart are readable`).toBeGreaterThan(10);
    expect(await line.evaluate((path) => getComputedStyle(path).stroke), name).toBe(
      isDark ? "rgb(121, 184, 255)" : "rgb(7, 87, 186)",
    );
    expect(width, `${name}: nothing sticks out`).toBeLessThanOrEqual(options.viewport?.width ?? 0);
    expect(background, name).toBe(isDark ? "rgb(15, 19, 23)" : "rgb(255, 255, 255)");
    expect(incidents, name).toEqual([]);
    await page.close();
  }
}, 60_000);
