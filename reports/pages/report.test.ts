import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { buildVerdicts } from "../build-verdicts.ts";
import type { RunEvent } from "../events/events.ts";
import { exampleCheck, exampleRun, exampleStep } from "../testing/examples.ts";
import { exchangeReader } from "../verdicts/exchange.ts";
import type { RunStarted } from "../verdicts/run.ts";
import type { CheckResult } from "../verdicts/verdict.ts";
import { renderReport } from "./report.ts";

function reportOf(
  checks: readonly CheckResult[],
  start: Partial<RunStarted> = {},
  others: readonly RunEvent[] = [],
): string {
  return renderReport(buildVerdicts([...exampleRun(checks, start), ...others]), () => undefined);
}

/** The text of a page as a reader sees it, with one space for each run of white space. */
const textOf = (page: string) =>
  page
    .replace(/<style>.*?<\/style>/s, "")
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");

const FAILED = exampleCheck("fail", {
  actual: "returned 500",
  expected: "200",
  requirements: ["R054"],
  exchanges: ["exchanges/1.json"],
  curl: "curl -sS 'http://127.0.0.1/'",
});

describe("report.html", () => {
  it("says the outcome, what was tested and how", () => {
    const text = textOf(reportOf([exampleCheck("pass"), FAILED], { hardened: true }));

    expect(text).toContain("Not conformant staging 2.4: 1 MUST check failed.");
    for (const fact of [
      "Base URL https://sandbox.example.com",
      "Tested 2026-03-01 10:00 UTC, for 5 min 0 s",
      "Suite payments-conformance 0.1.0, commit 6a51d58",
      "Seed 7",
      "Modes hardened",
      "Exit code 1",
    ]) {
      expect(text).toContain(fact);
    }
  });

  it("names the operations out of scope in its first sentence, and how many it covers", () => {
    const page = reportOf([exampleCheck("pass")], { outOfScope: ["getProfile", "paging"] });

    expect(textOf(page)).toContain(
      "Conformant for 19 of 20 operations staging 2.4: every MUST check passed (1); out of scope: getProfile, paging.",
    );
    expect(page).toContain("<title>Conformant for 19 of 20 operations: staging 2.4</title>");
  });

  it("shows a failure with its requirement in words, what happened, what was expected and the command", () => {
    const text = textOf(reportOf([FAILED]));

    expect(text).toContain("✗ failed · listTransfers: returned 500");
    expect(text).toContain(
      "Checks that the API lists transfers Expected 200 Required by R054 (section 4.8): GET transfer/",
    );
    expect(text).toContain("Command that repeats the request curl -sS &#39;http://127.0.0.1/&#39;");
  });

  it("shows the last exchange of a failure as it went over the wire", () => {
    const directory = mkdtempSync(join(tmpdir(), "page-"));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    mkdirSync(join(directory, "exchanges"));
    const request = { method: "GET", url: "http://127.0.0.1/list", headers: [["Accept", "*/*"]], body: "" };
    const response = { status: 500, headers: [["Server", "x"]], body: "<b>down</b>" };
    writeFileSync(join(directory, "exchanges/1.json"), JSON.stringify({ request, response, durationMs: 3 }));

    const page = renderReport(buildVerdicts(exampleRun([FAILED])), exchangeReader(directory));

    expect(page).toContain("GET http://127.0.0.1/list\nAccept: */*");
    expect(page).toContain("500\nServer: x\n\n&lt;b&gt;down&lt;/b&gt;");
  });

  it("shows the requests of a sequence in their order, with what each command does", () => {
    const exchange = (status: number) => ({
      request: { method: "POST", url: "http://127.0.0.1/", headers: [], body: "" },
      response: { status, headers: [], body: "" },
    });
    const steps = [
      exampleStep({ exchange: "exchanges/1.json", effect: "money", curl: "curl 1" }),
      exampleStep({ exchange: "exchanges/2.json", effect: "money", curl: "curl 2", decisive: true }),
    ];
    const failed = exampleCheck("fail", { steps, settledBy: "set SETTLE_SECONDS" });
    const read = (path: string) => exchange(path === "exchanges/1.json" ? 201 : 409);

    const text = textOf(renderReport(buildVerdicts(exampleRun([failed])), read));

    expect(text).toMatch(/Request 1 of 2 POST .* 201 Request 2 of 2, which decides POST .* 409/);
    expect(text).toMatch(
      /Commands that repeat the requests, in this order # 1 of 2: .* # This moves money if the API accepts it\. curl 1 # 2 of 2, which decides/,
    );
    expect(text).toContain("Settled by set SETTLE_SECONDS");
  });

  it.each([
    "../secret.json",
    "/etc/passwd",
    "exchanges/../../secret.json",
    "C:\\secret",
    "exchanges/missing.json",
  ])("reads nothing outside the run's folder, and nothing that is missing: %s", (path) => {
    expect(exchangeReader("/tmp")(path)).toBeUndefined();
  });

  it("says which variable would settle an open check, and which check it waits for", () => {
    const text = textOf(
      reportOf([
        exampleCheck("not-tested", { reason: "variable", variables: ["PAGE_ID"] }),
        exampleCheck("inconclusive", { id: "listTransfers/late", blockedBy: "listTransfers/accepted" }),
      ]),
    );

    expect(text).toContain("set PAGE_ID 1 check on basics (listTransfers)");
    expect(text).toContain("settle listTransfers/accepted 1 check on basics (listTransfers)");
  });

  it("shows many findings with the same cause once", () => {
    const same = Array.from({ length: 5 }, (_, index) =>
      exampleCheck("inconclusive", { id: `listTransfers/${index}`, message: "the target is gone" }),
    );

    const page = reportOf(same);

    expect(page.match(/<h3>.*the target is gone/g)).toHaveLength(1);
    expect(textOf(page)).toContain("The same finding in 4 other checks of listTransfers");
  });

  it("gives every requirement the worst verdict of its MUST checks, and says why it was not proved", () => {
    const page = reportOf([
      exampleCheck("pass", { requirements: ["R054", "R011"] }),
      exampleCheck("fail", { requirements: ["R011"] }),
      exampleCheck("warn", { level: "SHOULD", requirements: ["R054"] }),
      exampleCheck("not-tested", { requirements: ["R026"], reason: "variable", variables: ["PLAN_ID"] }),
      exampleCheck("not-tested", {
        id: "createDiscountCode/x",
        requirements: ["R092"],
        reason: "out-of-scope",
        message: "OUT_OF_SCOPE excludes createDiscountCode",
      }),
    ]);
    const verdictOf = (id: string) =>
      textOf(
        /<tr><th scope="row"><span id="ID">.*?<\/tr>/s.exec(page.replace(`id="${id}"`, 'id="ID"'))?.[0] ?? "",
      );

    expect(verdictOf("R054")).toMatch(/✓ passed 1 warning, 1 passed/);
    expect(verdictOf("R011")).toMatch(
      /Not proved: the API violates it: listTransfers\/fail ✗ failed 1 failed/,
    );
    expect(verdictOf("R026")).toMatch(/Not proved: set PLAN_ID .*\? open 1 not tested/);
    expect(verdictOf("R092")).toMatch(
      /Not proved: OUT_OF_SCOPE excludes createDiscountCode .*– out of scope/,
    );
    expect(verdictOf("R002")).toMatch(/Not proved: A test over HTTP cannot see .* no check none/);
  });

  it("shows alarming observations first, and every sentence once for all its operations", () => {
    const seen = (text: string, item: string, more = {}) =>
      (["listTransfers", "listCustomers"] as const).map(
        (operation): RunEvent => ({
          type: "observation",
          observation: { item, operation, text, ...more },
        }),
      );
    const page = reportOf([exampleCheck("pass")], {}, [
      ...seen("headers are odd", "G09"),
      ...seen("a key is shown", "N32", { alarming: true }),
    ]);
    const text = textOf(page);

    expect(text.indexOf("worth checking")).toBeLessThan(text.indexOf("HTTP, paths and headers"));
    expect(text).toContain("G09: response headers headers are odd (listTransfers, listCustomers)");
    expect(page.match(/headers are odd/g)).toHaveLength(1);
  });

  it("lists what the run created, what it paid and what was waived", () => {
    const waiver = {
      check: FAILED.id,
      reason: "known",
      owner: "Ada",
      ticket: "PAY-1",
      expires: "2026-04-01",
    };
    const text = textOf(
      reportOf([FAILED], { waivers: [waiver] }, [
        {
          type: "created",
          created: {
            operation: "createTransfer",
            reference: "r-1",
            identifier: "T1",
            at: "2026-03-01T10:01:00Z",
          },
        },
        {
          type: "money",
          money: {
            planned: { count: 9, total: 900 },
            kept: { count: 2, total: 200 },
            released: { count: 1, total: 5 },
            limit: { count: 10, total: 1000 },
          },
        },
      ]),
    );

    expect(text).toContain("listTransfers/fail waived known Ada PAY-1 2026-04-01");
    expect(text).toContain("Made or unknown 2 payouts, 200.00 in total");
    expect(text).toContain("Caps at most 10 payouts, at most 1,000.00");
    expect(text).toContain("r-1 T1 createTransfer 2026-03-01 10:01 UTC");
  });

  it("keeps everything that a target returned from becoming markup or hiding", () => {
    const hostile = `"><img src=x onerror=alert(1)><script>x</script>'&\u202e\u0000`;
    const page = reportOf(
      [
        exampleCheck("fail", {
          id: hostile,
          title: hostile,
          actual: hostile,
          expected: hostile,
          body: hostile,
          curl: hostile,
          exchanges: [`exchanges/${hostile}`, `javascript:alert(1)`],
        }),
        exampleCheck("not-tested", { message: hostile, reason: "variable", variables: [hostile] }),
      ],
      { target: { ...exampleTarget, name: hostile, baseUrl: hostile }, commandLine: hostile },
      [{ type: "observation", observation: { item: "G05", operation: "listTransfers", text: hostile } }],
    );

    expect(page).not.toMatch(/<(img|script)/);
    expect(page).not.toMatch(/\son\w+="/);
    expect(page).not.toMatch(/href="(?!#|data:,|\.\/)/);
    expect([...page].filter((character) => character === "\u202e" || character === "\u0000")).toEqual([]);
    expect(page).toContain("\\u202e\\u0000");
  });
});

const exampleTarget: RunStarted["target"] = {
  baseUrl: "",
  environment: "sandbox",
  embedded: false,
  pathForms: {},
};
