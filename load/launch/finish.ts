import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Target } from "../../fixtures/engine/config/target.ts";
import type { Client } from "../../fixtures/engine/http/client.ts";
import type { Money } from "../../reports/verdicts/verdict.ts";
import { ANSWERS_LOG } from "../generator/generator.ts";
import { type References, referencesOf } from "../k6/templates/reference.ts";
import {
  type Entry,
  isTransfer,
  Journal,
  readLog,
  type Sightings,
  transfersOf,
} from "../reconcile/journal.ts";
import { isRejected, reconcile } from "../reconcile/judge.ts";
import { learnListing, pageReader } from "../reconcile/listing.ts";
import { judgeObserved } from "../reconcile/observed.ts";
import { judgeWholeList, unjudged } from "../reconcile/whole-list.ts";
import { inOrder } from "../results/invariant.ts";
import { Recording } from "../results/recording/recording.ts";
import type { Generator, LoadResult, LoadRun } from "../results/result.ts";
import type { Summary } from "../results/summary.ts";
import { validityOf } from "../results/validity.ts";
import { type Judged, resultOf } from "../results/verdict.ts";
import { recover, type Tried } from "./around-the-load.ts";
import { HeldMoney } from "./money.ts";

/** A load that has ended, as its log shows. */
interface EndedLoad {
  readonly run: LoadRun;
  readonly target: Target;
  readonly client: Client;
  readonly measured: Summary | undefined;
  /** How busy the generator was; absent if it was not watched. */
  readonly generator?: Generator;
  /** The requests that may have moved money, the control included. */
  readonly entries: readonly Entry[];
  readonly sightings: Sightings;
  /** The calls that may have been sent without a response. */
  readonly unanswered: readonly Pick<Entry, "operation" | "reference">[];
  /** What worked before the load, and what did not. */
  readonly tried: Tried;
  /** Whether further payments may show that the API has recovered. */
  readonly paysAgain: boolean;
  /** After an interrupt, nothing is sent but the lookups. */
  readonly stop: { readonly interrupted: boolean };
}

/**
 * Ends every run, whoever sent its load: tests recovery, looks up every transfer, judges the invariants, closes the ledger and
 * decides the verdict. `close` gets the requests that may have moved money, and the references that the API rejected and the
 * list shows as paid; `conclude` says what else decides, once everything was looked up.
 */
export async function finishRun(
  ended: EndedLoad,
  close: (entries: readonly Entry[], paidThoughRejected: readonly string[]) => Money,
  conclude: () => Partial<Omit<Judged, "measured" | "generator" | "invariants">>,
): Promise<LoadResult> {
  const { run, target, client, measured, generator = {}, sightings, tried } = ended;
  const references = referencesOf(run.runId, target.values.REFERENCE_FORM);
  const recovery = await recover(client, tried, references, ended);
  const entries = [...ended.entries, ...recovery.entries];
  const unanswered = ended.unanswered.filter(isTransfer).map(({ reference }) => reference);
  const listed = await lookUp(ended, references, entries, unanswered);
  const { mixedUp } = listed;
  const validity = validityOf(measured, generator);
  const invariants = inOrder([
    ...listed.invariants,
    ...judgeObserved({ run, measured, validity, sightings, mixedUp }),
    ...recovery.invariants,
  ]);
  const money = close(entries, listed.paidThoughRejected);
  const found = { shortcomings: [], problems: [], interrupted: false, ...conclude() };
  return resultOf(run, { measured, generator, invariants, ...found }, listed.reconciled, money);
}

/** Looks up the transfers of a run in the transfer list; `unanswered` references may have been sent without a response. */
async function lookUp(
  { target, client }: EndedLoad,
  references: References,
  entries: readonly Entry[],
  unanswered: readonly string[],
) {
  const transfers = transfersOf(entries.filter(isTransfer), unanswered);
  if (transfers.length === 0) return { reconciled: 0, invariants: [], mixedUp: [], paidThoughRejected: [] };
  const { settleMs, settleIsPromised } = target;
  const settle = () => delay(settleMs);
  await settle();
  const listing = await learnListing(client, references);
  const { invariants, listed } = await reconcile({ transfers, listing, settle, settleIsPromised });
  const readPage = pageReader(client);
  const whole = listed
    ? await judgeWholeList({ listed, references, readPage, listing, settle, settleIsPromised })
    : unjudged("transfers cannot be counted in the list");
  return {
    reconciled: transfers.length,
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
export function finishKilledRun(directory: string, run: LoadRun, target: Target, client: Client) {
  const held = HeldMoney.leftBy(run.runId, target, directory);
  const recording = new Recording(run, {});
  const journal = new Journal();
  readLog(join(directory, ANSWERS_LOG), recording, journal);
  const { entries, sightings } = journal;
  const answered = new Set(entries.map(({ reference }) => reference));
  return finishRun(
    {
      run,
      target,
      client,
      measured: recording.summary(true),
      entries,
      sightings,
      unanswered: held.calls.filter(({ reference }) => !answered.has(reference)),
      tried: { working: [], failing: [] },
      paysAgain: false,
      stop: { interrupted: true },
    },
    // Without a response, a payment counts as made.
    (sent, paidThoughRejected) => held.close(sent, paidThoughRejected, () => "unknown"),
    () => ({ interrupted: true }),
  );
}

/** The exit code of the command that reconciled a killed run: the run itself stays interrupted. */
export function exitCodeOfKilled({ invariants }: Pick<LoadResult, "invariants">): 0 | 1 | 4 {
  const has = (state: string) => invariants.some((one) => one.state === state);
  return has("broken") ? 1 : has("undecided") ? 4 : 0;
}
