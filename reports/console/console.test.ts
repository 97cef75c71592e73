import { describe, expect, it } from "vitest";
import type { RunEvent, RunStarted } from "../events/event.ts";
import { exampleCheck, exampleRun, exampleStart } from "../testing/examples.ts";
import type { CheckResult } from "../verdicts/verdict.ts";
import { buildVerdicts } from "../verdicts/verdicts.ts";
import { consoleOptions, renderResult } from "./console.ts";

const plain = { color: false, width: 100 };

function render(
  checks: readonly CheckResult[],
  start: Partial<RunStarted> = {},
  ...more: RunEvent[]
): string {
  return renderResult(buildVerdicts([...exampleRun(checks, start), ...more]), plain);
}

const embedded = { target: { ...exampleStart().target, embedded: true } };
const failed = exampleCheck("fail", {
  id: "createTransfer/idempotency/sequential",
  operation: "createTransfer",
  requirements: ["R087"],
  message: 'POST …/create-single-transfer paid twice, expected one payout; body: {"status":"success"}',
  actual: "paid twice",
  expected: "one payout",
  exchanges: ["evidence/7.json"],
  curl: 'curl -sS -i -X POST "$BASE_URL"/api',
});
const lacking = (
  operation: CheckResult["operation"],
  variables: string[],
  verdict: "not-tested" | "pass-weak",
) => exampleCheck(verdict, { id: `${operation}/${verdict}`, operation, reason: "variable", variables });

describe("renderResult", () => {
  it("shows a failing run from what was tested to the files that say more", () => {
    const file = buildVerdicts([
      ...exampleRun([
        exampleCheck("pass"),
        failed,
        exampleCheck("inconclusive", { message: "throttled twice", operation: "listTransfers" }),
        exampleCheck("inconclusive", {
          id: "createTransfer/idempotency/concurrent",
          operation: "createTransfer",
          blockedBy: failed.id,
        }),
        exampleCheck("warn", { level: "SHOULD", message: "no Cache-Control" }),
        lacking("createQrTransaction", ["CUSTOMER_ID"], "not-tested"),
        lacking("createCardTransaction", ["CUSTOMER_ID"], "pass-weak"),
        exampleCheck("not-tested", { reason: "empty-list" }),
      ]),
      {
        type: "observation",
        observation: { item: "N33", operation: "listTransfers", text: "A 401 is JSON." },
      },
      {
        type: "created",
        created: { operation: "createTransfer", reference: "r", at: "2026-03-01T10:01:00Z" },
      },
    ]);

    const text = renderResult(
      { ...file, digests: { "created.csv": "", "allure-results/1.json": "", "allure-results/2.json": "" } },
      { ...plain, directory: "reports/out/1" },
    );

    expect(text).toMatchInlineSnapshot(`
      "Tested staging 2.4 at https://sandbox.example.com (sandbox) on 2026-03-01.

                                     pass  fail  warn  open
      GET  getProfile                   -     -     -     -
      POST createQrTransaction          -     -     -     1
      POST createCardTransaction        -     -     -     1
      POST createNddTransaction         -     -     -     -
      POST initializeVirtualAccount     -     -     -     -
      POST refundTransaction            -     -     -     -
      POST addSplitSubaccount           -     -     -     -
      GET  listTransfers                1     -     1     2
      GET  listRecipients               -     -     -     -
      POST addPageProducts              -     -     -     -
      PUT  updateDiscountCode           -     -     -     -
      POST createPaymentPage            -     -     -     -
      POST checkCustomLink              -     -     -     -
      GET  listPageProducts             -     -     -     -
      GET  getDispute                   -     -     -     -
      POST createTransfer               -     1     -     1
      GET  listCustomers                -     -     -     -
      GET  listDiscountCodes            -     -     -     -
      POST createDiscountCode           -     -     -     -
      PUT  updateSubscription           -     -     -     -

      FAILED (1)

        createTransfer/idempotency/sequential  MUST R087
          operation  POST /api/transaction-service/external/v1/transfer/create-single-transfer
          actual     paid twice
          expected   one payout
          answer     {"status":"success"}
          evidence   reports/out/1/evidence/7.json
          blocks     1 other check could not run
          curl -sS -i -X POST "$BASE_URL"/api

      WARNINGS (1)
        listTransfers/warn: no Cache-Control

      INCONCLUSIVE (1)
        listTransfers/inconclusive: throttled twice

      NOT TESTED OR WEAK (3)
        CUSTOMER_ID  2 checks (1 weak): createQrTransaction, createCardTransaction
        a list of the deployment is empty  1 check: listTransfers

      To accept a failure for a while, keep its line, say why and who, and name the file in WAIVERS:
      [
        {"check":"createTransfer/idempotency/sequential","reason":"","owner":"","expires":"2026-03-31"}
      ]

      1 observation on what the specification leaves open: observations.md
      1 record created that this API cannot delete: created.csv

      NOT CONFORMANT, exit code 1: 1 MUST check failed.
      Written to reports/out/1: verdicts.json, created.csv, allure-results/
      "
    `);
  });

  it("shows what is permitted, yet worth a look, once for all operations", () => {
    const text = "a publishable key is accepted";
    const seen = (["getProfile", "listTransfers"] as const).map((operation) => ({
      type: "observation" as const,
      observation: { item: "N32", operation, text, alarming: true as const },
    }));

    const shown = renderResult(buildVerdicts([...exampleRun([exampleCheck("pass")]), ...seen]), {
      color: false,
      width: 100,
    });

    expect(shown).toContain(
      "\nPermitted, yet worth a look: a publishable key is accepted (getProfile, listTransfers)\n",
    );
  });

  it("says first and last that the embedded sandbox was tested", () => {
    const lines = render([exampleCheck("pass")], embedded)
      .trimEnd()
      .split("\n");

    const sentence = "Demonstration: the embedded sandbox was tested, and nothing of yours.";
    expect([lines.at(0), lines.at(-1)]).toEqual([sentence, sentence]);
  });

  it("says first what else was tested, and what was declared out of scope", () => {
    const [tested, scope] = render([exampleCheck("pass")], { outOfScope: ["getDispute"] }).split("\n");

    expect(tested).toBe("Tested staging 2.4 at https://sandbox.example.com (sandbox) on 2026-03-01.");
    expect(scope).toBe("Declared out of scope: getDispute.");
  });

  it("heads a run against a live host as separation of environments only", () => {
    const target = { ...exampleStart().target, environment: "live" as const };

    expect(render([exampleCheck("pass", { basis: "mandate" })], { target })).toMatch(
      /^Environment separation only, tested on staging/,
    );
  });

  it("aligns one line for each of the 20 operations, in the order of section 4", () => {
    const lines = render([exampleCheck("pass"), exampleCheck("waived")]).split("\n");
    const table = lines.filter((line) => /^(GET|POST|PUT) /.test(line));

    expect(table).toHaveLength(20);
    expect(new Set(table.map((line) => line.length))).toHaveLength(1);
    expect(table.map((line) => line.split(/ +/)[1])).toEqual(
      expect.arrayContaining(["getProfile", "createQrTransaction", "updateSubscription"]),
    );
    expect(table[7]).toMatch(/^GET {2}listTransfers .* 1 +- +- +- +1$/);
  });

  it("reports a cause once, with the number of checks it blocked, however indirectly", () => {
    const blocked = (id: string, blockedBy: string) =>
      exampleCheck("inconclusive", { id: `createTransfer/${id}`, operation: "createTransfer", blockedBy });

    const text = render([failed, blocked("a", failed.id), blocked("b", "createTransfer/a")]);

    expect(text).toContain("blocks     2 other checks could not run");
    expect(text).not.toContain("INCONCLUSIVE");
  });

  it("names a cause that is no finding of its own beside what it blocked", () => {
    const text = render([exampleCheck("pass-weak", { blockedBy: "listTransfers/control" })]);

    expect(text).toContain("  blocked by listTransfers/control  1 check");
  });

  it("tells a reason once that several checks share, with their number", () => {
    const message = "answered 429: the target is busy; set a lower RATE_LIMIT or repeat later";
    const busy = Array.from({ length: 30 }, (_, index) =>
      exampleCheck("inconclusive", { id: `listTransfers/busy-${index}`, message }),
    );
    const text = render([...busy, exampleCheck("inconclusive", { id: "getProfile/odd", message: "odd" })]);

    expect(text).toMatch(/INCONCLUSIVE \(31\)\n {2}answered 429: [^\n]*\n? +[^\n]*30 checks: /);
    expect(text).toContain("  getProfile/odd: odd\n");
    expect(text).not.toContain("listTransfers/busy-");
  });

  it("prints twenty warnings and counts the others", () => {
    const warned = Array.from({ length: 23 }, (_, index) =>
      exampleCheck("warn", {
        id: `listTransfers/warn-${index}`,
        level: "SHOULD",
        message: `${index} ${"x".repeat(200)}`,
      }),
    );
    const lines = render(warned).split("\n");

    expect(lines.filter((line) => line.startsWith("  listTransfers/warn-"))).toHaveLength(20);
    expect(lines).toContain("  3 more in verdicts.json");
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
  });

  it("wraps a long group of variables within the width", () => {
    const variables = Array.from({ length: 12 }, (_, index) => `SOME_LONG_VARIABLE_${index}`);
    const lines = render([lacking("createQrTransaction", variables, "not-tested")]).split("\n");

    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
    expect(lines.join(" ").replaceAll(/ +/g, " ")).toContain(`${variables.join(", ")} 1 check`);
  });

  it("offers a waiver for each failure, which cannot be used before it is filled in", () => {
    const text = render([failed]);

    expect(JSON.parse(/^\[\n[^\]]*^\]/m.exec(text)?.[0] ?? "")).toEqual([
      { check: failed.id, reason: "", owner: "", expires: "2026-03-31" },
    ]);
  });

  it("shows problems and faults of the suite before all findings", () => {
    const broken = exampleCheck("suite-error", { message: "TypeError: x is undefined" });

    const text = render(
      [failed, broken],
      {},
      { type: "problem", kind: "suite", text: "getProfile/x: no result" },
    );

    expect(text.indexOf("PROBLEMS (2)")).toBeLessThan(text.indexOf("FAILED (1)"));
    expect(text).toContain("  getProfile/x: no result\n  listTransfers/suite-error: TypeError");
    expect(text).toContain(
      "ERROR, exit code 70: the suite itself broke: getProfile/x: no result (and 1 more).",
    );
  });

  it("prints a run that never started without a table", () => {
    const text = render([], {}, { type: "problem", kind: "refused", text: "no key was accepted" });

    expect(text).not.toContain("getProfile");
    expect(text).toContain("REFUSED, exit code 3: no key was accepted.");
  });

  it("never lets the target control the terminal", () => {
    const hostile = "\u001b[2J\u0007\r\u009b31m\u202e";
    const everywhere = {
      message: hostile,
      actual: hostile,
      expected: hostile,
      curl: hostile,
      blockedBy: hostile,
    };

    const text = render([
      exampleCheck("fail", everywhere),
      exampleCheck("warn", everywhere),
      exampleCheck("inconclusive", { message: hostile }),
      exampleCheck("not-tested", { variables: [hostile] }),
      exampleCheck("suite-error", { message: hostile }),
    ]);

    expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202e]/u);
  });

  it("keeps the line breaks of a multipart command", () => {
    const curl = "curl -sS -i --data-binary '--b\r\nname\r\n--b--'";

    expect(render([exampleCheck("fail", { curl })])).toContain(
      "    curl -sS -i --data-binary '--b\nname\n--b--'\n",
    );
  });

  it("colours for a terminal, and only by colour", () => {
    const file = buildVerdicts(exampleRun([failed, exampleCheck("pass"), exampleCheck("warn")]));
    const colored = renderResult(file, { ...plain, color: true });

    expect(colored).toContain("\u001b[31mNOT CONFORMANT\u001b[39m");
    const escapes = new RegExp(`${"\u001b"}\\[\\d+m`, "g");
    expect(colored.replaceAll(escapes, "")).toBe(renderResult(file, plain));
  });
});

describe("consoleOptions", () => {
  const write = () => true;

  it.each([
    [{ isTTY: true, columns: 132, write }, {}, { color: true, width: 132 }],
    [{ isTTY: true, write }, { NO_COLOR: "1" }, { color: false, width: 100 }],
    [{ write }, {}, { color: false, width: 100 }],
  ])("follows the terminal and NO_COLOR (%#)", (terminal, env, options) => {
    expect(consoleOptions(terminal, env)).toEqual(options);
  });
});
