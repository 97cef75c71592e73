import { join } from "node:path";
import type { Target } from "../../fixtures/engine/config/target.ts";
import { ANSWERS_LOG, availableMb, type Ending, runK6 } from "../generator/generator.ts";
import { passToK6 } from "../generator/pass-to-k6.ts";
import { longestMs } from "../k6/client.ts";
import type { Probes } from "../k6/probes.ts";
import type { Settings } from "../k6/settings.ts";
import { firstVus, maxDurationMs } from "../k6/traffic/executor.ts";
import { Schedule } from "../k6/traffic/schedule.ts";
import { type Entry, Journal, readLog } from "../reconcile/journal.ts";
import { followLines } from "../results/recording/follow.ts";
import { readLine } from "../results/recording/log-line.ts";
import { Recording } from "../results/recording/recording.ts";
import type { LoadResult, LoadRun } from "../results/result.ts";
import { shortcomings } from "../results/verdict.ts";
import { writeResults } from "../results/write-results.ts";
import { tryBefore } from "./around-the-load.ts";
import { finishRun } from "./finish.ts";
import { Guard } from "./guard.ts";
import { HeldMoney, type MoneyCall, trialCalls, unansweredOf } from "./money.ts";
import type { ReadyRun } from "./plan.ts";
import { writeRun } from "./run-file.ts";
import { prepareProbes } from "./templates.ts";

/**
 * Reserves all that a run may pay, writes `run.json`, sends the control, and finds out what works before the load. With
 * `handedOver`, others send the load, after this process has ended.
 */
export async function reserveAndSendControl(ready: ReadyRun, handedOver = false) {
  const { target, client, directory, run, calls, references, prepared, redactor } = ready;
  const held = HeldMoney.reserve(target, directory, run.runId, calls, handedOver);
  writeRun(directory, run);
  /** What may have moved money before the load; the first is the transfer, if there are transfers in it. */
  const { entries: control, ...found } = await tryBefore(client, redactor, held, prepared.trials, references);
  return { held, control, ...found };
}

/** Sends the load, reconciles it and judges it; leaves `run.json` and the results in the run's folder. */
export async function runLoad(ready: ReadyRun): Promise<LoadResult> {
  const { target, client, directory, run, references, kind } = ready;
  const { held, control, tried, slowestMs } = await reserveAndSendControl(ready);
  const guard = new Guard(client, references);
  const probes = await prepareProbes(client, references, run.iterations);
  const recording = new Recording(run, new Schedule(ready.prepared.steps).requestsIn(run.iterations));
  const answers = join(directory, ANSWERS_LOG);
  const log = followLines(answers, (text) => {
    const line = readLine(text);
    for (const reader of [recording, guard]) reader.add(line);
  });
  const ending = await sendLoad(ready, probes, guard, slowestMs / 1000).finally(log.finish);
  guard.onEnd();
  const journal = new Journal();
  readLog(answers, journal);
  const isCutShort = guard.interrupted || ending.code !== 0;
  const measured = recording.summary(isCutShort);
  const [damage, gaps] = isCutShort ? [[], []] : [recording.damage(), recording.gaps()];
  const isUnreliable = !measured || damage.length + gaps.length > 0;
  const entries = [...control, ...journal.entries];
  const unanswered = unansweredIn(ready, entries, isCutShort, isUnreliable);
  // An impatient client may have sent these once more when the run was cut short.
  const resent = isCutShort && kind.resends > 0 ? entries.filter(({ outcome }) => outcome === "timeout") : [];
  const mayBeSent = new Set([...unanswered, ...resent].map(({ reference }) => reference));
  const stopped = guard.reason ?? ending.killedBecause;
  const result = await finishRun(
    {
      run,
      target,
      client,
      measured,
      generator: ending.usage,
      entries,
      sightings: journal.sightings,
      unanswered,
      tried,
      paysAgain: !guard.hasPaidTwice,
      stop: guard,
    },
    // Until now, the ledger counts everything as paid.
    (all, listed) => held.close(all, listed, (reference) => (mayBeSent.has(reference) ? "unknown" : "no")),
    // A signal may come until the last lookup.
    () => ({
      shortcomings: [...(measured ? shortcomings(run, measured) : []), ...gaps],
      interrupted: guard.interrupted,
      problems: [...(guard.interrupted || stopped !== undefined ? [] : k6Problems(ready, ending)), ...damage],
      stopped,
      hasHarmed: guard.reason !== undefined,
    }),
  );
  await writeResults(directory, result);
  guard.release();
  return result;
}

/** Time that k6 gets to start and to end. */
const K6_OVERHEAD_MS = 60_000;

function sendLoad(
  ready: ReadyRun,
  probes: Probes | undefined,
  guard: Guard,
  expectedSeconds: number,
): Promise<Ending> {
  const { target, k6, directory, run, kind, prepared, outputs, redactor } = ready;
  const pool = passToK6(JSON.stringify(prepared.pools));
  const { CA_FILE } = target.values;
  const settings: Settings = {
    ...settingsOf(ready, probes),
    pool: { file: pool.path },
    expectedSeconds,
    ...certificateOf(target),
  };
  return runK6({
    k6,
    directory,
    environment: {
      ...outputs.environment,
      SETTINGS: JSON.stringify(settings),
      ...(CA_FILE && { SSL_CERT_FILE: CA_FILE }),
      ...proxyOf(target),
    },
    vus: firstVus(run.profile, kind, expectedSeconds),
    args: outputs.args,
    descriptors: pool.descriptors,
    redactor,
    mostMemoryMb: availableMb(),
    deadlineMs: maxDurationMs(run.profile) + longestMs(kind) + K6_OVERHEAD_MS,
    onStart: guard.onStart,
  }).finally(pool.release);
}

/** What of a run decides what k6 sends. */
type Sent = Pick<LoadRun, "workload" | "profile" | "runId">;

/** What the scripts have to know of a run, apart from its records and its client certificate. */
export const settingsOf = (
  {
    target,
    run,
    kind,
    prepared,
    outputs,
  }: Pick<ReadyRun, "target" | "kind" | "prepared" | "outputs"> & {
    readonly run: Sent;
  },
  probes: Probes | undefined,
): Settings => ({
  workload: run.workload,
  steps: prepared.steps,
  profile: run.profile,
  runId: run.runId,
  ...(target.values.REFERENCE_FORM && { referenceForm: target.values.REFERENCE_FORM }),
  client: kind,
  ...(probes && { probes }),
  metrics: outputs.args.length > 0,
});

/** The setting that has k6 show the client certificate, if the target wants one. */
export const certificateOf = ({ tls: { cert, key } }: Target): Pick<Settings, "certificate"> =>
  cert && key ? { certificate: { cert, key } } : {};

/** The variables with which k6 uses the proxy of the target. */
export const proxyOf = ({ values: { HTTPS_PROXY } }: Target): Record<string, string> =>
  HTTPS_PROXY ? { HTTP_PROXY: HTTPS_PROXY, HTTPS_PROXY } : {};

/** The calls that may have been sent without a response: what the log does not account for may have been paid. */
function unansweredIn(
  { calls, references, prepared, run, kind }: ReadyRun,
  entries: readonly Entry[],
  isCutShort: boolean,
  isUnreliable: boolean,
): MoneyCall[] {
  const ofLoad = calls.slice(0, calls.length - trialCalls("after", references, prepared).length);
  // The most requests that can have been without a response.
  const inFlight = Math.ceil((run.profile.rate * longestMs(kind)) / 1000) + 10;
  if (isCutShort) return unansweredOf(ofLoad, entries, inFlight);
  return isUnreliable ? unansweredOf(ofLoad, entries, ofLoad.length) : [];
}

function k6Problems({ k6 }: ReadyRun, { code, tail }: Ending): string[] {
  if (code === null) return ["k6 was killed before it finished"];
  return code === 0 ? [] : [`k6 ${k6.version} exited with code ${code}: ${tail}`];
}
