import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "../../fixtures/engine/http/client.ts";
import { RESPONSES_LOG } from "../generator/generator.ts";
import {
  type Entry,
  isTransfer,
  Journal,
  readLog,
  type Transfer,
  transfersOf,
} from "../reconcile/journal.ts";
import { isRejected, reconcile } from "../reconcile/judge.ts";
import { learnListing, pageReader, referencesOfRun } from "../reconcile/listing.ts";
import { judgeObserved } from "../reconcile/observed.ts";
import { judgeWholeList, unjudged } from "../reconcile/whole-list.ts";
import { inOrder } from "../results/invariant.ts";
import { Recording } from "../results/recording/recording.ts";
import type { Generator, LoadResult, LoadRun, Summary } from "../results/result.ts";
import { validityOf } from "../results/validity.ts";
import { resultOf, shortcomings } from "../results/verdict.ts";
import type { Guard } from "./guard.ts";
import { type Call, HeldMoney, unansweredOf } from "./money.ts";
import { recover, type Tried } from "./trials.ts";

/** A load that has ended, as its log shows. */
interface EndedLoad {
  readonly run: LoadRun;
  readonly client: Client;
  readonly held: HeldMoney;
  /** What may have moved money before the load. */
  readonly control: readonly Entry[];
  readonly journal: Journal;
  readonly measured: Summary | undefined;
  /** How busy the generator was; absent if it was not watched. */
  readonly generator?: Generator;
  /** The calls that may have been sent without a response. */
  readonly unanswered: readonly Call[];
  /** Whether a call without an entry may have been sent. */
  readonly mayBeSent: (reference: string) => boolean;
  readonly tried: Tried;
  /** After an interrupt, nothing is sent but the lookups. */
  readonly stop: Pick<Guard, "interrupted"> & Partial<Pick<Guard, "reason" | "hasPaidTwice">>;
  readonly killedBecause?: string | undefined;
  /** Why the log proves too little. */
  readonly gaps?: readonly string[];
  /** Failures of the suite itself. */
  readonly problems?: readonly string[];
}

/**
 * Ends every run, whoever sent its load: tests recovery, looks up every transfer, judges the invariants, closes the ledger and
 * decides the verdict.
 */
export async function finishRun(ended: EndedLoad): Promise<LoadResult> {
  const { run, client, held, journal, measured, generator = {}, stop, gaps = [], problems = [] } = ended;
  const recovery = await recover(client, ended.tried, stop);
  const entries = [...ended.control, ...journal.entries, ...recovery.entries];
  const unanswered = ended.unanswered.filter(isTransfer).map(({ reference }) => reference);
  const transfers = transfersOf(entries.filter(isTransfer), unanswered);
  const { mixedUp, paidThoughRejected, ...listed } = await lookUp(client, transfers);
  const { sightings } = journal;
  const validity = validityOf(measured, generator);
  const observed = judgeObserved({ run, measured, validity, sightings, mixedUp });
  const found = {
    measured,
    generator,
    invariants: inOrder([...listed.invariants, ...observed, ...recovery.invariants]),
    shortcomings: [...(measured ? shortcomings(run, measured) : []), ...gaps],
    problems,
    // A signal may come until the last lookup.
    interrupted: stop.interrupted,
    stopped: stop.reason ?? ended.killedBecause,
    hasHarmed: stop.reason !== undefined,
  };
  const money = held.close(entries, paidThoughRejected, ended.mayBeSent);
  return resultOf(run, found, transfers.length, money);
}

/** Looks up the transfers of a run in the transfer list. */
async function lookUp(client: Client, transfers: readonly Transfer[]) {
  if (transfers.length === 0) return { invariants: [], mixedUp: [], paidThoughRejected: [] };
  const { settleMs, settleIsPromised } = client.target;
  const settle = () => delay(settleMs);
  await settle();
  const listing = await learnListing(client);
  const { invariants, listed } = await reconcile({ transfers, listing, settle, settleIsPromised });
  const [references, readPage] = [referencesOfRun(client), pageReader(client)];
  const whole = listed
    ? await judgeWholeList({ listed, references, readPage, listing, settle, settleIsPromised })
    : unjudged("transfers cannot be counted in the list");
  return {
    invariants: [...invariants, ...whole.invariants],
    /** References whose response named a transaction that the list shows under another reference. */
    mixedUp: whole.mixedUp,
    /** References that the API rejected, and that the list shows as paid or, if their statuses prove nothing, at all. */
    paidThoughRejected: (listed ?? []).flatMap((transfer) =>
      isRejected(transfer) && (transfer.payouts ?? transfer.rows ?? 0) > 0 ? transfer.reference : [],
    ),
  };
}

/**
 * Does for a killed run what it would have done at its end: looks up every transfer that may have been sent, judges what
 * is listed, and closes the run in the ledger. The ledger has every reference, and k6's log the responses that arrived.
 */
export function finishKilledRun(directory: string, run: LoadRun, client: Client) {
  const held = new HeldMoney(client.target, directory, run.runId);
  const recording = new Recording(run, {});
  const journal = new Journal();
  readLog(join(directory, RESPONSES_LOG), recording, journal);
  return finishRun({
    run,
    client,
    held,
    control: [],
    journal,
    measured: recording.summary(true),
    unanswered: unansweredOf(held.calls, journal.entries, Number.POSITIVE_INFINITY),
    mayBeSent: () => true,
    tried: { working: [], failing: [] },
    stop: { interrupted: true },
  });
}

/** The exit code of the command that reconciled a killed run: the run itself stays interrupted. */
export function exitCodeOfKilled({ invariants }: Pick<LoadResult, "invariants">): 0 | 1 | 4 {
  const has = (state: string) => invariants.some((one) => one.state === state);
  return has("broken") ? 1 : has("undecided") ? 4 : 0;
}
