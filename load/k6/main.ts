import { check } from "k6";
import crypto from "k6/crypto";
import { SharedArray } from "k6/data";
import execution from "k6/execution";
import http from "k6/http";
import { Counter, Rate, Trend } from "k6/metrics";
import { digestWith } from "./digest.ts";
import { type OperationName, requestRow } from "./generated/requests.ts";
import { parseJson } from "./json.ts";
import { fieldOf, isTechnicalFailure, type Outcome, outcomeOf } from "./outcome.ts";
import type { SendableStep, Settings } from "./settings.ts";
import { columnOf, type Pools } from "./templates/pool.ts";
import { referencesOf } from "./templates/reference.ts";
import { compile } from "./templates/template.ts";
import { ArrivalTimes, randomRates } from "./traffic/arrivals.ts";
import { createsTransfer } from "./traffic/creations.ts";
import { Schedule } from "./traffic/schedule.ts";
import { Watch } from "./watch.ts";

/** k6's own console, which @types/k6 leaves to the DOM's types. */
declare const console: { log(line: string): void; warn(line: string): void };

declare const require: (path: string) => unknown;

/** What only k6 itself needs, not its virtual users: each of them would keep the functions of a module that it imports. */
const once = __VU === 0 ? (require("./run.ts") as typeof import("./run.ts")) : undefined;
const settings = JSON.parse(__ENV.SETTINGS ?? ownSettings()) as Settings;
const { client, profile, runId, runners = 1 } = settings;
const arrivals = profile.model === "open" ? new ArrivalTimes(profile, sharedRates()) : undefined;
const schedule = new Schedule(settings.steps, arrivals && ((iteration) => arrivals.lookBack(iteration)));
const references = referencesOf(runId, settings.referenceForm);
const ready = new Map(settings.steps.map((step) => [step, readyOf(step)]));

const watch = new Watch(settings, references.prefix, (line) => log(line));

const digestOf = digestWith((text) => crypto.sha256(text, "hex"));

/** k6's own metrics, if anybody reads them. */
const metrics = settings.metrics
  ? {
      latency: new Trend("latency", true),
      scheduleLag: new Trend("schedule_lag", true),
      outcomes: new Counter("outcomes"),
      exceptions: new Counter("exceptions"),
      serverErrors: new Rate("server_errors"),
      technicalFailures: new Rate("technical_failures"),
    }
  : undefined;

export const options = once?.optionsOfRun(settings) ?? {};

/** Returns when the load starts. */
export function setup(): number {
  if (settings.standalone) begin();
  return Date.now();
}

/** Without the launcher, tells what this run does not check, and sends the one transfer that must precede a load. */
function begin(): void {
  console.warn(once?.noticeOf(settings) ?? "");
  const step = settings.steps.find(createsTransfer);
  if (!step) return;
  const request = requestOf(step, references.control, 0);
  const response = send(step.operation, request, "control", "control");
  const { status, error_code: errorCode } = response;
  const body = parseJson(response.body);
  const outcome = outcomeOf(request.row, { status, errorCode, retryAfter: false, body });
  if (outcome === "accepted") return;
  execution.test.abort(
    `the API did not accept the one transfer that precedes the load (${outcome}, status ${status}): check BANK_CODE, ACCOUNT_NUMBER, ACCOUNT_NAME and TRANSFER_AMOUNT; no load was sent`,
  );
}

/** What k6 says about the scenario: it makes this object anew whenever it is asked for it. */
let scenario: typeof execution.scenario | undefined;

export default function iterate(): void {
  scenario ??= execution.scenario;
  const { iterationInTest, startTime } = scenario;
  const elapsed = Date.now() - startTime;
  const { least, most } = arrivals?.latenessMs(iterationInTest, elapsed, runners) ?? { least: 0, most: 0 };
  if (arrivals) metrics?.scheduleLag.add(most);
  const timing = { iteration: iterationInTest, due: elapsed - least, late: least, lag: most };
  try {
    const { step, origin } = schedule.requestAt(iterationInTest);
    // For k6's outputs: every sample of the iteration has it.
    if (metrics) execution.vu.metrics.tags.operation = step.operation;
    sendPersistently(step, origin, timing);
    watch.probe(iterationInTest);
  } catch (error) {
    metrics?.exceptions.add(1);
    log(["exception", iterationInTest]);
    throw error;
  }
}

/** Without the launcher, k6 shows its own summary. */
export function handleSummary(): undefined {
  if (settings.standalone) console.warn(once?.noticeOf(settings) ?? "");
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
  let outcome = sendAndRecord(step, origin, `${timing.iteration}`, timing);
  for (let resend = 1; outcome === "timeout" && resend <= client.resends; resend += 1)
    outcome = sendAndRecord(step, origin, `${timing.iteration}.${resend}`, { ...timing, late: 0 });
}

function sendAndRecord(
  step: SendableStep,
  origin: number,
  label: string,
  { iteration, due, late, lag }: Timing,
): Outcome {
  const { operation } = step;
  const reference = references.at(origin);
  const request = requestOf(step, reference, origin);
  const { row } = request;
  const response = send(operation, request, label);
  // k6 converts a member whenever it is read.
  const { status, error_code: errorCode, body: received, timings } = response;
  const text = typeof received === "string" ? received : "";
  const body = parseJson(text);
  const retryAfter = status === 503 && response.headers["Retry-After"] !== undefined;
  const outcome = outcomeOf(row, { status, errorCode, retryAfter, body });
  const latencyMs = late + timings.blocked + timings.duration;
  record(operation, outcome, latencyMs);
  watch.response(text, request, reference, outcome);
  const movesMoney = row.effect === "money";
  const identifier = movesMoney && row.success.has !== undefined ? fieldOf(body, row.success.has) : undefined;
  // A line without a reference is only measured; the reconciliation reads the others.
  const about = `"${operation}",${movesMoney ? `"${reference}"` : null},"${outcome}",${status}`;
  const timing = `${iteration},${Math.round(due)},${Math.round(lag)},${rounded(latencyMs)}`;
  write(`[${about},${JSON.stringify(digestOf(identifier))},[${timing}]]`);
  return outcome;
}

const log = (line: readonly unknown[]) => write(JSON.stringify(line));

/** One line of answers.log: what was measured and what was paid is derived from it. */
function write(line: string): void {
  if (settings.standalone?.keepsAnswers !== false) console.log(line);
}

const rounded = (milliseconds: number) => Math.round(milliseconds * 1000) / 1000;

/** What the requests of a step have in common. */
function readyOf({ operation, template: { url, headers, body } }: SendableStep) {
  const row = requestRow(operation);
  // No documented rejection is a failure to k6.
  const statuses = [row.success, ...row.rejections].map(({ from, to }) => ({ min: from, max: to }));
  return {
    row,
    headers,
    url: compile(url, valuesAt),
    body: body === null ? undefined : compile(body, valuesAt),
    expected: http.expectedStatuses(...statuses),
  };
}

function requestOf(step: SendableStep, reference: string, origin: number) {
  const found = ready.get(step);
  if (!found) throw new Error(`there is no template for ${step.operation}`);
  const { row, headers, url, body, expected } = found;
  return { row, headers, expected, url: url(reference, origin), body: body?.(reference, origin) ?? null };
}

function send(
  operation: OperationName,
  { row, headers, expected, url, body }: ReturnType<typeof requestOf>,
  label: string,
  name: string = operation,
) {
  return http.request(row.method, url, body, {
    headers: { ...headers, "X-Request-Id": `${runId}-load.${operation}-${label}` },
    tags: { name },
    timeout: client.timeoutMs,
    responseCallback: expected,
  });
}

function record(operation: OperationName, outcome: Outcome, milliseconds: number): void {
  if (!metrics) return;
  const tags = { name: operation };
  // A connection that was never made does not show how fast the operation is.
  if (outcome !== "connection-error") metrics.latency.add(milliseconds, tags);
  metrics.outcomes.add(1, { name: operation, outcome });
  metrics.serverErrors.add(outcome === "server-error", tags);
  metrics.technicalFailures.add(isTechnicalFailure(outcome), tags);
  check(outcome, { "the response has its documented shape": (value) => value !== "malformed" }, tags);
}

/** Without the launcher: made once, so that all virtual users have the same run id. */
function ownSettings(): string {
  const [settings = ""] = new SharedArray("settings", () => [JSON.stringify(once?.ownSettings(__ENV))]);
  return settings;
}

/** Random arrivals are drawn once for all virtual users. */
function sharedRates(): number[] | undefined {
  if (profile.arrivals !== "poisson") return undefined;
  const [rates = "[]"] = new SharedArray("rates", () => [JSON.stringify(randomRates(profile))]);
  return JSON.parse(rates) as number[];
}

/** Texts, which k6 keeps once for all virtual users; of a record, it would make a new object for each access. */
function valuesAt(place: string): readonly string[] {
  return new SharedArray<string>(place, () => columnOf(JSON.parse(poolText(settings.pool)) as Pools, place));
}

function poolText(pool: Settings["pool"]): string {
  if (!pool) return "{}";
  return "file" in pool ? open(pool.file) : pool.variables.map((name) => __ENV[name] ?? "").join("");
}
