import { check } from "k6";
import execution from "k6/execution";
import http from "k6/http";
import { Counter, Rate, Trend } from "k6/metrics";
import { type OperationName, requests } from "./generated/requests.ts";
import { member, type Outcome, outcomeOf } from "./outcome.ts";
import { iterationsOf, optionsOf } from "./profiles.ts";
import { referenceOf } from "./reference.ts";
import type { RequestRow } from "./request-row.ts";
import { Schedule } from "./schedule.ts";
import { REFERENCE, readSettings } from "./settings.ts";
import { type SummaryData, summarize } from "./summary.ts";
import { thresholdsOf } from "./thresholds.ts";
import { workloads } from "./workloads.ts";

/** k6's own console, which @types/k6 leaves to the DOM's types. */
declare const console: { log(line: string): void };

const settings = readSettings(__ENV);
const open = settings.profile.model === "open";
const schedule = new Schedule(workloads[settings.workload]);
const planned = schedule.counts(iterationsOf(settings.profile));

const latency = new Trend("latency", true);
const scheduleLag = new Trend("schedule_lag", true);
const outcomes = new Counter("outcomes");
const exceptions = new Counter("exceptions");
const serverErrors = new Rate("server_errors");
const technicalFailures = new Rate("technical_failures");
const TECHNICAL: readonly Outcome[] = ["server-error", "malformed", "timeout", "connection-error", "unknown"];

export const options = {
  ...optionsOf(settings.profile, settings.timeoutMs),
  thresholds: thresholdsOf(planned, settings.objectives),
  summaryTrendStats: ["count", "avg", "min", "med", "p(95)", "p(99)", "max"],
  // Every URL of a lookup differs and holds a reference: the name says enough.
  systemTags: ["name", "method", "status", "scenario", "error_code", "check", "expected_response"],
  // A redirect is never followed: the key would go with it.
  maxRedirects: 0,
  ...(settings.certificate && { tlsAuth: [settings.certificate] }),
};

export default function iterate(): void {
  const { iterationInTest, startTime } = execution.scenario;
  const lag = open ? lagOf(iterationInTest, startTime) : 0;
  if (open) scheduleLag.add(lag);
  try {
    const { step, origin } = schedule.turn(iterationInTest);
    call(step.operation, referenceOf(settings.runId, origin), iterationInTest, lag);
  } catch (error) {
    exceptions.add(1);
    throw error;
  }
}

export function handleSummary(data: SummaryData): Record<string, string> {
  return { [settings.summaryFile]: JSON.stringify(summarize(data, planned), null, 2) };
}

/** How late an iteration starts, in milliseconds: the generator's doing, since no iteration waits for an answer. */
function lagOf(iterationInTest: number, startTime: number): number {
  return Math.max(0, Date.now() - startTime - (iterationInTest * 1000) / settings.profile.rate);
}

function call(operation: OperationName, reference: string, iteration: number, lag: number): void {
  const row: RequestRow = requests[operation];
  const template = settings.templates[operation];
  if (!template) throw new Error(`TEMPLATES has no ${operation}`);
  const payload = template.body === null ? null : template.body.split(REFERENCE).join(reference);
  const response = http.request(row.method, template.url.split(REFERENCE).join(reference), payload, {
    headers: { ...template.headers, "X-Request-Id": `${settings.runId}-load.${operation}-${iteration}` },
    tags: { name: operation },
    timeout: settings.timeoutMs,
    responseCallback: documented(row),
  });
  const body = parsed(response.body);
  const outcome = outcomeOf(row, {
    status: response.status,
    errorCode: response.error_code,
    retryAfter: response.headers["Retry-After"] !== undefined,
    body,
  });
  record(operation, outcome, lag + response.timings.blocked + response.timings.duration);
  if (row.effect === "money") {
    const identifier = row.success.has === undefined ? undefined : member(body, row.success.has);
    console.log(JSON.stringify([operation, reference, outcome, response.status, identifier ?? null]));
  }
}

function record(operation: OperationName, outcome: Outcome, milliseconds: number): void {
  const tags = { name: operation };
  // A connection that was never made says nothing about how fast the operation is.
  if (outcome !== "connection-error") latency.add(milliseconds, tags);
  outcomes.add(1, { name: operation, outcome });
  serverErrors.add(outcome === "server-error", tags);
  technicalFailures.add(TECHNICAL.includes(outcome), tags);
  check(outcome, { "the answer has its documented shape": (value) => value !== "malformed" }, tags);
}

/** Tells k6 which statuses are answers and no failures: the success and every documented refusal. */
const documented = ({ success, refusals }: RequestRow) =>
  http.expectedStatuses(...[success, ...refusals].map(({ from, to }) => ({ min: from, max: to })));

function parsed(body: string | ArrayBuffer | null): unknown {
  if (typeof body !== "string") return undefined;
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
}
