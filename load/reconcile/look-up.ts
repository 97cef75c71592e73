import { setTimeout as delay } from "node:timers/promises";
import type { Target } from "../../fixtures/engine/config/target.ts";
import type { Client } from "../../fixtures/engine/http/client.ts";
import type { References } from "../k6/templates/reference.ts";
import type { Invariant } from "../results/invariant.ts";
import { type Entry, isTransfer, transfersOf } from "./journal.ts";
import { isRejected, type Listed, reconcile } from "./judge.ts";
import { learnListing, pageReader } from "./listing.ts";
import { judgeWholeList, unjudged } from "./whole-list.ts";

/** Where transfers are looked up. */
interface Place {
  readonly target: Target;
  readonly client: Client;
  readonly references: References;
}

/** How many transfers were looked up, and what is true of them. */
interface LookedUp {
  readonly reconciled: number;
  readonly invariants: readonly Invariant[];
  /** References whose response named a transaction that the list shows under another reference. */
  readonly mixedUp: readonly string[];
  /** References that the API rejected, and that the list shows as paid or, if their statuses prove nothing, at all. */
  readonly paidThoughRejected: readonly string[];
}

/** Looks up the transfers of a run in the transfer list; `unanswered` references may have been sent without a response. */
export async function lookUp(
  { target, client, references }: Place,
  entries: readonly Entry[],
  unanswered: readonly string[],
): Promise<LookedUp> {
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
  const mayBePaid = (transfer: Listed) =>
    isRejected(transfer) && (transfer.payouts ?? transfer.rows ?? 0) > 0;
  return {
    reconciled: transfers.length,
    invariants: [...invariants, ...whole.invariants],
    mixedUp: whole.mixedUp,
    paidThoughRejected: (listed ?? []).filter(mayBePaid).map(({ reference }) => reference),
  };
}
