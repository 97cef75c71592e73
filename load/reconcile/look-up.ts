import { setTimeout as delay } from "node:timers/promises";
import type { Target } from "../../fixtures/config/target.ts";
import type { Client } from "../../fixtures/http/client.ts";
import type { References } from "../k6/reference.ts";
import { type Entry, isTransfer, transfersOf } from "./journal.ts";
import type { Invariant } from "./judge.ts";
import { learnListing } from "./listing.ts";
import { reconcile } from "./reconcile.ts";

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
}

/** The result for a run without transfers. */
export const NOTHING_TO_LOOK_UP: LookedUp = { reconciled: 0, invariants: [] };

/** Looks up the transfers of a run in the transfer list; `unanswered` references may have been sent without a response. */
export async function lookUp(
  { target, client, references }: Place,
  entries: readonly Entry[],
  unanswered: readonly string[],
): Promise<LookedUp> {
  const transfers = transfersOf(entries.filter(isTransfer), unanswered);
  if (transfers.length === 0) return NOTHING_TO_LOOK_UP;
  const { settleMs, settleIsPromised } = target;
  const settle = () => delay(settleMs);
  await settle();
  const listing = await learnListing(client, references);
  const invariants = await reconcile({ transfers, ...listing, settle, settleIsPromised });
  return { reconciled: transfers.length, invariants };
}
