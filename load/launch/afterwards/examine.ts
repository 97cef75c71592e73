import type { Target } from "../../../fixtures/engine/config/target.ts";
import type { Client } from "../../../fixtures/engine/http/client.ts";
import type { Money } from "../../../reports/verdicts/verdict.ts";
import type { References } from "../../k6/templates/reference.ts";
import type { Entry, Sightings } from "../../reconcile/journal.ts";
import { lookUp } from "../../reconcile/look-up.ts";
import { judgeObserved } from "../../reconcile/observed.ts";
import { type Invariant, inOrder } from "../../results/invariant.ts";
import type { Generator, LoadResult, LoadRun } from "../../results/result.ts";
import type { Summary } from "../../results/summary.ts";
import { validityOf } from "../../results/validity.ts";
import { type Judged, resultOf } from "../../results/verdict.ts";
import { recover, type Tried } from "./recovery.ts";

/** A load that has ended, as its log tells. */
interface Ended {
  readonly run: LoadRun;
  readonly target: Target;
  readonly client: Client;
  readonly references: References;
  readonly measured: Summary | undefined;
  /** How busy the generator was; absent if it was not watched. */
  readonly generator?: Generator;
  /** The requests that may have moved money, the control included. */
  readonly entries: readonly Entry[];
  readonly sightings: Sightings;
  /** Whether transfers were sent, which can be looked up. */
  readonly hasTransfers: boolean;
  /** References that may have been sent without a response. */
  readonly unanswered: readonly string[];
  /** What worked before the load, and what did not. */
  readonly tried: Tried;
  /** Whether further payments may show that the API has recovered. */
  readonly paysAgain: boolean;
  /** After an interrupt, nothing is sent but the lookups. */
  readonly stop: { readonly interrupted: boolean };
}

/** What is true of the target after a load. */
interface Examined {
  /** The requests that may have moved money, with those that were sent after the load. */
  readonly entries: readonly Entry[];
  readonly invariants: readonly Invariant[];
  readonly reconciled: number;
  readonly paidThoughRejected: readonly string[];
}

/**
 * Ends every run, whoever sent its load: tries whether the target has recovered, looks up every transfer, judges the invariants,
 * closes the ledger and decides the verdict. `close` gets the requests that may have moved money, and the references that the
 * API rejected and the list shows as paid.
 */
export async function finishRun(
  ended: Ended,
  close: (entries: readonly Entry[], paidThoughRejected: readonly string[]) => Money,
  found: Partial<Omit<Judged, "measured" | "generator" | "invariants">> = {},
): Promise<LoadResult> {
  const { run, measured, generator = {} } = ended;
  const { entries, invariants, reconciled, paidThoughRejected } = await examine({ ...ended, generator });
  const money = close(entries, paidThoughRejected);
  const rest = { shortcomings: [], problems: [], interrupted: false, ...found };
  return resultOf(run, { measured, generator, invariants, ...rest }, reconciled, money);
}

/** Tries whether the target has recovered, looks up every transfer, and judges the invariants. */
async function examine(ended: Ended & { readonly generator: Generator }): Promise<Examined> {
  const { run, client, references, measured, generator, sightings, stop } = ended;
  const { tried, paysAgain } = ended;
  const recovery = await recover(client, tried, references, { paysAgain, stop });
  const entries = [...ended.entries, ...recovery.entries];
  const { reconciled, invariants, mixedUp, paidThoughRejected } = await lookUp(
    ended,
    entries,
    ended.hasTransfers ? ended.unanswered : [],
  );
  const validity = validityOf(measured, generator);
  return {
    entries,
    reconciled,
    paidThoughRejected,
    invariants: inOrder([
      ...invariants,
      ...judgeObserved({ run, measured, validity, sightings, mixedUp }),
      ...recovery.invariants,
    ]),
  };
}
