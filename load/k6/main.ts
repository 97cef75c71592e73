import { check } from "k6";
import crypto from "k6/crypto";
import { SharedArray } from "k6/data";
import execution from "k6/execution";
import http from "k6/http";
import { Counter, Rate, Trend } from "k6/metrics";
import { digestWith } from "./digest.ts";
import { type OperationName, requests } from "./generated/requests.ts";
import { parseJson } from "./json.ts";
import { fieldOf, isTechnicalFailure, type Outcome, outcomeOf, type RequestRow } from "./outcome.ts";
import type { Row } from "./pool.ts";
import { referencesOf } from "./reference.ts";
import type { SendableStep, Settings } from "./settings.ts";
import { noticeOf, standaloneSettings } from "./standalone.ts";
import { compile } from "./template.ts";
import { STOP_RULE, thresholdsOf } from "./thresholds.ts";
import { ArrivalTimes } from "./traffic/arrivals.ts";
import { iterationsOf, optionsOf } from "./traffic/executor.ts";
import { Schedule } from "./traffic/schedule.ts";
import { createsTransfer } from "./traffic/workloads.ts";
import { Watch } from "./watch.ts";

/** k6's own console, which @types/k6 leaves to the DOM's types. */
declare const console: { log(line: string): void; warn(line: string): void };

/** Made once for all virtual users. */
const [ownRunId = ""] = new SharedArray("run", () => [newRunId()]);
const settings = __ENV.SETTINGS
  ? (JSON.parse(__ENV.SETTINGS) as Settings)
  : standaloneSettings(__ENV, ownRunId);
const { client, profile, runId, runners = 1 } = settings;
const arrivals = profile.model === "open" ? new ArrivalTimes(profile) : undefined;
const schedule = new Schedule(settings.steps);
const references = referencesOf(runId, settings.referenceForm);
const iterations = iterationsOf(profile);
const planned = schedule.requestsIn(iterations);

const pools = Object.fromEntries(
  (settings.pool?.kinds ?? []).map((kind) => [kind, new SharedArray<Row>(kind, () => rowsOf(kind))]),
);
const templates = new Map(
  settings.steps.map((step) => {
    const { url, headers, body } = step.template;
    return [step, { headers, url: compile(url, pools), body: body === null ? null : compile(body, pools) }];
  }),
);

const watch = new Watch(settings, references.prefix, (line) => log(line));

const digestOf = digestWith((text) => crypto.sha256(text, "hex"));

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

const optionsOfRun = () => ({
  ...optionsOf(profile, client, runners),
  // A part of the run may send none of what the whole run sends; what all parts sent is judged afterwards.
  thresholds: settings.runners
    ? STOP_RULE
    : thresholdsOf(
        planned,
        settings.objectives,
        schedule.requestsIn(iterations, ({ refusal }) => refusal !== undefined),
      ),
  tags: { run: runId, workload: settings.workload, profile: profile.name },
  summaryTrendStats: ["count", "avg", "min", "med", "p(95)", "p(99)", "max"],
  // Not `url`: every lookup has a URL of its own, and the name is enough.
  systemTags: ["name", "method", "status", "scenario", "error_code", "check", "expected_response"],
  // A redirect would get the key.
  maxRedirects: 0,
  ...(settings.certificate && { tlsAuth: [settings.certificate] }),
});

/** Only k6 itself reads the options; the virtual users need not hold them. */
export const options = __VU === 0 ? optionsOfRun() : {};

/** Returns when the load starts. */
export function setup(): number {
  if (settings.standalone) begin();
  return Date.now();
}

/** Without the launcher, tells what this run does not check, and sends the one transfer that must precede a load. */
function begin(): void {
  console.warn(noticeOf(settings));
  const step = settings.steps.find(createsTransfer);
  if (!step) return;
  const response = send(step, requests[step.operation], references.control, 0, "control", "control");
  const { status, error_code: errorCode } = response;
  const body = parseJson(response.body);
  const outcome = outcomeOf(requests[step.operation], { status, errorCode, retryAfter: false, body });
  if (outcome === "accepted") return;
  execution.test.abort(
    `the API did not accept the one transfer that precedes the load (${outcome}, status ${status}): check BANK_CODE, ACCOUNT_NUMBER, ACCOUNT_NAME and TRANSFER_AMOUNT; no load was sent`,
  );
}

export default function iterate(): void {
  const { iterationInTest, startTime } = execution.scenario;
  const elapsed = Date.now() - startTime;
  const { least, most } = arrivals?.latenessMs(iterationInTest, elapsed, runners) ?? { least: 0, most: 0 };
  if (arrivals) scheduleLag.add(most);
  const timing = { iteration: iterationInTest, due: elapsed - least, late: least, lag: most };
  try {
    const { step, origin } = schedule.requestAt(iterationInTest);
    // For k6's outputs: every sample of the iteration has it.
    execution.vu.metrics.tags.operation = step.operation;
    sendPersistently(step, origin, timing);
    watch.probe(iterationInTest);
  } catch (error) {
    exceptions.add(1);
    log(["exception", iterationInTest]);
    throw error;
  }
}

/** Without the launcher, k6 shows its own summary. */
export function handleSummary(): undefined {
  if (settings.standalone) console.warn(noticeOf(settings));
}

/** Ends the log, so that one that is cut off is noticed; says whose log it is, and how long the run lasted. */
export function teardown(startedAt: number): void {
  const { executionSegment } = execution.test.options as { readonly executionSegment?: string | null };
  log(["end", runId, executionSegment ?? "0:1", Date.now() - startedAt]);
}

/** When an iteration was due, and how late it started. */
interface Timing {
  readonly iteration: number;
  /** In milliseconds since the start of the load. */
  readonly due: number;
  /** How many milliseconds late it is for certain: the generator causes that, since no iteration waits for another. */
  readonly late: number;
  /** The same, if k6 dropped no iteration before it. */
  readonly lag: number;
}

/** Sends the request of an iteration, and again as often as the client does if no response comes in time. */
function sendPersistently(step: SendableStep, origin: number, timing: Timing): void {
  const { iteration } = timing;
  for (let attempt = 0; attempt <= client.resends; attempt += 1) {
    const [label, late] = attempt === 0 ? [`${iteration}`, timing.late] : [`${iteration}.${attempt}`, 0];
    const outcome = sendAndRecord(step, origin, label, { ...timing, late });
    if (outcome !== "timeout") return;
  }
}

function sendAndRecord(
  step: SendableStep,
  origin: number,
  label: string,
  { iteration, due, late, lag }: Timing,
): Outcome {
  const { operation } = step;
  const row: RequestRow = requests[operation];
  const reference = references.at(origin);
  const response = send(step, row, reference, origin, label);
  const body = parseJson(response.body);
  const outcome = outcomeOf(row, {
    status: response.status,
    errorCode: response.error_code,
    retryAfter: response.headers["Retry-After"] !== undefined,
    body,
  });
  const latencyMs = late + response.timings.blocked + response.timings.duration;
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
    digestOf(identifier),
    [iteration, Math.round(due), Math.round(lag), rounded(latencyMs)],
  ]);
  return outcome;
}

/** One line of answers.log: what was measured and what was paid is derived from it. */
function log(line: readonly unknown[]): void {
  if (settings.standalone?.keepsAnswers !== false) console.log(JSON.stringify(line));
}

const rounded = (milliseconds: number) => Math.round(milliseconds * 1000) / 1000;

function send(
  step: SendableStep,
  { method }: RequestRow,
  reference: string,
  origin: number,
  label: string,
  name: string = step.operation,
) {
  const { operation } = step;
  const template = templates.get(step);
  if (!template) throw new Error(`there is no template for ${operation}`);
  const { url, headers, body } = template;
  return http.request(method, url(reference, origin), body?.(reference, origin), {
    headers: { ...headers, "X-Request-Id": `${runId}-load.${operation}-${label}` },
    tags: { name },
    timeout: client.timeoutMs,
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

function newRunId(): string {
  const random = Math.floor(Math.random() * 2 ** 32);
  return random.toString(16).padStart(8, "0");
}

function rowsOf(kind: string): Row[] {
  const pool = JSON.parse(poolText(settings.pool)) as Readonly<Record<string, Row[]>>;
  return pool[kind] ?? [];
}

function poolText(pool: Settings["pool"]): string {
  if (!pool) return "{}";
  return "file" in pool ? open(pool.file) : pool.variables.map((name) => __ENV[name] ?? "").join("");
}
