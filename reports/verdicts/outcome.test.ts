import { expect, it } from "vitest";
import { buildVerdicts } from "../build-verdicts.ts";
import type { RunEvent } from "../events/events.ts";
import { exampleCheck, exampleRun, exampleStart } from "../testing/examples.ts";
import type { Problem } from "./outcome.ts";
import type { CheckResult, RunStarted, Verdict } from "./verdict.ts";

const should = (verdict: Verdict, more = {}) => exampleCheck(verdict, { level: "SHOULD", ...more });
const untested = (more: Partial<CheckResult>) => exampleCheck("not-tested", more);
const passed = exampleCheck("pass");
const failed = exampleCheck("fail");
const waived = exampleCheck("fail", { id: "listTransfers/waived" });
const lacksData = untested({ reason: "variable", variables: ["CUSTOMER_ID"] });
const inconclusive = exampleCheck("inconclusive");
const critical = should("fail", { id: "listTransfers/critical", critical: true });
const doubtful = exampleCheck("fail", { id: "listTransfers/doubtful", critical: true });
const waivedCritical = { ...critical, id: waived.id };

/** What a run may find, by name. */
const FOUND: Readonly<Record<string, readonly CheckResult[]>> = {
  nothing: [],
  passed: [passed],
  failed: [passed, failed],
  waived: [passed, waived],
  "waived, and nothing passed": [waived],
  inconclusive: [passed, inconclusive],
  "lacks data": [passed, lacksData],
  "lacks data, and nothing passed": [lacksData],
  "lacks data and inconclusive": [passed, lacksData, inconclusive],
  "lacks data and failed": [passed, lacksData, failed],
  "empty list": [passed, untested({ reason: "empty-list" })],
  "out of budget": [passed, untested({ reason: "budget" })],
  "data used up": [passed, untested({ reason: "spent" })],
  "out of scope": [passed, untested({ reason: "out-of-scope" })],
  "out of scope, and nothing passed": [untested({ reason: "out-of-scope" })],
  weak: [passed, exampleCheck("pass-weak")],
  "weak, for lack of data": [passed, exampleCheck("pass-weak", { variables: ["PAGE_ID"] })],
  "a valid request rejected": [passed, should("inconclusive", { rejectedValidRequest: true })],
  "SHOULD passed": [should("pass")],
  "SHOULD warned": [passed, should("warn")],
  "SHOULD open": [passed, should("not-tested"), should("inconclusive")],
  "only SHOULD open": [should("not-tested")],
  critical: [passed, critical],
  "critical, in a MUST check": [passed, doubtful],
  "critical, and lacks data": [passed, critical, lacksData],
  "critical and failed": [failed, critical, doubtful],
  "waived, a critical finding": [passed, waivedCritical],
  "interrupted before": [untested({ reason: "interrupted" })],
};

const waiver = { check: waived.id, reason: "known", owner: "Ada", expires: "2026-04-01" };
const live = { target: { ...exampleStart().target, environment: "live" } } as const;

/** The ways of running the checks. */
const MODES: Readonly<Record<string, Partial<RunStarted>>> = {
  certify: {},
  gate: { command: "gate" },
  "gate --strict": { command: "gate", strict: true },
  "certify --select": { selected: true },
  "gate --select": { command: "gate", selected: true },
  "certify --letter": { letter: true },
  "certify of a live host": live,
  "certify of a live host, checks of the mandate": live,
};

const END: RunEvent = { type: "end", finishedAt: "2026-03-01T10:05:00.000Z" };

function decided(events: readonly RunEvent[]): string {
  const { exitCode, outcome, because } = buildVerdicts(events);
  return `${exitCode} ${outcome}: ${because}`;
}

/** What each mode decides of each thing that a run may find. */
const DECISIONS = Object.entries(MODES).flatMap(([mode, start]) => [
  `\n# ${mode}`,
  ...Object.entries(FOUND).map(([found, checks]) => {
    const basis = mode.endsWith("mandate") ? ({ basis: "mandate" } as const) : {};
    const waivers = found.startsWith("waived") ? [waiver] : [];
    const judged = checks.map((check) => ({ ...check, ...basis }));
    return `${found}: ${decided(exampleRun(judged, { ...start, waivers }))}`;
  }),
]);

const problem = (kind: Problem["kind"]): RunEvent => ({ type: "problem", kind, text: kind });
const result = (check: CheckResult): RunEvent => ({ type: "check", result: check });

/** What says most about a run comes first, and decides it. */
const PRECEDENCE: readonly RunEvent[] = [
  result(exampleCheck("suite-error", { message: "broke" })),
  problem("suite"),
  { type: "interrupted" },
  problem("usage"),
  problem("refused"),
  result(failed),
  problem("unreachable"),
  problem("waiver"),
  result(inconclusive),
  result(untested({ reason: "interrupted" })),
  result(passed),
];

it.each([
  ["decisions", DECISIONS],
  ["precedence", PRECEDENCE.map((_, index) => decided([exampleStart(), ...PRECEDENCE.slice(index), END]))],
])("decides as it did when the %s were reviewed", async (name, lines) => {
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot(`../testing/golden/outcome.${name}.txt`);
});
