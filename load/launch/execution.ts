import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { findLeaks } from "../../fixtures/config/leaks.ts";
import { Redactor } from "../../fixtures/config/redaction.ts";
import type { Target } from "../../fixtures/config/target.ts";
import type { Client } from "../../fixtures/http/client.ts";
import { closeLedger, Ledger } from "../../fixtures/run/ledger.ts";
import { longestMs } from "../k6/profiles.ts";
import type { Schedule } from "../k6/schedule.ts";
import type { Summary } from "../k6/summary.ts";
import type { Invariant } from "../reconcile/invariants.ts";
import { type Entry, readJournal } from "../reconcile/journal.ts";
import { learnListing } from "../reconcile/listing.ts";
import { reconcile } from "../reconcile/reconcile.ts";
import { transfersOf } from "../reconcile/transfers.ts";
import type { LoadResult, LoadRun } from "../results/result.ts";
import { shapes, validityOf, verdictOf } from "../results/verdict.ts";
import type { K6 } from "./binary.ts";
import { sendControl } from "./control.ts";
import { type Ending, generate } from "./generator.ts";
import { type MoneyCall, Reservations, sumOf, unansweredOf } from "./money.ts";
import type { RunFolder } from "./run-folder.ts";
import { StopSignal } from "./stop.ts";
import type { Prepared } from "./templates.ts";

/** All that a load run is made of, once everything that could refuse it has agreed. */
export interface Execution {
  readonly target: Target;
  readonly client: Client;
  readonly k6: K6;
  readonly folder: RunFolder;
  readonly run: LoadRun;
  readonly schedule: Schedule;
  readonly prepared: Prepared;
  readonly calls: readonly MoneyCall[];
}

/** k6's exit codes for a run that it carried out: thresholds met, thresholds broken. */
const CARRIED_OUT: readonly (number | null)[] = [0, 99];
/** Time that k6 gets to start and to write its summary. */
const GRACE_MS = 60_000;

/** Sends the load, reconciles what was sent, and judges; leaves `result.json` in the run's folder. */
export async function execute(execution: Execution): Promise<LoadResult> {
  const { target, client, folder, run, calls } = execution;
  const redactor = new Redactor(target.secrets);
  const ledger = ledgerOf(execution);
  const reservations = new Reservations(new Ledger(ledger.path, run.runId, ledger.caps), calls);
  const close = () => closeLedger(ledger.path, run.runId, sumOf(calls), ledger.caps);
  const reconciles = execution.prepared.templates.createTransfer !== undefined;

  folder.write("run.json", run);
  const entries: Entry[] = [];
  if (reconciles) {
    const { entry, refusal } = await sendControl(client, redactor);
    entries.push(entry);
    if (refusal) {
      reservations.settle(entries);
      close();
      throw refusal;
    }
  }
  const stop = new StopSignal();
  const ending = await send(execution, redactor, stop);
  entries.push(...readJournal(textOf(join(folder.path, "answers.log"))));
  const cutShort = stop.interrupted || !CARRIED_OUT.includes(ending.code);
  const unanswered = cutShort ? unansweredOf(calls, entries, underWay(execution)) : [];
  reservations.settle(entries, unanswered);

  const measured = readSummary(folder);
  const transfers = transfersOf(
    entries.filter(({ operation }) => operation === "createTransfer"),
    reconciles ? unanswered : [],
  );
  const invariants: Invariant[] = [
    ...(reconciles ? await reconcileWith(execution, transfers) : []),
    ...(measured ? [shapes(measured)] : []),
  ];
  const problems = [...failures(execution, ending, measured, stop), ...findLeaks(folder.path, redactor)];
  const decision = verdictOf({
    measured,
    cpuShare: ending.cpuShare,
    hasObjectives: run.objectives !== undefined,
    invariants,
    problems,
    interrupted: stop.interrupted,
  });
  const result: LoadResult = {
    ...run,
    schema: "payments-conformance/load@1",
    finishedAt: new Date().toISOString(),
    ...(measured && { measured }),
    generator: ending.cpuShare === undefined ? {} : { cpuShare: ending.cpuShare },
    validity: validityOf(measured, ending.cpuShare),
    reconciled: transfers.length,
    invariants,
    money: close(),
    problems,
    ...decision,
  };
  folder.write("result.json", result);
  stop.release();
  return result;
}

function ledgerOf({ target, folder }: Execution) {
  const { MAX_PAYOUTS: count = null, MAX_PAYOUT_TOTAL: total = null } = target.values;
  const { host } = new URL(target.baseUrl);
  return target.embedded
    ? { path: join(folder.path, "ledger.jsonl"), caps: { count: null, total: null } }
    : { path: join("reports/ledger", `${host.replace(":", "_")}.jsonl`), caps: { count, total } };
}

function send(
  { target, k6, folder, run, prepared }: Execution,
  redactor: Redactor,
  stop: StopSignal,
): Promise<Ending> {
  const { CA_FILE, HTTPS_PROXY } = target.values;
  const { cert, key } = target.tls;
  return generate({
    k6,
    directory: folder.path,
    redactor,
    deadlineMs: longestMs(run.profile) + target.timeoutMs + GRACE_MS,
    onStart: stop.onStop,
    environment: {
      WORKLOAD: run.workload,
      PROFILE: run.profile.name,
      RATE: String(run.profile.rate),
      DURATION: `${Math.round(run.profile.seconds * 1000)}ms`,
      RUN_ID: run.runId,
      REQUEST_TIMEOUT_MS: String(target.timeoutMs),
      OBJECTIVES: JSON.stringify(run.objectives ?? {}),
      TEMPLATES: JSON.stringify(prepared.templates),
      SUMMARY_FILE: join(folder.path, SUMMARY),
      ...(CA_FILE && { SSL_CERT_FILE: CA_FILE }),
      ...(HTTPS_PROXY && { HTTP_PROXY: HTTPS_PROXY, HTTPS_PROXY }),
      ...(cert && key && { TLS_CERT: cert, TLS_KEY: key }),
    },
  });
}

const SUMMARY = "summary.json";

function readSummary(folder: RunFolder): Summary | undefined {
  const text = textOf(join(folder.path, SUMMARY));
  return text === "" ? undefined : (JSON.parse(text) as Summary);
}

const textOf = (path: string) => (existsSync(path) ? readFileSync(path, "utf8") : "");

/** Requests that may have been waiting for their answers when the run was cut short. */
const underWay = ({ run, target }: Execution) => Math.ceil((run.profile.rate * target.timeoutMs) / 1000) + 10;

async function reconcileWith(execution: Execution, transfers: ReturnType<typeof transfersOf>) {
  const { client, target } = execution;
  const settle = () => delay(target.settleMs);
  await settle();
  const { lookup, control } = await learnListing(client);
  return reconcile({ transfers, lookup, control, settle, settleIsPromised: target.settleIsPromised });
}

function failures(
  execution: Execution,
  ending: Ending,
  measured: Summary | undefined,
  stop: StopSignal,
): string[] {
  if (stop.interrupted) return [];
  if (ending.code === null) return ["k6 was killed before it ended"];
  if (!CARRIED_OUT.includes(ending.code))
    return [`k6 ${execution.k6.version} exited with ${ending.code}: ${ending.tail}`];
  return measured ? [] : ["k6 left no summary"];
}
