import { describe, expect, it } from "vitest";
import { buildVerdicts } from "../build-verdicts.ts";
import { exampleConsole, exampleFailure, exampleWithoutData, plain } from "../testing/example-console.ts";
import { exampleCheck, exampleRun, exampleStart } from "../testing/examples.ts";
import { consoleOptions, renderResult } from "./console.ts";

describe("renderResult", () => {
  it("shows a failing run from what was tested to the reports that say more", () => {
    const file = buildVerdicts([
      ...exampleRun([
        exampleCheck("pass"),
        exampleFailure,
        exampleCheck("inconclusive", { message: "the target was busy twice", operation: "listTransfers" }),
        exampleCheck("inconclusive", {
          id: "createTransfer/idempotency/concurrent",
          operation: "createTransfer",
          blockedBy: exampleFailure.id,
        }),
        exampleCheck("warn", { level: "SHOULD", message: "sent no Cache-Control" }),
        exampleWithoutData("createQrTransaction", ["CUSTOMER_ID"]),
        exampleWithoutData("createCardTransaction", ["CUSTOMER_ID"], "pass-weak"),
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
      {
        type: "money",
        money: {
          planned: { count: 29, total: 620_700 },
          worst: { count: 267, total: 2_000_000 },
          cap: { count: 300, total: null },
          kept: { count: 73, total: 1_414_400.37 },
          released: { count: 0, total: 0 },
          limit: { count: null, total: null },
        },
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

        createTransfer/idempotency/sequential (MUST)
          operation    POST /api/transaction-service/external/v1/transfer/create-single-transfer
          checks that  the API pays a transfer once when its reference is repeated
          actual       paid twice
          expected     one payout
          required by  R087 (section 4.16): A repeated transferReference never causes a second payout.
          required by  R111 (section 7): Every operation returns the status codes of the table in section 7.
          response     {"status":"success"}
          evidence     reports/out/1/exchanges/7.json
          blocks       1 other check, which could not run
          curl -sS -i -X POST "$BASE_URL"/api

      WARNINGS (1)
        1 warning, which does not block a release, nor would it under --hardened.
        listTransfers/warn: sent no Cache-Control

      INCONCLUSIVE (1)

        listTransfers/inconclusive (MUST)
          operation    GET /api/transaction-service/external/v1/transfer/get-transfer-list
          checks that  the API lists transfers
          actual       the target was busy twice
          required by  R054 (section 4.8): GET transfer/get-transfer-list lists transfers.

      NOT TESTED, OR PASSED WITHOUT PROOF (3)
        set CUSTOMER_ID: 2 checks on basics (createQrTransaction, createCardTransaction); 1 passed without
            proof
        a list of the deployment is empty: 1 check on basics (listTransfers)
        A check passes without proof if the API did what the check demands, but perhaps for another
            reason.

      To waive failures for a while, save this list to a file and set WAIVERS to its path.
      Delete the lines of failures that you do not waive, and fill in each reason and owner.
      [
        {"check":"createTransfer/idempotency/sequential","reason":"","owner":"","expires":"2026-03-31"}
      ]

      The run recorded 1 observation about what the specification leaves open: see observations.md.
      The run created 1 record, which this API cannot delete: see created.csv.
      Money, in the unit of the currency:
        expected     29 payouts    620,700.00 in total
        worst case  267 payouts  2,000,000.00 in total
        cap         300 payouts                   none
        actual       73 payouts  1,414,400.37 in total

      Reports written to reports/out/1: verdicts.json, created.csv, allure-results/, attestation.json
      NOT CONFORMANT, exit code 1: 1 MUST check failed.
      "
    `);
  });

  it("shows what is permitted but worth checking once for all operations", () => {
    const text = "a publishable key is accepted";
    const seen = (["getProfile", "listTransfers"] as const).map((operation) => ({
      type: "observation" as const,
      observation: { item: "N32", operation, text, alarming: true as const },
    }));

    expect(exampleConsole([exampleCheck("pass")], {}, ...seen)).toContain(
      "\nPermitted, but worth checking: a publishable key is accepted (getProfile, listTransfers)\n",
    );
  });

  it("says first and last that it tested the embedded sandbox", () => {
    const target = { ...exampleStart().target, embedded: true };

    const lines = exampleConsole([exampleCheck("pass")], { target })
      .trimEnd()
      .split("\n");

    const sentence = "Demonstration: this run tested the embedded sandbox, not your deployment.";
    expect([lines.at(0), lines.at(-1)]).toEqual([sentence, sentence]);
  });

  it("says first which deployment it tested, and first and last what was declared out of scope, which is not open", () => {
    const excluded = exampleCheck("not-tested", { operation: "getDispute", reason: "out-of-scope" });
    const lines = exampleConsole([exampleCheck("pass"), excluded], { outOfScope: ["getDispute"] })
      .trimEnd()
      .split("\n");
    const [tested, scope] = lines;

    expect(tested).toBe("Tested staging 2.4 at https://sandbox.example.com (sandbox) on 2026-03-01.");
    expect(scope).toBe("Declared out of scope: getDispute (1 check).");
    expect(lines).toContain("                               pass  fail  warn  open  out of scope");
    expect(lines).toContain("GET  getDispute                   -     -     -     -             1");
    expect(lines.join("\n")).not.toContain("NOT TESTED");
    expect(lines.at(-1)).toBe(
      "CONFORMANT for 19 of 20 operations, exit code 0: every MUST check passed (1); out of scope: getDispute.",
    );
  });

  it("says that a run against a live host tests environment separation only", () => {
    const target = { ...exampleStart().target, environment: "live" as const };

    expect(exampleConsole([exampleCheck("pass", { basis: "mandate" })], { target })).toMatch(
      /^Tested environment separation only: staging 2\.4 at /,
    );
  });

  it("aligns one line for each of the 20 operations, in the order of section 4", () => {
    const lines = exampleConsole([exampleCheck("pass"), exampleCheck("waived")]).split("\n");
    const table = lines.filter((line) => /^(GET|POST|PUT) /.test(line));

    expect(table).toHaveLength(20);
    expect(new Set(table.map((line) => line.length))).toHaveLength(1);
    expect(table.map((line) => line.split(/ +/)[1])).toEqual(
      expect.arrayContaining(["getProfile", "createQrTransaction", "updateSubscription"]),
    );
    expect(table[7]).toMatch(/^GET {2}listTransfers .* 1 +- +- +- +1$/);
  });

  it("leaves out the operations of which no check was selected", () => {
    const text = exampleConsole([exampleCheck("pass")], { selected: true });

    expect(text.split("\n").filter((line) => /^(GET|POST|PUT) /.test(line))).toHaveLength(1);
  });

  it("prints a run that never started without a table", () => {
    const text = exampleConsole([], {}, { type: "problem", kind: "refused", text: "no key was accepted" });

    expect(text).not.toContain("getProfile");
    expect(text).toContain("REFUSED, exit code 3: no key was accepted.");
  });

  it("never lets the target control the terminal", () => {
    const hostile = "\u001b[2J\u0007\r\u009b31m\u202e";
    const everywhere = {
      title: hostile,
      message: hostile,
      actual: hostile,
      expected: hostile,
      body: hostile,
      source: hostile,
      curl: hostile,
      blockedBy: hostile,
    };

    const text = exampleConsole([
      exampleCheck("fail", everywhere),
      exampleCheck("warn", everywhere),
      exampleCheck("inconclusive", { title: hostile, message: hostile }),
      exampleCheck("not-tested", { variables: [hostile] }),
      exampleCheck("suite-error", { message: hostile }),
    ]);

    expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202e]/u);
  });

  it("writes the same text with and without colours", () => {
    const file = buildVerdicts(exampleRun([exampleFailure, exampleCheck("pass"), exampleCheck("warn")]));
    const colored = renderResult(file, { ...plain, color: true });

    expect(colored).toContain("\u001b[31mNOT CONFORMANT\u001b[39m");
    const escapes = new RegExp(`${"\u001b"}\\[\\d+m`, "g");
    expect(colored.replaceAll(escapes, "")).toBe(renderResult(file, plain));
  });
});

describe("consoleOptions", () => {
  const write = () => true;

  it.each([
    [{ isTTY: true, columns: 132, write }, {}, { color: true, width: 132, whole: false }],
    [{ isTTY: true, columns: 132, write }, { COLUMNS: "60" }, { color: true, width: 60, whole: false }],
    [{ isTTY: true, write }, { NO_COLOR: "1" }, { color: false, width: 100, whole: false }],
    [{ write }, { COLUMNS: "wide" }, { color: false, width: 100, whole: true }],
    [{ write }, { COLUMNS: "70" }, { color: false, width: 70, whole: true }],
  ])("follows the terminal, NO_COLOR and COLUMNS (%#)", (terminal, env, options) => {
    expect(consoleOptions(terminal, env)).toEqual(options);
  });
});
