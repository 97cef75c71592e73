import { buildVerdicts } from "../build-verdicts.ts";
import { renderResult } from "../console/console.ts";
import type { RunEvent } from "../events/events.ts";
import type { RunStarted } from "../verdicts/run.ts";
import type { CheckResult } from "../verdicts/verdict.ts";
import { exampleCheck, exampleRun } from "./examples.ts";

export const plain = { color: false, width: 100 };

/** Renders the console of an example run for {@link plain}. */
export const exampleConsole = (
  checks: readonly CheckResult[],
  start: Partial<RunStarted> = {},
  ...more: RunEvent[]
): string => renderResult(buildVerdicts([...exampleRun(checks, start), ...more]), plain);

/** A failed check with everything that a failure shows. */
export const exampleFailure = exampleCheck("fail", {
  id: "createTransfer/idempotency/sequential",
  title: "pays a transfer once when its reference is repeated",
  operation: "createTransfer",
  requirements: ["R087", "R111"],
  message:
    "POST …/create-single-transfer paid twice; expected one payout (R087, section 4.16: A repeated " +
    'transferReference never causes a second payout; also R111). Response body: {"status":"success"}',
  actual: "paid twice",
  expected: "one payout",
  body: '{"status":"success"}',
  exchanges: ["exchanges/7.json"],
  curl: 'curl -sS -i -X POST "$BASE_URL"/api',
});

export const exampleWithoutData = (
  operation: CheckResult["operation"],
  variables: string[],
  verdict: "not-tested" | "pass-weak" = "not-tested",
): CheckResult =>
  exampleCheck(verdict, { id: `${operation}/${verdict}`, operation, reason: "variable", variables });
