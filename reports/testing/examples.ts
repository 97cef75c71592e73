import type { RunEvent } from "../events/events.ts";
import type { CheckResult, RunStarted, Step, Verdict } from "../verdicts/verdict.ts";

/** Builds the result of a MUST check of listTransfers that took 12 ms. */
export function exampleCheck(verdict: Verdict, differences: Partial<CheckResult> = {}): CheckResult {
  return {
    id: `listTransfers/${verdict}`,
    title: "lists transfers",
    operation: "listTransfers",
    level: "MUST",
    requirements: ["R054"],
    verdict,
    durationMs: 12,
    exchanges: [],
    ...differences,
  };
}

/** Builds the step of a finding: a read that returned 500. */
export const exampleStep = (differences: Partial<Step> = {}): Step => ({
  request: "GET …/transfer/get-transfer-list",
  operation: "listTransfers",
  effect: "read",
  outcome: "returned 500",
  exchange: "exchanges/1.json",
  curl: `curl -sS -i 'http://127.0.0.1/' -H 'Authorization: Bearer '"$SECRET_KEY"''`,
  ...differences,
});

/** Builds the start of a run of all checks against an external sandbox. */
export function exampleStart(differences: Partial<RunStarted> = {}): RunStarted {
  return {
    type: "run",
    suite: { version: "0.1.0", commit: "6a51d58" },
    target: {
      name: "staging",
      version: "2.4",
      baseUrl: "https://sandbox.example.com",
      environment: "sandbox",
      embedded: false,
      pathForms: { listTransfers: "bare" },
    },
    startedAt: "2026-03-01T10:00:00.000Z",
    seed: 7,
    command: "certify",
    commandLine: "certify",
    strict: false,
    letter: false,
    selected: false,
    outOfScope: [],
    waivers: [],
    validDays: 90,
    ...differences,
  };
}

export function exampleRun(checks: readonly CheckResult[], start: Partial<RunStarted> = {}): RunEvent[] {
  return [
    exampleStart(start),
    ...checks.map((result): RunEvent => ({ type: "check", result })),
    { type: "end", finishedAt: "2026-03-01T10:05:00.000Z" },
  ];
}
