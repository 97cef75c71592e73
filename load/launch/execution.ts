import { join } from "node:path";
import type { Target } from "../../fixtures/engine/config/target.ts";
import type { Client } from "../../fixtures/engine/http/client.ts";
import type { Redactor } from "../../fixtures/engine/redaction/redaction.ts";
import type { K6 } from "../generator/binary.ts";
import { ANSWERS_LOG, availableMb, type Ending, runK6 } from "../generator/generator.ts";
import { handOver } from "../generator/hand-over.ts";
import type { Feed } from "../generator/outputs.ts";
import { longestMs } from "../k6/client.ts";
import type { Probes } from "../k6/probes.ts";
import type { Settings } from "../k6/settings.ts";
import type { References } from "../k6/templates/reference.ts";
import { firstVus, maxDurationMs } from "../k6/traffic/executor.ts";
import { type Entry, Journal } from "../reconcile/journal.ts";
import { readLine } from "../results/recording/answers.ts";
import { followLines } from "../results/recording/follow.ts";
import { Recording } from "../results/recording/recording.ts";
import type { LoadResult, LoadRun } from "../results/result.ts";
import type { Planned } from "../results/summary.ts";
import { shortcomings } from "../results/verdict.ts";
import { writeResults } from "../results/write-results.ts";
import { finishRun } from "./afterwards/examine.ts";
import { begin } from "./beginning.ts";
import { type MoneyCall, trialCalls, unansweredOf } from "./money-calls.ts";
import { prepareProbes } from "./probes.ts";
import { Guard } from "./safety/guard.ts";
import { StopSignal } from "./safety/stop.ts";
import { clientIn, proxyOf, settingsOf } from "./settings.ts";
import type { Prepared } from "./templates.ts";
import { isTransfer } from "./trials.ts";

/** What a load run needs, once it is allowed. */
export interface Execution {
  readonly target: Target;
  readonly client: Client;
  readonly k6: K6;
  readonly directory: string;
  readonly run: LoadRun;
  readonly references: References;
  readonly prepared: Prepared;
  readonly calls: readonly MoneyCall[];
  /** What feeds the outputs of k6 that get its metrics as well. */
  readonly outputs: Feed;
  readonly redactor: Redactor;
  /** How many requests of each operation the load sends. */
  readonly planned: Planned;
}

/** Time that k6 gets to start and to end. */
const K6_OVERHEAD_MS = 60_000;

/** Sends the load, reconciles it and judges it; leaves `run.json` and the results in the run's folder. */
export async function execute(execution: Execution): Promise<LoadResult> {
  const { target, client, directory, run, references } = execution;
  const { reservations, control, tried, slowestMs } = await begin(execution);

  const stop = new StopSignal();
  const probes = await prepareProbes(client, target, references, run.iterations);
  const recording = new Recording(run, execution.planned);
  const guard = new Guard(execution);
  const answers = join(directory, ANSWERS_LOG);
  const log = followLines(answers, (text) => {
    const line = readLine(text);
    for (const reader of [recording, guard]) reader.add(line);
  });
  const ending = await sendLoad(execution, probes, [stop, guard], slowestMs / 1000).finally(log.finish);
  guard.release();
  const journal = Journal.read(answers);
  const { usage: generator } = ending;
  const loaded = [...control, ...journal.entries];
  const isCutShort = stop.interrupted || ending.code !== 0;
  const measured = recording.summary(isCutShort);
  const [damage, gaps] = isCutShort ? [[], []] : [recording.damage(), recording.gaps()];
  const isUnreliable = !measured || damage.length + gaps.length > 0;
  const unanswered = unansweredIn(execution, loaded, isCutShort, isUnreliable);
  const stopped = guard.reason ?? ending.killedBecause;
  const result = await finishRun(
    {
      run,
      target,
      client,
      references,
      measured,
      generator,
      entries: loaded,
      sightings: journal.sightings,
      hasTransfers: sendsTransfers(execution),
      unanswered,
      tried,
      paysAgain: !guard.hasPaidTwice,
      stop,
    },
    (entries, paidThoughRejected) => {
      const mayBeSent = [...unanswered, ...(isCutShort ? resentIn(execution, loaded) : [])];
      // Until now, the ledger counts everything as paid.
      reservations.settle(entries, mayBeSent, paidThoughRejected);
      return reservations.close();
    },
    {
      shortcomings: [...(measured ? shortcomings(run, measured) : []), ...gaps],
      // A signal may come until the last lookup.
      get interrupted() {
        return stop.interrupted;
      },
      get problems() {
        const isStopped = stop.interrupted || stopped !== undefined;
        return [...(isStopped ? [] : k6Problems(execution.k6, ending)), ...damage];
      },
      stopped,
      hasHarmed: guard.reason !== undefined,
    },
  );
  await writeResults(directory, result);
  stop.release();
  return result;
}

const sendsTransfers = ({ prepared }: Execution) => prepared.trials.some(isTransfer);

/** The references that an impatient client may have sent once more when the run was cut short. */
const resentIn = (execution: Execution, entries: readonly Entry[]): string[] =>
  clientIn(execution).resends > 0
    ? entries.filter(({ outcome }) => outcome === "timeout").map(({ reference }) => reference)
    : [];

function sendLoad(
  execution: Execution,
  probes: Probes | undefined,
  stoppers: readonly Pick<StopSignal, "onStop">[],
  expectedSeconds: number,
): Promise<Ending> {
  const { target, k6, directory, run, prepared, outputs, redactor } = execution;
  const { tls } = target;
  const client = clientIn(execution);
  const pool = handOver(JSON.stringify(prepared.pools));
  const { CA_FILE } = target.values;
  const settings: Settings = {
    ...settingsOf(execution, probes),
    pool: { file: pool.path },
    expectedSeconds,
    ...(tls.cert && tls.key && { certificate: { cert: tls.cert, key: tls.key } }),
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
    vus: firstVus(run.profile, client, expectedSeconds),
    args: outputs.args,
    descriptors: pool.descriptors,
    redactor,
    mostMemoryMb: availableMb(),
    deadlineMs: maxDurationMs(run.profile) + longestMs(client) + K6_OVERHEAD_MS,
    onStart: (stop) => {
      for (const { onStop } of stoppers) onStop(stop);
    },
  }).finally(pool.release);
}

/** The references that may have been sent without a response: what the log does not account for may have been paid. */
function unansweredIn(
  execution: Execution,
  entries: readonly Entry[],
  isCutShort: boolean,
  isUnreliable: boolean,
): string[] {
  const { calls, references, prepared } = execution;
  const ofLoad = calls.slice(0, calls.length - trialCalls("after", references, prepared).length);
  if (isCutShort) return unansweredOf(ofLoad, entries, maxInFlight(execution));
  return isUnreliable ? unansweredOf(ofLoad, entries, ofLoad.length) : [];
}

/** The most requests that can have been without a response when the run was cut short. */
const maxInFlight = (execution: Execution) =>
  Math.ceil((execution.run.profile.rate * longestMs(clientIn(execution))) / 1000) + 10;

function k6Problems({ version }: K6, { code, tail }: Ending): string[] {
  if (code === null) return ["k6 was killed before it finished"];
  return code === 0 ? [] : [`k6 ${version} exited with code ${code}: ${tail}`];
}
