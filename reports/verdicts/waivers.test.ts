import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { CommandError } from "../command-line/command.ts";
import { exampleCheck } from "../testing/examples.ts";
import type { Verdict } from "./verdict.ts";
import { applyWaivers, readWaivers, refuseUnusable, type Waiver } from "./waivers.ts";

const waiver = { check: "listTransfers/fail", reason: "known", owner: "payments", expires: "2026-03-31" };

function fileWith(text: string): string {
  const directory = mkdtempSync(join(tmpdir(), "waivers-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const path = join(directory, "waivers.json");
  writeFileSync(path, text);
  return path;
}

describe("readWaivers", () => {
  it("reads every entry of the file", () => {
    const second = { ...waiver, check: "listTransfers/other", ticket: "PAY-1" };

    expect(readWaivers(fileWith(JSON.stringify([waiver, second])))).toEqual([waiver, second]);
  });

  it.each([
    ["is not an array", waiver, /expected array/],
    ["lacks an owner", [{ ...waiver, owner: undefined }], /\[0\]\.owner/],
    ["gives no reason", [{ ...waiver, reason: "  " }], /say why/],
    ["has a bad day", [{ ...waiver, expires: "31.03.2026" }], /YYYY-MM-DD/],
    ["has a day that does not exist", [{ ...waiver, expires: "2026-02-30" }], /YYYY-MM-DD/],
    ["has a misspelt member", [{ ...waiver, expiry: "2026-03-31" }], /expiry/],
  ])("rejects a file that %s, in one line that names the file", (_case, content, problem) => {
    const path = fileWith(JSON.stringify(content));
    const read = () => readWaivers(path);

    expect(read).toThrow(CommandError);
    expect(read).toThrow(problem);
    expect(read).toThrow(new RegExp(`^WAIVERS: ${path}[^\n]*$`));
  });

  it("rejects a file that is missing or not JSON", () => {
    const path = fileWith("[{");

    expect(() => readWaivers(path)).toThrow(/is not valid JSON/);
    expect(() => readWaivers(`${path}.missing`)).toThrow(/cannot read/);
  });
});

describe("refuseUnusable", () => {
  const other = { ...waiver, check: "listTransfers/other" };
  const known = new Set([waiver.check, other.check]);
  const refusalOf = (waivers: readonly Waiver[], selected: ReadonlySet<string> = known) => {
    try {
      refuseUnusable(waivers, known, selected, { now: new Date("2026-03-01T23:00:00Z"), maxDays: 30 });
    } catch (error) {
      if (error instanceof CommandError) return { exitCode: error.exitCode, problems: error.problems };
      throw error;
    }
    return undefined;
  };

  it("accepts waivers that can be used", () => {
    expect(refusalOf([waiver, { ...other, expires: "2026-03-01" }])).toBeUndefined();
  });

  it.each([
    ["names no check", { ...waiver, check: "listTransfers/nothing" }, "names no check of this suite"],
    ["has expired", { ...waiver, expires: "2026-02-28" }, "expired on 2026-02-28"],
    ["lasts too long", { ...waiver, expires: "2026-04-01" }, "MAX_WAIVER_DAYS=30: end it by 2026-03-31"],
  ])("refuses a waiver that %s", (_case, bad, problem) => {
    expect(refusalOf([other, bad])).toEqual({ exitCode: 5, problems: [expect.stringContaining(problem)] });
  });

  it("refuses two waivers of a check", () => {
    expect(refusalOf([waiver, waiver])?.problems).toEqual([expect.stringContaining("another waiver waives")]);
  });

  it("lets an expired waiver pass if its check was not selected", () => {
    expect(refusalOf([{ ...waiver, expires: "2026-02-28" }], new Set([other.check]))).toBeUndefined();
  });
});

describe("applyWaivers", () => {
  const today = "2026-03-31";
  const known = new Set([waiver.check]);
  const verdictWith = (verdict: Verdict, waivers: Waiver[], day = today) =>
    applyWaivers([exampleCheck(verdict, { id: waiver.check, message: "was wrong" })], waivers, day, known);

  it("turns a failure into waived up to the last day, and keeps its message", () => {
    const { checks, problems } = verdictWith("fail", [waiver]);

    expect(checks).toMatchObject([{ verdict: "waived", message: "was wrong" }]);
    expect(problems).toEqual([]);
  });

  it("keeps a failure whose waiver has expired, and says so", () => {
    const { checks, problems } = verdictWith("fail", [waiver], "2026-04-01");

    expect(checks).toMatchObject([{ verdict: "fail" }]);
    expect(problems).toEqual([
      "the waiver of listTransfers/fail expired on 2026-03-31: fix the failure or extend the waiver",
    ]);
  });

  it.each<Verdict>(["pass", "observed", "warn"])(
    "complains about a waiver if the verdict is %s",
    (verdict) => {
      const { checks, problems } = verdictWith(verdict, [waiver]);

      expect(checks).toMatchObject([{ verdict }]);
      expect(problems).toEqual([expect.stringContaining("is no longer needed")]);
    },
  );

  it.each<Verdict>(["inconclusive", "not-tested", "pass-weak", "suite-error"])(
    "neither waives nor complains if the verdict is %s",
    (verdict) => {
      const { checks, problems } = verdictWith(verdict, [waiver]);

      expect(checks).toMatchObject([{ verdict }]);
      expect(problems).toEqual([]);
    },
  );

  it("keeps the waiver of a critical check that only warns without --hardened", () => {
    const warned = exampleCheck("warn", { id: waiver.check, level: "SHOULD", critical: true });

    expect(applyWaivers([warned], [waiver], today, known).problems).toEqual([]);
  });

  it("complains about a waiver that names no check, including a glob", () => {
    const glob = { ...waiver, check: "listTransfers/*" };

    expect(verdictWith("fail", [glob]).problems).toEqual([
      expect.stringContaining("names no check of this suite"),
    ]);
    expect(verdictWith("fail", [glob]).checks).toMatchObject([{ verdict: "fail" }]);
  });

  it("accepts a waiver of a check that was not selected", () => {
    expect(applyWaivers([], [waiver], today, known).problems).toEqual([]);
  });
});
