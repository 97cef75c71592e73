import type { Target } from "../../../fixtures/config/target.ts";
import type { Client } from "../../../fixtures/http/client.ts";
import type { References } from "../../k6/templates/reference.ts";
import type { Entry, Sightings } from "../../reconcile/journal.ts";
import { lookUp, NOTHING_TO_LOOK_UP } from "../../reconcile/look-up.ts";
import { judgeObserved } from "../../reconcile/observed.ts";
import { type Invariant, inOrder } from "../../results/invariant.ts";
import type { Generator, LoadRun } from "../../results/result.ts";
import type { Summary } from "../../results/summary.ts";
import { validityOf } from "../../results/validity.ts";
import { recover, type Tried } from "./recovery.ts";

/** A load that has ended, as its log tells. */
export interface Ended {
  readonly run: LoadRun;
  readonly target: Target;
  readonly client: Client;
  readonly references: References;
  readonly measured: Summary | undefined;
  readonly generator: Generator;
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

/** Tries whether the target has recovered, looks up every transfer, and judges the invariants. */
export async function examine(ended: Ended): Promise<Examined> {
  const { run, client, references, measured, generator, sightings, stop } = ended;
  const { tried, paysAgain } = ended;
  const recovery = await recover(client, tried, references, { paysAgain, stop });
  const entries = [...ended.entries, ...recovery.entries];
  const { reconciled, invariants, mixedUp, paidThoughRejected } = ended.hasTransfers
    ? await lookUp(ended, entries, ended.unanswered)
    : NOTHING_TO_LOOK_UP;
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
