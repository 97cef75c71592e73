import { setTimeout as delay } from "node:timers/promises";
import { findLeaks } from "../../fixtures/config/leaks.ts";
import { Redactor } from "../../fixtures/config/redaction.ts";
import type { Target } from "../../fixtures/config/target.ts";
import type { Client } from "../../fixtures/http/client.ts";
import type { K6 } from "../generator/binary.ts";
import { ANSWERS_LOG, type Ending, runK6 } from "../generator/generator.ts";
import { maxDurationMs } from "../k6/profiles.ts";
import type { Summary } from "../k6/summary.ts";
import type { Invariant } from "../reconcile/invariants.ts";
import { type Entry, readJournal } from "../reconcile/journal.ts";
import { learnListing } from "../reconcile/listing.ts";
import { reconcile } from "../reconcile/reconcile.ts";
import { type Transfer, transfersOf } from "../reconcile/transfers.ts";
import type { LoadResult, LoadRun } from "../results/result.ts";
import { documentedShapes, resultOf } from "../results/verdict.ts";
import { sendControl } from "./control.ts";
import { k6Environment, SUMMARY } from "./k6-environment.ts";
import { type MoneyCall, unansweredOf } from "./money-calls.ts";
import { ledgerOf, Reservations } from "./reservations.ts";
import type { RunFolder } from "./run-folder.ts";
import { StopSignal } from "./stop.ts";
import type { Prepared } from "./templates.ts";

/** What a load run needs, once it is allowed. */
export interface Execution {
  readonly target: Target;
  readonly client: Client;
  readonly k6: K6;
  readonly folder: RunFolder;
  readonly run: LoadRun;
  readonly prepared: Prepared;
  readonly calls: readonly MoneyCall[];
}

/** k6's exit codes for a run that it finished: thresholds met, thresholds broken. */
const FINISHED: readonly (number | null)[] = [0, 99];
/** Time that k6 gets to start and to write its summary. */
const K6_OVERHEAD_MS = 60_000;

/** Sends the load, reconciles it and judges it; leaves `run.json` and `result.json` in the run's folder. */
export async function execute(execution: Execution): Promise<LoadResult> {
  const { target, folder, run, calls } = execution;
  const redactor = new Redactor(target.secrets);
  const reservations = new Reservations(ledgerOf(target, folder.path), run.runId, calls);
  folder.write("run.json", run);
  const control = await acceptedControl(execution, redactor, reservations);

  const stop = new StopSignal();
  const ending = await sendLoad(execution, redactor, stop);
  const entries = [...control, ...readJournal(folder.read(ANSWERS_LOG))];
  const isCutShort = stop.interrupted || !FINISHED.includes(ending.code);
  const unanswered = isCutShort ? unansweredOf(calls, entries, maxInFlight(execution)) : [];
  reservations.settle(entries, unanswered);

  const measured = readSummary(folder);
  const transfers = transfersIn(execution, entries, unanswered);
  const invariants = [
    ...(await reconcileTransfers(execution, transfers)),
    ...(measured ? [documentedShapes(measured)] : []),
  ];
  const { interrupted } = stop;
  const problems = [
    ...(interrupted ? [] : k6Problems(execution.k6, ending, measured)),
    ...findLeaks(folder.path, redactor),
  ];
  const result = resultOf(
    run,
    { measured, cpuShare: ending.cpuShare, invariants, problems, interrupted },
    transfers.length,
    reservations.close(),
  );
  folder.write("result.json", result);
  stop.release();
  return result;
}

const sendsTransfers = ({ prepared }: Execution) => prepared.templates.createTransfer !== undefined;

/** Sends the control transfer of a load that sends transfers; throws a `CommandError` (3) if it is not accepted. */
async function acceptedControl(
  execution: Execution,
  redactor: Redactor,
  reservations: Reservations,
): Promise<Entry[]> {
  if (!sendsTransfers(execution)) return [];
  const { entry, problem } = await sendControl(execution.client, redactor);
  if (!problem) return [entry];
  reservations.settle([entry]);
  reservations.close();
  throw problem;
}

function sendLoad(execution: Execution, redactor: Redactor, stop: StopSignal): Promise<Ending> {
  const { target, k6, folder, run, prepared } = execution;
  return runK6({
    k6,
    directory: folder.path,
    environment: k6Environment(target, run, folder, prepared),
    redactor,
    deadlineMs: maxDurationMs(run.profile) + target.timeoutMs + K6_OVERHEAD_MS,
    onStart: stop.onStop,
  });
}

/** The most requests that can have been without a response when the run was cut short. */
const maxInFlight = ({ run, target }: Execution) =>
  Math.ceil((run.profile.rate * target.timeoutMs) / 1000) + 10;

function readSummary(folder: RunFolder): Summary | undefined {
  const text = folder.read(SUMMARY);
  return text === "" ? undefined : (JSON.parse(text) as Summary);
}

function transfersIn(execution: Execution, entries: readonly Entry[], unanswered: readonly string[]) {
  if (!sendsTransfers(execution)) return [];
  return transfersOf(
    entries.filter(({ operation }) => operation === "createTransfer"),
    unanswered,
  );
}

async function reconcileTransfers(
  execution: Execution,
  transfers: readonly Transfer[],
): Promise<Invariant[]> {
  if (!sendsTransfers(execution)) return [];
  const { settleMs, settleIsPromised } = execution.target;
  const settle = () => delay(settleMs);
  await settle();
  const { lookup, control } = await learnListing(execution.client);
  return reconcile({ transfers, lookup, control, settle, settleIsPromised });
}

function k6Problems({ version }: K6, { code, tail }: Ending, measured: Summary | undefined): string[] {
  if (code === null) return ["k6 was killed before it finished"];
  if (!FINISHED.includes(code)) return [`k6 ${version} exited with code ${code}: ${tail}`];
  return measured ? [] : ["k6 wrote no summary"];
}
