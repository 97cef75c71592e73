import { sha256 } from "k6/crypto";
import { SharedArray } from "k6/data";
import execution from "k6/execution";
import { expectedStatuses, type RefinedParams, request } from "k6/http";
import { Rate } from "k6/metrics";
import { probeAt, seenByProbe } from "./probes.ts";
import type { SendableStep, Settings } from "./profiles.ts";
import { fillerOf, mayBeRejected, type Pools, referencesOf, Schedule } from "./requests.ts";
import { digestWith, evidenceIn, fieldOf, outcomeOf, parseJson } from "./responses.ts";

/** k6's own console, which @types/k6 leaves to the DOM's types. */
declare const console: { log(line: string): void };

declare const require: (path: string) => unknown;

// Each virtual user keeps every function of the modules that it loads, so this one is loaded only where it is needed.
const once = __VU === 0 ? (require("./profiles.ts") as typeof import("./profiles.ts")) : undefined;
const settings = JSON.parse(__ENV.SETTINGS ?? unprepared()) as Settings;
const { timeoutMs, probes, runId, runners } = settings;

const schedule = new Schedule(settings.steps.map(readyOf));
const references = referencesOf(runId, settings.referenceForm);
const digestOf = digestWith((text) => sha256(text, "hex"));
const anyStatus = expectedStatuses({ min: 100, max: 599 });
/** What k6 itself stops a runner by: see STOP_RULE in profiles.ts. */
const serverErrors = runners ? new Rate("server_errors") : undefined;

export const options = once?.optionsOfRun(settings) ?? {};

/** Returns when the load starts. A process that does not reach the target sends no load: k6 finds its way by rules of its own. */
export function setup(): number {
  const { url, headers } = settings.reach;
  const params = { headers: { ...headers }, timeout: timeoutMs, responseCallback: anyStatus };
  const { status, error } = receive("GET", url, null, params);
  if (status === 0) {
    log(["unreached", error]);
    execution.test.abort(`k6 cannot reach the target: ${error}`);
  }
  return Date.now();
}

/** Kept, because k6 makes a new object for each access. */
let scenario: typeof execution.scenario | undefined;
let startTime = 0;

export default function iterate(): void {
  if (!scenario) {
    scenario = execution.scenario;
    startTime = scenario.startTime;
  }
  const { iterationInTest } = scenario;
  const startedMs = Date.now() - startTime;
  sendAndLog(iterationInTest, startedMs);
  sendProbe(iterationInTest);
}

/** Ends the log, so that one that is cut off is noticed; says whose log it is, and how long the run lasted. */
export function teardown(startedAt: number): void {
  const { executionSegment } = execution.test.options as { readonly executionSegment?: string | null };
  log(["end", runId, executionSegment ?? "0:1", Date.now() - startedAt]);
}

/** Sends the request of an iteration; `startedMs` counts from the start of the load. */
function sendAndLog(iteration: number, startedMs: number): void {
  const { step, origin } = schedule.requestAt(iteration);
  const { operation, row, fill, params } = step;
  const reference = references.at(origin);
  const { url, body: sent } = fill(reference, origin);
  // A virtual user sends one request at a time, so all requests of a step may share their parameters.
  params.headers["X-Request-Id"] = `${runId}-load.${operation}-${iteration}`;
  const response = receive(row.method, url, sent, params);
  const { status, body, tookMs } = response;
  const found = outcomeOf(row, response);
  const isNeedless =
    found === "business-refused" && !mayBeRejected(step, status) && !schedule.isRepeated(iteration);
  const outcome = isNeedless ? "valid-refused" : found;
  serverErrors?.add(outcome === "server-error");
  for (const seen of evidenceIn(response.text, { url, sent, reference }, outcome, references.prefix))
    log([seen, reference]);
  const movesMoney = row.effect === "money";
  const digest =
    movesMoney && row.success.has !== undefined ? digestOf(fieldOf(body, row.success.has)) : null;
  // A line without a reference is only measured; the reconciliation reads the others.
  const times = [iteration, startedMs, Math.round(tookMs * 1000) / 1000];
  log([operation, movesMoney ? reference : null, outcome, status, digest, times]);
}

/** Sends the probe that is due in an iteration, if any. */
function sendProbe(iteration: number): void {
  const due = probes && probeAt(iteration, probes);
  const template = due && probes[due];
  if (!template) return;
  const requestId = `${runId}-load.${due}-${iteration}`;
  const response = receive("GET", template.url, null, {
    headers: { ...template.headers, "X-Request-Id": requestId },
    tags: { name: "probe" },
    timeout: timeoutMs,
    responseCallback: anyStatus,
  });
  const seen = seenByProbe(due, probes, response);
  if (seen) log([seen, requestId]);
}

function receive(method: string, url: string, sent: string | null, params: RefinedParams<"text">) {
  const response = request(method, url, sent, params);
  // k6 converts a member whenever it is read.
  const { status, error_code: errorCode, body: received, timings } = response;
  const text = typeof received === "string" ? received : "";
  const retryAfter = status === 503 && response.headers["Retry-After"] !== undefined;
  const tookMs = timings.blocked + timings.duration;
  const error = status === 0 ? response.error : "";
  return { status, errorCode, error, retryAfter, text, body: parseJson(text), tookMs };
}

/** Writes a line of responses.log: what was measured and what was paid is derived from it. */
function log(line: readonly unknown[]): void {
  console.log(JSON.stringify(line));
}

/** A step with all that its requests have in common. */
function readyOf(step: SendableStep) {
  const { success, rejections } = step.row;
  // No documented rejection is a failure to k6.
  const statuses = [success, ...rejections].map(({ from, to }) => ({ min: from, max: to }));
  return {
    ...step,
    fill: fillerOf(step.template, step.refusal ? [] : recordsOf(step.operation)),
    params: {
      headers: { ...step.template.headers },
      timeout: timeoutMs,
      // k6 only needs these for its own metrics, which an output of a runner may get.
      ...(runners && {
        tags: { name: step.operation as string },
        responseCallback: expectedStatuses(...statuses),
      }),
    },
  };
}

function unprepared(): never {
  throw new Error("nothing was sent: `npm run load -- prepare` prints how to run these scripts");
}

/** The records of an operation, which k6 keeps once for all virtual users. */
function recordsOf(operation: string): Pools[string] {
  return new SharedArray(operation, () => {
    const pools = JSON.parse(settings.pool ? open(settings.pool.file) : "{}") as Pools;
    return [...(pools[operation] ?? [])];
  });
}
