import { check } from "k6";
import execution from "k6/execution";
import http from "k6/http";
import { Counter, Rate, Trend } from "k6/metrics";
import { type OperationName, requests } from "./generated/requests.ts";
import { fieldOf, isTechnicalFailure, type Outcome, outcomeOf, type RequestRow } from "./outcome.ts";
import { iterationsOf, optionsOf } from "./profiles.ts";
import { referencesOf } from "./reference.ts";
import { Schedule } from "./schedule.ts";
import { REFERENCE, type Settings } from "./settings.ts";
import { thresholdsOf } from "./thresholds.ts";
import { parseJson, Watch } from "./watch.ts";
import { workloads } from "./workloads.ts";

/** k6's own console, which @types/k6 leaves to the DOM's types. */
declare const console: { log(line: string): void };

if (!__ENV.SETTINGS) throw new Error("SETTINGS is not set: start k6 with npm run load");
const settings = JSON.parse(__ENV.SETTINGS) as Settings;
const isOpenModel = settings.profile.model === "open";
const schedule = new Schedule(workloads[settings.workload]);
const references = referencesOf(settings.runId, settings.referenceForm);
const planned = schedule.requestsIn(iterationsOf(settings.profile));

const watch = new Watch(settings, references.prefix, (line) => log(line));

const latency = new Trend("latency", true);
const scheduleLag = new Trend("schedule_lag", true);
const outcomes = new Counter("outcomes");
const exceptions = new Counter("exceptions");
const serverErrors = new Rate("server_errors");
const technicalFailures = new Rate("technical_failures");

/** By operation: the statuses of a success and of every documented rejection, which are no failures to k6. */
const expectedStatuses = Object.fromEntries(
  Object.entries(requests).map(([operation, { success, rejections }]: [string, RequestRow]) => [
    operation,
    http.expectedStatuses(...[success, ...rejections].map(({ from, to }) => ({ min: from, max: to }))),
  ]),
) as Record<OperationName, ReturnType<typeof http.expectedStatuses>>;

export const options = {
  ...optionsOf(settings.profile, settings.timeoutMs),
  thresholds: thresholdsOf(planned, settings.objectives),
  summaryTrendStats: ["count", "avg", "min", "med", "p(95)", "p(99)", "max"],
  // Not `url`: every lookup has a URL of its own, and the name is enough.
  systemTags: ["name", "method", "status", "scenario", "error_code", "check", "expected_response"],
  // A redirect would get the key.
  maxRedirects: 0,
  ...(settings.certificate && { tlsAuth: [settings.certificate] }),
};

export default function iterate(): void {
  const { iterationInTest, startTime } = execution.scenario;
  const lag = isOpenModel ? scheduleLagOf(iterationInTest, startTime) : 0;
  if (isOpenModel) scheduleLag.add(lag);
  const timing = { iteration: iterationInTest, due: Date.now() - startTime - lag, lag };
  try {
    const { step, origin } = schedule.requestAt(iterationInTest);
    sendAndRecord(step.operation, references.at(origin), timing);
    watch.probe(iterationInTest);
  } catch (error) {
    exceptions.add(1);
    log(["exception", iterationInTest]);
    throw error;
  }
}

/** Ends the log, so that one that is cut off is noticed. */
export function teardown(): void {
  log(["end"]);
}

/** How many milliseconds late an iteration starts. The generator causes that, since no iteration waits for another. */
function scheduleLagOf(iterationInTest: number, startTime: number): number {
  return Math.max(0, Date.now() - startTime - (iterationInTest * 1000) / settings.profile.rate);
}

/** When an iteration was due, in milliseconds since the start of the load, and how late it started. */
interface Timing {
  readonly iteration: number;
  readonly due: number;
  readonly lag: number;
}

function sendAndRecord(operation: OperationName, reference: string, { iteration, due, lag }: Timing): void {
  const row: RequestRow = requests[operation];
  const response = send(operation, row, reference, iteration);
  const body = parseJson(response.body);
  const outcome = outcomeOf(row, {
    status: response.status,
    errorCode: response.error_code,
    retryAfter: response.headers["Retry-After"] !== undefined,
    body,
  });
  const latencyMs = lag + response.timings.blocked + response.timings.duration;
  record(operation, outcome, latencyMs);
  watch.response(response, reference, outcome);
  const movesMoney = row.effect === "money";
  const identifier = movesMoney && row.success.has !== undefined ? fieldOf(body, row.success.has) : undefined;
  // A line without a reference is only measured; the reconciliation reads the others.
  log([
    operation,
    movesMoney ? reference : null,
    outcome,
    response.status,
    identifier ?? null,
    [iteration, Math.round(due), Math.round(lag), rounded(latencyMs)],
  ]);
}

/** One line of answers.log: what was measured and what was paid is derived from it. */
const log = (line: readonly unknown[]) => console.log(JSON.stringify(line));

const rounded = (milliseconds: number) => Math.round(milliseconds * 1000) / 1000;

function send(operation: OperationName, { method }: RequestRow, reference: string, iteration: number) {
  const template = settings.templates[operation];
  if (!template) throw new Error(`TEMPLATES has no ${operation}`);
  const withReference = (text: string) => text.split(REFERENCE).join(reference);
  const body = template.body === null ? null : withReference(template.body);
  return http.request(method, withReference(template.url), body, {
    headers: { ...template.headers, "X-Request-Id": `${settings.runId}-load.${operation}-${iteration}` },
    tags: { name: operation },
    timeout: settings.timeoutMs,
    responseCallback: expectedStatuses[operation],
  });
}

function record(operation: OperationName, outcome: Outcome, milliseconds: number): void {
  const tags = { name: operation };
  // A connection that was never made does not show how fast the operation is.
  if (outcome !== "connection-error") latency.add(milliseconds, tags);
  outcomes.add(1, { name: operation, outcome });
  serverErrors.add(outcome === "server-error", tags);
  technicalFailures.add(isTechnicalFailure(outcome), tags);
  check(outcome, { "the response has its documented shape": (value) => value !== "malformed" }, tags);
}
