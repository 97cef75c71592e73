import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../fixtures/testing/example-target.ts";
import { CommandError } from "../command-line/command.ts";
import { exampleCheck } from "../testing/examples.ts";
import type { Verdict } from "./verdict.ts";
import { applyWaivers, readWaivers, refuseUnusable, type Waiver } from "./waivers.ts";

const waiver = { check: "listTransfers/fail", reason: "known", owner: "payments", expires: "2026-03-31" };
const other = { ...waiver, check: "listTransfers/other" };

describe("readWaivers", () => {
  function fileWith(text: string): string {
    const path = join(temporaryFolder(), "waivers.json");
    writeFileSync(path, text);
    return path;
  }

  it.each([
    ["lacks an owner", [{ ...waiver, owner: undefined }], /\[0\]\.owner/],
    ["gives no reason", [{ ...waiver, reason: "  " }], /say why/],
    ["has a day that does not exist", [{ ...waiver, expires: "2026-02-30" }], /YYYY-MM-DD/],
    ["has a misspelt member", [{ ...waiver, expiry: "2026-03-31" }], /expiry/],
  ])("rejects a file that %s, in one line that names the file", (_case, content, problem) => {
    const path = fileWith(JSON.stringify(content));
    const read = () => readWaivers(path);

    expect(read).toThrow(CommandError);
    expect(read).toThrow(problem);
    expect(read).toThrow(new RegExp(`^WAIVERS: ${path}[^\n]*$`));
  });
});

describe("refuseUnusable", () => {
  const known = new Set([waiver.check, other.check]);
  const limits = { now: new Date("2026-03-01T23:00:00Z"), maxDays: 30 };

  it.each<[string, Waiver[], ReadonlySet<string>]>([
    ["that can be used", [waiver, { ...other, expires: "2026-03-01" }], known],
    [
      "that expired, of a check that was not selected",
      [{ ...waiver, expires: "2026-02-28" }],
      new Set([other.check]),
    ],
  ])("accepts waivers %s", (_case, waivers, selected) => {
    expect(() => refuseUnusable(waivers, known, selected, limits)).not.toThrow();
  });

  it.each([
    ["lasts too long", { ...waiver, expires: "2026-04-01" }, "MAX_WAIVER_DAYS=30: end it by 2026-03-31"],
    ["waives the check of another waiver", other, "another waiver waives"],
  ])("refuses a waiver that %s", (_case, bad, problem) => {
    expect(() => refuseUnusable([other, bad], known, known, limits)).toThrow(
      expect.objectContaining({ exitCode: 5, problems: [expect.stringContaining(problem)] }),
    );
  });
});

describe("applyWaivers", () => {
  it.each<[Verdict, Verdict, readonly string[]]>([
    ["fail", "waived", []],
    ["pass", "pass", ["is no longer needed (the verdict is pass)"]],
    ["warn", "warn", ["is no longer needed"]],
    ["inconclusive", "inconclusive", []],
  ])("of a check with the verdict %s, a waiver makes %s", (verdict, result, problems) => {
    const check = exampleCheck(verdict, { id: waiver.check, message: "was wrong" });

    const applied = applyWaivers([check], [waiver]);

    expect(applied.checks).toEqual([{ ...check, verdict: result }]);
    expect(applied.problems).toEqual(problems.map((problem) => expect.stringContaining(problem)));
  });

  it("keeps the waiver of a critical check that only warns by --letter, and of one that was not selected", () => {
    const warned = exampleCheck("warn", { id: waiver.check, level: "SHOULD", critical: true });

    expect(applyWaivers([warned], [waiver]).problems).toEqual([]);
    expect(applyWaivers([], [waiver]).problems).toEqual([]);
  });
});
