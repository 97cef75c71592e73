import { profiles } from "../k6/profiles.ts";
import type { Steps } from "../k6/requests.ts";
import { transfersOf } from "../reconcile/evidence.ts";
import { readLine } from "../results/recording/lines.ts";
import { Recording } from "../results/recording/recording.ts";
import { summaryOf } from "../results/recording/summary.ts";
import { invariant, type LoadResult, type Summary } from "../results/result.ts";

/** One response, as k6's log has it; its operation is that of its iteration. */
export interface LoggedResponse {
  readonly iteration: number;
  readonly outcome?: string;
  readonly dueMs?: number;
  readonly lagMs?: number;
  readonly latencyMs?: number;
}

/** The line of k6's log for a response: an accepted transfer that took 10 ms, unless it is said otherwise. */
export const loggedResponse = (response: LoggedResponse): string => {
  const { iteration, outcome = "accepted", dueMs = iteration * 50, lagMs = 0, latencyMs = 10 } = response;
  return JSON.stringify([
    "createTransfer",
    `r${iteration}`,
    outcome,
    200,
    null,
    [iteration, dueMs + lagMs, latencyMs],
  ]);
};

/** The line with which k6 ends its log of the example run. */
export const LOGGED_END = JSON.stringify(["end", "0123abcd", "0:1", 60_000]);

const TRANSFERS: Steps = [{ operation: "createTransfer", weight: 1 }];

export const EXAMPLE_RUN = {
  suite: { version: "0.1.0", commit: "0123456789abcdef" },
  target: { name: "payments staging", baseUrl: "https://sandbox.example.com", embedded: false },
  runId: "0123abcd",
  workload: "transfers",
  steps: TRANSFERS,
  profile: { name: "average", ...profiles.average },
  iterations: 1200,
  k6: "2.2.0",
  startedAt: "2026-01-01T00:00:00.000Z",
  command: "npm run load -- transfers --profile average",
};

/** The measurements of the example run with this log, if it sends these steps. */
export function recorded(lines: readonly string[], steps = TRANSFERS, isCutShort = false): Summary {
  const recording = new Recording({ ...EXAMPLE_RUN, steps });
  for (const line of lines) recording.add(readLine(line), "log");
  const summary = summaryOf(recording, isCutShort);
  if (!summary) throw new Error("there are no responses");
  return summary;
}

const MIX: Steps = [
  { operation: "createTransfer", weight: 4 },
  { operation: "listTransfers", weight: 1 },
];

/** One request in five is a look-up; one transfer in 96 is refused, and the target is slow for five seconds. */
function exampleResponse(iteration: number): LoggedResponse {
  const isSlow = iteration >= 600 && iteration < 700;
  const latencyMs = isSlow ? (700 - iteration) * 50 : 8 + ((iteration * 7) % 40);
  if (iteration % 5 === 2) return { iteration, latencyMs: latencyMs / 2 };
  return { iteration, outcome: iteration % 120 === 0 ? "business-refused" : "accepted", latencyMs };
}

/** The example run with 1,200 responses. */
export const exampleMeasurements = () =>
  recorded(
    Array.from({ length: 1200 }, (_, index) => loggedResponse(exampleResponse(index))),
    MIX,
  );

const references = ["a", "b", "c", "d", "e", "f", "g"];

/** The result of a run that paid seven references twice. */
export const exampleResult = (change: Partial<LoadResult> = {}): LoadResult => ({
  schema: "payments-conformance/load@3",
  ...EXAMPLE_RUN,
  finishedAt: "2026-01-01T00:01:40.000Z",
  measured: exampleMeasurements(),
  validity: "valid",
  reconciled: 7,
  invariants: [
    invariant("L1", "held", "7 of 7"),
    invariant("L2", "broken", "up to 2 payouts for 7 of 7 references", transfersOf([], references)),
  ],
  money: {
    planned: { count: 7, total: 700 },
    kept: { count: 7, total: 700 },
    released: { count: 0, total: 0 },
    limit: { count: 100, total: 10_000 },
  },
  problems: [],
  outcome: "failed",
  exitCode: 1,
  because: "broken invariant: L2 (no reference is paid twice): up to 2 payouts for 7 of 7 references",
  ...change,
});
