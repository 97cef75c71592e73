import { type RequirementId, requirements } from "../../schemas/requirements.ts";
import type { RunEvent } from "../events/events.ts";
import type { CheckResult, RunStarted, Verdict } from "../verdicts/verdict.ts";
import { exampleCheck, exampleRun, exampleStart, exampleStep } from "./examples.ts";

type Operation = CheckResult["operation"];

/** Builds the result of a check whose id begins with an operation. */
function check(id: string, verdict: Verdict, more: Partial<CheckResult> = {}): CheckResult {
  return exampleCheck(verdict, { id, operation: id.split("/")[0] as Operation, ...more });
}

const many = (count: number, build: (index: number) => CheckResult) =>
  Array.from({ length: count }, (_, index) => build(index));

const pay = exampleStep({
  request: "POST …/create-single-transfer",
  operation: "createTransfer",
  effect: "money",
  outcome: "returned 200",
  body: '{"id":1}',
  curl: `curl -X POST -H 'Authorization: Bearer '"$SECRET_KEY"''`,
});

const paidTwice = check("createTransfer/idempotency/sequential", "fail", {
  title: "pays a transfer once when its reference is repeated",
  requirements: ["R087", "R111"],
  message: "POST …/create-single-transfer paid twice; expected one payout (R087, section 4.16: ...)",
  actual: "paid twice",
  expected: "one payout",
  body: '{"status":"success"}',
  exchanges: Array.from({ length: 14 }, (_, index) => `exchanges/${index}.json`),
  steps: [pay, { ...pay, decisive: true }, exampleStep({ outcome: "returned 200", notes: ["wait 1 s"] })],
});

const BUSY = "returned 429: the target is busy; set a lower RATE_LIMIT or repeat later";

const FINDINGS: readonly CheckResult[] = [
  check("listTransfers/accepted", "pass", { requirements: ["R054", "R058"] }),
  check("listTransfers/extra", "observed", { level: "OBSERVE", requirements: [], source: "N33" }),
  paidTwice,
  check("createTransfer/idempotency/concurrent", "inconclusive", { blockedBy: paidTwice.id }),
  check("createTransfer/list", "inconclusive", { blockedBy: "createTransfer/idempotency/concurrent" }),
  check("listTransfers/many-rules", "fail", {
    requirements: ["R056", "R110", "R087", "R059", "R058"],
    curl: "curl -sS",
    exchanges: ["exchanges/1.json"],
  }),
  // Where an operation is not at its path, its other checks fail as well.
  check("getDispute/exists", "fail", { actual: "returned 404", expected: "a response of the operation" }),
  check("getDispute/accepted", "fail", { message: "returned 404" }),
  check("getDispute/warned", "warn", { level: "SHOULD", message: "sent no Cache-Control" }),
  check("getDispute/open", "inconclusive", { message: "no control was accepted" }),
  check("getDispute/blocked", "inconclusive", { blockedBy: "getDispute/accepted" }),

  check("listTransfers/grave", "fail", { level: "SHOULD", critical: true, message: "shows SQL" }),
  check("listTransfers/rule", "warn", {
    level: "SHOULD",
    requirements: [],
    source: "RFC 9111",
    actual: "sent no Cache-Control",
    expected: "no-store",
    message: "GET … sent no Cache-Control; expected no-store (RFC 9111: ...)",
  }),
  ...many(22, (index) =>
    check(`listCustomers/warn-${index}`, "warn", { level: "SHOULD", message: `${index} ${"x".repeat(90)}` }),
  ),
  ...many(8, (index) =>
    check(`listTransfers/busy-${index}`, "inconclusive", {
      message: BUSY,
      actual: "returned 429: the target is busy",
      expected: "the API lists transfers",
      body: "slow down",
      settledBy: "set a lower RATE_LIMIT or repeat later",
      exchanges: ["exchanges/9.json"],
      steps: [exampleStep({ outcome: "returned 429", exchange: "exchanges/9.json" })],
    }),
  ),
  ...many(5, (index) =>
    check(`listRecipients/busy-${index}`, "inconclusive", { level: "SHOULD", message: BUSY }),
  ),
  check("getProfile/odd", "inconclusive", { level: "SHOULD", message: "odd", rejectedValidRequest: true }),

  check("createQrTransaction/other-merchant", "not-tested", {
    reason: "variable",
    variables: ["CUSTOMER_ID"],
  }),
  check("createCardTransaction/accepted", "pass-weak", { reason: "variable", variables: ["CUSTOMER_ID"] }),
  check("createCardTransaction/auth/x", "not-tested", {
    reason: "variable",
    variables: Array.from({ length: 12 }, (_, index) => `SOME_LONG_VARIABLE_${index}`),
  }),
  check("createPaymentPage/image", "not-tested", {
    reason: "variable",
    variables: ["SEO_IMAGE"],
    message: "SEO_IMAGE a.png cannot be read",
  }),
  check("listTransfers/paging/empty", "not-tested", { reason: "empty-list" }),
  check("createTransfer/values/x", "not-tested", { reason: "budget", variables: ["MAX_PAYOUT_TOTAL"] }),
  check("createTransfer/late", "not-tested", { reason: "budget" }),
  check("createTransfer/huge", "not-tested", { reason: "unaffordable" }),
  check("refundTransaction/x", "not-tested", { reason: "spent", variables: ["REFUNDABLE_TRANSACTIONS"] }),
  check("refundTransaction/weak", "pass-weak", { message: "rejected, but perhaps for another reason" }),
  check("listDiscountCodes/x", "pass-weak", { blockedBy: "listDiscountCodes/control" }),
];

const OPERATIONS = ["getProfile", "listTransfers", "listCustomers", "getDispute", "createTransfer"] as const;

const observed = (item: string, text: string, operations: readonly Operation[], more = {}): RunEvent[] =>
  operations.map((operation) => ({ type: "observation", observation: { item, operation, text, ...more } }));

const RECORDS: readonly RunEvent[] = [
  ...observed("N33,G09", "a 401 without a token has no body", ["getProfile", "listTransfers"]),
  ...observed("G04", "the list is at /data/<items>", ["listTransfers"]),
  ...observed("G22", "status is 1", OPERATIONS),
  ...observed("N32", "a publishable key is accepted", ["getProfile", "listTransfers"], { alarming: true }),
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
    type: "created",
    created: { operation: "createPaymentPage", reference: "r-2", at: "2026-03-01T10:02:00Z" },
  },
  {
    type: "money",
    money: {
      planned: { count: 29, total: 620_700 },
      expected: {
        least: { count: 20, total: 620_000 },
        worst: { count: 267, total: 2_000_000 },
        needed: { count: 250, total: 999.5 },
        cap: { count: 300, total: null },
      },
      kept: { count: 73, total: 1_414_400.37 },
      released: { count: 1, total: 5 },
      limit: { count: 10, total: 1000 },
    },
  },
  { type: "traffic", traffic: { requests: 3000, serverErrors: 7, timeouts: 2 } },
];

const { target } = exampleStart();
/** A check that proves every requirement that a test can prove. */
const passed = exampleCheck("pass", {
  requirements: Object.entries(requirements).flatMap(([id, { testable }]) =>
    testable === "no" ? [] : [id as RequirementId],
  ),
});
const crashed = check("getDispute/steady", "fail", {
  requirements: ["R092"],
  critical: true,
  message: "GET …/dispute-details returned 500, and again",
});
const leaks = check("listTransfers/leaks", "fail", {
  level: "SHOULD",
  critical: true,
  requirements: ["R054"],
  actual: "shows a card number",
  expected: "no card number",
});
const needsKey = check("listTransfers/auth/x", "not-tested", {
  reason: "variable",
  variables: ["REVOKED_KEY"],
});
const waiver = {
  check: "listTransfers/known",
  reason: "known",
  owner: "Ada",
  ticket: "PAY-1",
  expires: "2026-04-01",
};

const run = (checks: readonly CheckResult[], start: Partial<RunStarted>, ...more: RunEvent[]) => [
  ...exampleRun(checks, start),
  ...more,
];

/** The events of runs that together have everything that a report can show, by name. */
export const EXAMPLE_RUNS = {
  failing: run(FINDINGS, {}, ...RECORDS),
  gate: run(
    [
      exampleCheck("pass"),
      exampleCheck("fail", { id: "listTransfers/new", actual: "returned 500", expected: "200" }),
      exampleCheck("fail", { id: "listTransfers/known" }),
      exampleCheck("pass", { id: "listTransfers/fixed" }),
      check("listTransfers/grave", "fail", { level: "SHOULD", critical: true, message: "shows SQL" }),
      needsKey,
      check("getDispute/x", "not-tested", {
        reason: "out-of-scope",
        requirements: ["R092"],
        message: "OUT_OF_SCOPE excludes getDispute",
      }),
    ],
    {
      command: "gate",
      commandLine: "gate --strict",
      strict: true,
      selected: true,
      outOfScope: ["getDispute", "paging"],
      waivers: [waiver],
    },
  ),
  certified: run([passed, exampleCheck("warn", { level: "SHOULD" })], {
    suite: { version: "1.0.0", commit: "a".repeat(40) },
    outOfScope: ["getProfile", "paging"],
    validDays: 30,
  }),
  unfit: run([passed, crashed, leaks, exampleCheck("warn", { level: "SHOULD" })], {}),
  letter: run([passed, crashed, leaks], { letter: true, commandLine: "certify --letter" }),
  demonstration: run([passed], { target: { ...target, embedded: true } }),
  tolerated: run([passed, needsKey], { command: "gate", commandLine: "gate" }),
  open: run([passed, needsKey, exampleCheck("inconclusive")], {}),
  live: run([exampleCheck("pass", { basis: "mandate" })], { target: { ...target, environment: "live" } }),
  broken: run(
    [passed, exampleCheck("suite-error", { message: "TypeError: x is undefined" })],
    { selected: true },
    { type: "problem", kind: "suite", text: "getProfile/x: no result" },
  ),
  refused: run([], {}, { type: "problem", kind: "refused", text: "no key was accepted" }),
} as const satisfies Record<string, readonly RunEvent[]>;
