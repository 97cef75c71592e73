import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../fixtures/testing/example-target.ts";
import { expectReadable, startBrowser } from "../../../reports/testing/browser.ts";
import { exampleResult } from "../../testing/example-result.ts";
import { renderLoadPage } from "./load-page.ts";

const HOSTILE = `</style></svg><script>alert(1)</script><img src="http://127.0.0.1:9/x" onerror="alert(2)">${"long".repeat(200)}`;

test("load.html shows its charts in every window, with readable letters", {
  timeout: 60_000,
}, async (context) => {
  const path = join(temporaryFolder(), "load.html");
  writeFileSync(path, renderLoadPage(exampleResult({ because: HOSTILE, problems: [HOSTILE] })));

  await expectReadable(await startBrowser(context), path, async (page, window, isDark) => {
    const charts = page.locator("figure.chart > svg");
    const label = await charts.first().locator("text").first().boundingBox();
    const line = charts.nth(1).locator("path").first();

    expect(await charts.count(), window).toBe(3);
    expect(label?.height, `${window}: the letters of a chart are readable`).toBeGreaterThan(10);
    expect(await line.evaluate((path) => getComputedStyle(path).stroke), window).toBe(
      isDark ? "rgb(121, 184, 255)" : "rgb(7, 87, 186)",
    );
  });
});
