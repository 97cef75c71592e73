import { spreadOf, type TransferStatus } from "../../fixtures/engine/lists/transfer-counts.ts";
import type { Invariant } from "../results/invariant.ts";
import type { Transfer } from "./journal.ts";
import { isRejected, judge, judgeUncounted, type Listed } from "./judge.ts";

/** Counts the rows of the transfer list for a reference, with one status or any; `undefined` without a response. */
export type Lookup = (reference: string, status?: TransferStatus) => Promise<number | undefined>;

export interface Evidence {
  readonly transfers: readonly Transfer[];
  readonly lookup: Lookup;
  /** Rows listed for the control transfer: 0 if nothing is listed, `undefined` if rows cannot be counted. */
  readonly control: number | undefined;
  /** The statuses of a payout in this deployment: Unverified rows may only record attempts. */
  readonly payoutStatuses: readonly TransferStatus[];
  /** Waits, once more, for the time within which the API lists what it accepted. */
  readonly settle: () => Promise<void>;
  /** The operator (or the sandbox) promises that time, so a transfer that is still missing is lost. */
  readonly settleIsPromised: boolean;
}

/** Lookups at the same time; the client's rate limit spaces them out further. */
const CONCURRENT_LOOKUPS = 8;

/** What the transfer list shows, reference by reference. */
export interface Reconciled {
  readonly invariants: readonly Invariant[];
  /** Absent if transfers cannot be counted in the list. */
  readonly listed?: readonly Listed[];
}

/** Compares the responses to the transfers with the transfer list, reference by reference. */
export async function reconcile(evidence: Evidence): Promise<Reconciled> {
  const { transfers, control, payoutStatuses, settleIsPromised } = evidence;
  if (!control) return { invariants: judgeUncounted(transfers, control, settleIsPromised) };
  const counts = await countSettledRows(evidence, control);
  const listed: Listed[] = [];
  for (const transfer of transfers) {
    const rows = counts.get(transfer);
    const isSurprising = rows !== undefined && rows > (isRejected(transfer) ? 0 : control);
    const payouts = isSurprising ? await countPayouts(transfer, evidence, rows) : rows;
    listed.push({ ...transfer, rows, payouts });
  }
  return { invariants: judge(listed, { control, payoutStatuses, settleIsPromised }), listed };
}

/** Counts odd ones twice: a late row may still appear, and a surplus row may still become a rejection. */
async function countSettledRows({ transfers, lookup, settle }: Evidence, control: number) {
  const first = await countRows(transfers, lookup);
  const odd = transfers.filter((transfer) => {
    const rows = first.get(transfer);
    const most = isRejected(transfer) ? 0 : control;
    return rows === undefined || rows > most || (transfer.accepted && rows === 0);
  });
  if (odd.length === 0) return first;
  await settle();
  return new Map([...first, ...(await countRows(odd, lookup))]);
}

async function countRows(transfers: readonly Transfer[], lookup: Lookup) {
  const counts = new Map<Transfer, number | undefined>();
  const waiting = transfers.values();
  const worker = async () => {
    for (const transfer of waiting) counts.set(transfer, await lookup(transfer.reference));
  };
  await Promise.all(Array.from({ length: CONCURRENT_LOOKUPS }, worker));
  return counts;
}

/**
 * Counts the rows that were or may still be paid; a repeat may add rows of rejected transfers. `undefined` if the
 * counts by status do not add up to all rows: then the status filter proves nothing.
 */
async function countPayouts({ reference }: Transfer, { lookup, payoutStatuses }: Evidence, rows: number) {
  const count = async (status: TransferStatus) => (await lookup(reference, status)) ?? Number.NaN;
  const { live, sum } = await spreadOf(payoutStatuses, count);
  return sum === rows ? live : undefined;
}
