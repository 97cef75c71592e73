import { spreadOf, type TransferStatus } from "../../fixtures/lists/transfer-counts.ts";
import { type Invariant, judge, type Reading, uncounted } from "./invariants.ts";
import type { Transfer } from "./transfers.ts";

/** Items that the transfer list shows for a reference, with one status or with any; `undefined` without an answer. */
export type Lookup = (reference: string, status?: TransferStatus) => Promise<number | undefined>;

/** What a reconciliation starts from. */
export interface Evidence {
  readonly transfers: readonly Transfer[];
  readonly lookup: Lookup;
  /** Items that the list shows for one transfer sent once: 0 nothing at all, `undefined` not to be counted. */
  readonly control: number | undefined;
  /** Waits once more until accepted writes must be visible; they had that time once before. */
  readonly settle: () => Promise<void>;
  /** The operator (or the sandbox) promised how long that takes, so that a missing transfer is a lost one. */
  readonly settleIsPromised: boolean;
}

/** Lookups under way at once; the client's rate budget spaces them further. */
const AT_ONCE = 8;

/** Compares what was answered with what the transfer list shows, reference by reference. */
export async function reconcile(evidence: Evidence): Promise<Invariant[]> {
  const { transfers, lookup, control, settle, settleIsPromised } = evidence;
  if (!control) return uncounted(transfers, control === 0 && settleIsPromised);
  const first = await countAll(transfers, lookup);
  const odd = first.filter((reading) => isOdd(reading, control)).map(({ transfer }) => transfer);
  // A second reading: a late item may still appear, a surplus may still turn into a refusal.
  if (odd.length > 0) await settle();
  const second = new Map((await countAll(odd, lookup)).map((reading) => [reading.transfer, reading]));
  const readings: Reading[] = [];
  for (const { transfer, all } of first) {
    const latest = second.has(transfer) ? second.get(transfer)?.all : all;
    const surplus = latest !== undefined && latest > control;
    readings.push({
      transfer,
      all: latest,
      live: surplus ? await countLive(transfer, lookup, latest) : latest,
    });
  }
  return judge(readings, control, settleIsPromised);
}

const isOdd = ({ transfer, all }: Counted, control: number) =>
  all === undefined || all > control || (transfer.accepted && all === 0);

type Counted = Pick<Reading, "transfer" | "all">;

async function countAll(transfers: readonly Transfer[], lookup: Lookup): Promise<Counted[]> {
  const counted: Counted[] = [];
  const waiting = transfers.values();
  const worker = async () => {
    for (const transfer of waiting) counted.push({ transfer, all: await lookup(transfer.reference) });
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return counted;
}

/**
 * Rows that were or may still be paid; further rows that were rejected are permitted. `undefined` if the counts by
 * status do not add up to all rows, so that the status filter proves nothing.
 */
async function countLive({ reference }: Transfer, lookup: Lookup, all: number): Promise<number | undefined> {
  const { live, sum } = await spreadOf(async (status) => (await lookup(reference, status)) ?? Number.NaN);
  return sum === all ? live : undefined;
}
