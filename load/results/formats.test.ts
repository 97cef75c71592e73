import { describe, expect, it } from "vitest";
import { all, readXml } from "../../reports/testing/xml-reader.ts";
import { exampleMeasurements, exampleResult } from "../testing/example-result.ts";
import { renderLoadJunit, renderLoadSummary } from "./formats.ts";
import type { LoadResult } from "./result.ts";

const HOSTILE = "x\n::error::stolen\n`` @everyone <img src=x> [a](b) | \u0007";

const measured = {
  ...exampleMeasurements(),
  thresholds: [
    { text: "createTransfer took 611.7 ms at p95 (objective: at most 500 ms)", ok: false },
    { text: "listTransfers took 12 ms at p95 (objective: at most 500 ms)", ok: true },
  ],
};

describe("junit.xml of a load run", () => {
  const junitOf = (change: Partial<LoadResult>) => readXml(renderLoadJunit(exampleResult(change)));

  it("has a case for each invariant and threshold, and fails for what is broken", () => {
    const xml = junitOf({ measured });

    expect(xml.attributes).toMatchObject({ tests: "5", failures: "2", errors: "0" });
    expect(all(xml, "testsuite").map(({ attributes }) => attributes.name)).toEqual([
      "load.run",
      "load.invariants",
      "load.thresholds",
    ]);
    const failed = all(xml, "testcase").filter(({ children }) =>
      children.some((one) => one.name === "failure"),
    );
    expect(failed.map(({ attributes }) => attributes.name)).toEqual([
      "L2 no reference is paid twice",
      "createTransfer took 611.7 ms at p95 (objective: at most 500 ms)",
    ]);
  });

  it.each([
    ["undecided", 4],
    ["interrupted", 130],
    ["error", 70],
  ] as const)("has an error for a run that is %s, so that it does not look green", (outcome, exitCode) => {
    const xml = junitOf({ outcome, exitCode, because: "k6 was too slow", invariants: [] });

    expect(xml.attributes.errors).toBe("1");
    expect(all(xml, "error")[0]?.attributes).toMatchObject({ message: "k6 was too slow", type: outcome });
  });

  it("skips a limit that had too few requests to be judged", () => {
    const thresholds = [{ text: "1 of 20 requests failed", ok: true, isDefault: true, isJudged: false }];

    expect(all(junitOf({ measured: { ...measured, thresholds } }), "skipped")[0]?.attributes.message).toBe(
      "1 of 20 requests failed",
    );
  });
});

describe("summary.md of a load run", () => {
  it("says the outcome, what is broken, and the measurements of each operation", () => {
    const summary = renderLoadSummary(exampleResult({ measured }));

    expect(summary).toMatch(
      /^# Failed under load: `payments staging`\n\n`broken invariant: L2 .*` \(exit code 1\)/,
    );
    for (const line of [
      "## Broken invariants (1)",
      "- **L2** `no reference is paid twice: up to 2 payouts for 7 of 7 references`",
      "## Broken thresholds (1)",
      "| createTransfer | 960 | 950 | 10 | 0 | 0 | 0 | 16.0 | 29.1 | 2008 | - | - | 5000 |",
      "20.0 of 20 requests/s, 0 iterations dropped",
      "server errors: **0** · timeouts: **0** ·",
    ]) {
      expect(summary).toContain(line);
    }
  });

  it("says Demonstration on the embedded sandbox, and shows all text as code, which no text can end", () => {
    const target = { baseUrl: "http://127.0.0.1:9", embedded: true };

    const summary = renderLoadSummary(exampleResult({ target, problems: [HOSTILE] }));

    expect(summary).toContain("**Demonstration:**");
    expect(summary).toMatch(/^- (`{3})x\\n::error::stolen\\n`` @everyone .*\1$/m);
    expect(summary.split("\n").filter((line) => line.startsWith("::"))).toEqual([]);
  });
});
