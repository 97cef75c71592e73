import { expect, it } from "vitest";
import { buildVerdicts } from "../build-verdicts.ts";
import { exampleConsole, exampleFailure, exampleWithoutData, plain } from "../testing/example-console.ts";
import { exampleCheck, exampleRun, exampleStep } from "../testing/examples.ts";
import { renderResult } from "./console.ts";

it("shows problems and faults of the suite before all findings", () => {
  const broken = exampleCheck("suite-error", { message: "TypeError: x is undefined" });
  const problem = { type: "problem", kind: "suite", text: "getProfile/x: no result" } as const;

  const text = exampleConsole([exampleFailure, broken], {}, problem);

  expect(text.indexOf("PROBLEMS (2)")).toBeLessThan(text.indexOf("FAILED (1)"));
  expect(text).toContain("  getProfile/x: no result\n  listTransfers/suite-error: TypeError");
  expect(text).toContain(
    "ERROR, exit code 70: the suite itself broke: getProfile/x: no result (and 1 more).",
  );
});

it("words a warning as what the API did, and says which would fail under --hardened", () => {
  const title = "refuses a discount code when maxClaims is 0";
  const mild = exampleCheck("warn", { id: "listTransfers/mild", title, message: "accepts maxClaims 0" });
  const grave = exampleCheck("warn", { id: "listTransfers/grave", critical: true, message: "shows SQL" });

  const text = exampleConsole([mild, grave]);

  expect(text).toContain("  listTransfers/mild: accepts maxClaims 0\n");
  expect(text).toContain("  listTransfers/grave: shows SQL (critical)\n");
  expect(text).not.toContain("refuses");
  expect(text.replaceAll(/\s+/g, " ")).toContain(
    "2 warnings, which do not block a release. Under --hardened, 1 critical one would: listTransfers/grave.",
  );
});

it("shows what the API did and what was expected", () => {
  const [actual, expected] = ["returned 500", "400"];
  const message = "GET …/get-transfer-list returned 500; expected 400 (R059, section 4.8: ...)";

  expect(exampleConsole([exampleCheck("warn", { message, actual, expected })])).toContain(
    "  listTransfers/warn: returned 500; expected 400\n",
  );
});

it("prints twenty warnings and counts the others", () => {
  const warned = Array.from({ length: 23 }, (_, index) =>
    exampleCheck("warn", {
      id: `listTransfers/warn-${index}`,
      level: "SHOULD",
      message: `${index} ${"x".repeat(200)}`,
    }),
  );

  const lines = exampleConsole(warned).split("\n");

  expect(lines.filter((line) => line.startsWith("  listTransfers/warn-"))).toHaveLength(20);
  expect(lines).toContain("  3 more in verdicts.json");
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
});

it("shows a reason once that several checks share, with their number", () => {
  const message = "returned 429: the target is busy; set a lower RATE_LIMIT or repeat later";
  const busy = Array.from({ length: 30 }, (_, index) =>
    exampleCheck("inconclusive", { id: `listTransfers/busy-${index}`, level: "SHOULD", message }),
  );
  const odd = exampleCheck("inconclusive", { id: "getProfile/odd", level: "SHOULD", message: "odd" });

  const text = exampleConsole([...busy, odd]);

  expect(text.replaceAll(/\s+/g, " ")).toMatch(
    /INCONCLUSIVE \(31\) returned 429: [^(]*: 30 checks on basics \(listTransfers\)/,
  );
  expect(text).toContain("  getProfile/odd: odd\n");
  expect(text).not.toContain("listTransfers/busy-");
});

it("shows an undecided MUST check like a failure, with what would settle it, and a shared cause once", () => {
  const busy = Array.from({ length: 8 }, (_, index) =>
    exampleCheck("inconclusive", {
      id: `listTransfers/busy-${index}`,
      message: "returned 429: the target is busy; set a lower RATE_LIMIT or repeat later",
      actual: "returned 429: the target is busy",
      expected: "the API lists transfers",
      body: "slow down",
      settledBy: "set a lower RATE_LIMIT or repeat later",
      exchanges: ["exchanges/9.json"],
      steps: [exampleStep({ outcome: "returned 429", exchange: "exchanges/9.json" })],
    }),
  );

  const text = exampleConsole(busy);

  expect(text).toContain(
    [
      "INCONCLUSIVE (8)",
      "",
      "  listTransfers/busy-0 (MUST)",
      "    operation    GET /api/transaction-service/external/v1/transfer/get-transfer-list",
      "    checks that  the API lists transfers",
      "    actual       returned 429: the target is busy",
      "    required by  R054 (section 4.8): GET transfer/get-transfer-list lists transfers.",
      "    response     slow down",
      "    settled by   set a lower RATE_LIMIT or repeat later",
      "    evidence     exchanges/9.json",
      `    ${exampleStep().curl}`,
      "    The same holds for listTransfers/busy-1, listTransfers/busy-2, listTransfers/busy-3,",
    ].join("\n"),
  );
  expect(text).toMatch(/listTransfers\/busy-4 +and 3 more in\s+verdicts\.json\./);
});

it("cuts nothing but the list of evidence for a file or another program", () => {
  const long = "x".repeat(900);
  const warned = Array.from({ length: 30 }, (_, index) =>
    exampleCheck("warn", { id: `listTransfers/warn-${index}`, level: "SHOULD", message: `${index} ${long}` }),
  );
  const failed = { ...exampleFailure, actual: long, exchanges: ["1", "2", "3", "4", "5"] };
  const file = buildVerdicts(exampleRun([failed, ...warned]));

  const text = renderResult(file, { ...plain, whole: true });

  expect(text.match(new RegExp(long, "g"))).toHaveLength(31);
  expect(text).toContain("evidence     1, 2, 3, 2 more in verdicts.json\n");
  expect(text).not.toContain("…");
  expect(text.match(/more in verdicts\.json/g)).toHaveLength(1);
});

it("names a cause that is not listed itself beside the checks that it blocks", () => {
  const text = exampleConsole([exampleCheck("pass-weak", { blockedBy: "listTransfers/control" })]);

  expect(text).toContain("  blocked by listTransfers/control (1 check)");
});

it("names the caps with which no check is left out for its cost, and raises none for amounts beyond any budget", () => {
  const spent = exampleCheck("not-tested", { reason: "budget", variables: ["MAX_PAYOUT_TOTAL"] });
  const huge = exampleCheck("not-tested", { id: "listTransfers/huge", reason: "unaffordable" });
  const sum = { count: 250, total: 999.5 };
  const none = { count: 0, total: 0 };
  const money = { planned: sum, needed: sum, kept: none, released: none, limit: none };

  const text = exampleConsole([spent, huge], {}, { type: "money", money });

  expect(text).toContain("  raise MAX_PAYOUT_TOTAL: 1 check on basics (listTransfers)\n");
  expect(text).toContain(
    "  the amounts are too large for any budget, on purpose: 1 check on basics (listTransfers)\n",
  );
  expect(text).toContain(
    "  MAX_PAYOUTS=250 and MAX_PAYOUT_TOTAL=1000 pay for every check but those whose amounts are too\n",
  );
  expect(exampleConsole([huge], {}, { type: "money", money })).not.toContain("MAX_PAYOUT");
});

it("explains what a pass without proof is only if there is one", () => {
  const explained = "A check passes without proof if the API did what the check demands";

  expect(exampleConsole([exampleWithoutData("getDispute", ["X"], "pass-weak")])).toContain(explained);
  expect(exampleConsole([exampleWithoutData("getDispute", ["X"])])).not.toContain(explained);
});

it("wraps a long group of variables within the width", () => {
  const variables = Array.from({ length: 12 }, (_, index) => `SOME_LONG_VARIABLE_${index}`);
  const lines = exampleConsole([exampleWithoutData("createQrTransaction", variables)]).split("\n");

  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
  expect(lines.join(" ").replaceAll(/ +/g, " ")).toContain(`set ${variables.join(", ")}: 1 check`);
});
