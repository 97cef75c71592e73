import { join } from "node:path";
import { pointAt } from "../../fixtures/engine/config/run-folder.ts";
import type { Target } from "../../fixtures/engine/config/target.ts";
import { READS } from "../../fixtures/engine/health/health.ts";
import type { Client } from "../../fixtures/engine/http/client.ts";
import { adoptLimit } from "../../fixtures/engine/run/paging.ts";
import type { OperationId } from "../../schemas/contract.ts";
import { type Ending, runK6 } from "../generator/generator.ts";
import { longestList, type Probes } from "../k6/probes.ts";
import type { Settings } from "../k6/profiles.ts";
import type { Read } from "../k6/requests.ts";
import { isTransfer } from "../reconcile/evidence.ts";
import { judgeLoad } from "../reconcile/judge.ts";
import { referencesOfRun } from "../reconcile/listing.ts";
import { writeJson, writeResults } from "../results/files.ts";
import { type Entry, followLog } from "../results/recording/lines.ts";
import { Recording } from "../results/recording/recording.ts";
import { summaryOf } from "../results/recording/summary.ts";
import { inOrder, type LoadResult, type LoadRun, RUN_FILE } from "../results/result.ts";
import { resultOf } from "../results/verdict.ts";
import { guardLoad, type Stop } from "./guard.ts";
import { type Call, HeldMoney, unansweredOf } from "./money.ts";
import type { ReadyRun } from "./plan.ts";
import { requestRow } from "./request-rows.ts";
import { readFrom } from "./templates.ts";
import { recover, type Trial, tryBefore } from "./trials.ts";

/** Does all that precedes a load: reserves what it may pay, writes `run.json`, and finds out what works. */
export async function reserveAndSendControl(ready: ReadyRun, handedOver = false) {
  const { client, directory, run, calls, prepared, redactor } = ready;
  const held = HeldMoney.reserve(client.target, directory, run.runId, calls, handedOver);
  writeJson(join(directory, RUN_FILE), run);
  pointAt(directory, "latest-load");
  return { held, ...(await tryBefore(client, redactor, held, prepared.trials)) };
}

/** Sends the load, reconciles it and judges it; leaves `run.json` and the results in the run's folder. */
export async function runLoad(ready: ReadyRun): Promise<LoadResult> {
  const { client, k6, directory, run, prepared, untilItsEnd, redactor } = ready;
  const { held, control, working, slowestMs } = await reserveAndSendControl(ready);
  const { stop, ...guard } = guardLoad(client);
  const settings = await settingsOf(ready);
  const recording = new Recording(run, referencesOfRun(client).prefix);
  const log = followLog(directory, [recording, guard]);
  const ending = await runK6({
    k6,
    directory,
    settings: { ...settings, expectedSeconds: slowestMs / 1000 },
    pools: prepared.pools,
    environment: environmentOf(client.target),
    redactor,
    signal: guard.signal,
  }).finally(log.finish);
  guard.onEnd();
  const isCutShort = stop.interrupted || ending.code !== 0;
  const gaps = [...(isCutShort ? recording.unreached : [...recording.misuses, ...recording.gaps()])];
  const isWhole = !isCutShort && recording.outcomes.some(Boolean) && gaps.length === 0;
  const entries = [...control, ...recording.entries];
  // What the log does not account for may have been paid: the most requests that can have been in flight, or any.
  const mostInFlight = Math.ceil((run.profile.rate * client.target.timeoutMs) / 1000) + 10;
  const inFlight = isCutShort ? mostInFlight : untilItsEnd.length;
  const unanswered = isWhole ? [] : unansweredOf(untilItsEnd, entries, inFlight);
  const mayBeSent = new Set(unanswered.map(({ reference }) => reference));
  const isUnreached = recording.unreached.size > 0;
  const isExplained = stop.interrupted || stop.reason !== undefined || isUnreached;
  const result = await finishRun(client, {
    run,
    held,
    control,
    recording,
    isCutShort,
    unanswered,
    mayBeSent: (reference) => mayBeSent.has(reference),
    working: isUnreached ? [] : working,
    stop,
    gaps,
    problems: isExplained ? [] : k6Problems(ready, ending),
  });
  writeResults(directory, result);
  guard.release();
  return result;
}

/** What the scripts have to know of a run, apart from its records. */
export async function settingsOf({ client, run, prepared }: ReadyRun): Promise<Settings> {
  const { values, tls, timeoutMs } = client.target;
  const probes = await prepareProbes(client, run.iterations);
  return {
    workload: run.workload,
    steps: prepared.steps,
    profile: run.profile,
    runId: run.runId,
    ...(values.REFERENCE_FORM && { referenceForm: values.REFERENCE_FORM }),
    timeoutMs,
    reach: await readOf(client),
    ...(probes && { probes }),
    ...(tls.cert && tls.key && { certificate: { cert: tls.cert, key: tls.key } }),
  };
}

/** A read that needs no data; without one in scope, the base URL alone. */
async function readOf(client: Client): Promise<Read> {
  const { builder, target } = client;
  const read = READS.find(({ id }) => !target.outOfScope.includes(id));
  if (!read) return { url: target.baseUrl, headers: {} };
  const { request } = await client.prepare(read.id, builder.build(read.id), "reach");
  return readFrom(request);
}

/** The variables with which k6 trusts the authorities that this command trusts, and uses the proxy of the target. */
export function environmentOf({ values }: Target): Record<string, string> {
  const { CA_FILE = process.env.NODE_EXTRA_CA_CERTS, HTTP_PROXY, HTTPS_PROXY, NO_PROXY } = values;
  return {
    ...(CA_FILE && { SSL_CERT_FILE: CA_FILE }),
    ...(HTTP_PROXY && { HTTP_PROXY }),
    ...(HTTPS_PROXY && { HTTPS_PROXY }),
    ...(NO_PROXY && { NO_PROXY: NO_PROXY.join(",") }),
  };
}

function k6Problems({ k6 }: ReadyRun, { code, tail }: Ending): string[] {
  if (code === null)
    return [
      "k6 was killed before it finished: this machine may lack memory for very long responses, or for this RATE",
    ];
  return code === 0 ? [] : [`k6 ${k6.version} exited with code ${code}: ${tail}`];
}

/** A load that has ended, as its log shows. */
export interface EndedLoad {
  readonly run: LoadRun;
  readonly held: HeldMoney;
  readonly control: readonly Entry[];
  readonly recording: Recording;
  readonly isCutShort?: boolean;
  readonly unanswered?: readonly Call[];
  /** Whether a call without an entry may have been sent. */
  readonly mayBeSent?: (reference: string) => boolean;
  /** What worked before the load. */
  readonly working?: readonly Trial[];
  /** After an interrupt, nothing is sent but the lookups. */
  readonly stop?: Readonly<Stop>;
  readonly gaps?: readonly string[];
  readonly problems?: readonly string[];
}

/** Ends every run, whoever sent its load: tests recovery, looks up transfers, judges, and closes the ledger. */
export async function finishRun(client: Client, ended: EndedLoad): Promise<LoadResult> {
  const { run, held, recording, gaps = [], problems = [], working = [] } = ended;
  const { mayBeSent = () => false, stop = { interrupted: false } } = ended;
  const measured = summaryOf(recording, ended.isCutShort);
  const recovery = await recover(client, working, stop);
  const entries = [...ended.control, ...recording.entries, ...recovery.entries];
  const unanswered = (ended.unanswered ?? []).filter(isTransfer).map(({ reference }) => reference);
  const shown = { run, entries, unanswered, sightings: recording.sightings, measured };
  const { invariants, reconciled, paidThoughRejected } = await judgeLoad(client, shown);
  const money = held.close(entries, paidThoughRejected, mayBeSent);
  return resultOf(run, {
    measured,
    invariants: inOrder([...invariants, ...recovery.invariants]),
    reconciled,
    money,
    gaps,
    problems,
    // A signal may come until the last lookup.
    interrupted: stop.interrupted,
    stopped: stop.reason,
  });
}

/** Asks for a page of each list, so that the builder uses a page size that the API accepts from then on. */
export async function learnPageSizes(client: Client, ids: readonly OperationId[]): Promise<void> {
  const { builder } = client;
  for (const id of new Set(ids))
    await adoptLimit(builder, id, (query) => client.send(id, builder.build(id, { query }), "page-size"));
}

/** There is at most one probe of each kind in this number of requests, and there are two in a run of any length. */
const REQUESTS_PER_PROBE = 500;
/** A key of the right form that was never issued. */
const NEVER_ISSUED = `sk_test_${"0".repeat(32)}`;

/** Prepares what k6 sends in addition to the workload; `undefined` if this deployment offers no list of transfers. */
async function prepareProbes(client: Client, iterations: number): Promise<Probes | undefined> {
  if (client.target.outOfScope.includes("listTransfers")) return undefined;
  const { unused } = referencesOfRun(client);
  const draft = client.builder.build("listTransfers", { query: { transferReference: unused } });
  const authorization = `Bearer ${NEVER_ISSUED}`;
  const { request } = await client.prepare("listTransfers", draft, "probe", { authorization });
  await learnPageSizes(client, ["listTransfers"]);
  const page = await learnPage(client);
  return {
    every: Math.max(2, Math.min(REQUESTS_PER_PROBE, Math.floor(iterations / 2))),
    badKey: { ...readFrom(request), row: requestRow("listTransfers") },
    ...(page && { page }),
  };
}

/** A page of transfers, if its longest list has a known bound while there is no load. */
async function learnPage(client: Client): Promise<Probes["page"]> {
  const draft = client.builder.build("listTransfers");
  const limit = Number(draft.query.limit);
  const { request, send } = await client.prepare("listTransfers", draft, "probe");
  const response = await send();
  const length = response.kind === "done" ? longestList(response.json) : 0;
  return length > 0 && length <= limit ? { ...readFrom(request), limit } : undefined;
}
