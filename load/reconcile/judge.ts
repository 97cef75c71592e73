import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "../../fixtures/engine/http/client.ts";
import { plural } from "../../reports/wording.ts";
import type { References } from "../k6/requests.ts";
import type { Entry } from "../results/recording/lines.ts";
import { brokenBy, type Invariant, type InvariantId, invariant } from "../results/result.ts";
import {
  digestOf,
  isTransfer,
  judgeObserved,
  noSharedIdentifier,
  type Observed,
  oneIdentifierEach,
  type Transfer,
  transfersOf,
} from "./evidence.ts";
import { type Listing, learnListing, type Row, referencesOfRun } from "./listing.ts";

interface Ended extends Omit<Observed, "mixedUp"> {
  readonly entries: readonly Entry[];
  readonly unanswered: readonly string[];
}

/** Looks up every transfer of a load in the transfer list, and judges all invariants except the recovery (L13). */
export async function judgeLoad(client: Client, ended: Ended) {
  const transfers = transfersOf(ended.entries.filter(isTransfer), ended.unanswered);
  const found = transfers.length > 0 ? await lookUp(client, transfers) : undefined;
  const { invariants = [], mixedUp = [], paidThoughRejected = [] } = found ?? {};
  const observed = judgeObserved({ ...ended, mixedUp });
  return { invariants: [...invariants, ...observed], reconciled: transfers.length, paidThoughRejected };
}

async function lookUp(client: Client, transfers: readonly Transfer[]) {
  const { settleMs, settleIsPromised } = client.target;
  const settle = () => delay(settleMs);
  await settle();
  const [listing, references] = [await learnListing(client), referencesOfRun(client)];
  return judgeTransfers({ transfers, references, listing, settle, settleIsPromised });
}

interface Evidence {
  readonly transfers: readonly Transfer[];
  readonly references: Pick<References, "control" | "prefix">;
  readonly listing: Listing;
  /** Waits, once more, for the time within which the API lists what it accepted. */
  readonly settle: () => Promise<void>;
  /** The operator (or the sandbox) promises that time, so a transfer that is still missing is lost. */
  readonly settleIsPromised: boolean;
}

/** What the transfer list shows for one transfer; a count is `undefined` if the list returned no usable response. */
interface Listed extends Transfer {
  readonly rows: number | undefined;
  /** The rows that were paid or may still be paid. */
  readonly payouts: number | undefined;
}

/** Compares the responses to the transfers with the transfer list: reference by reference, and then page by page. */
export async function judgeTransfers(evidence: Evidence) {
  const { control = 0 } = evidence.listing;
  const listed = await countSettled(evidence, control);
  const whole = await judgeWholeList(evidence, listed);
  return {
    invariants: [
      noneIsLost(listed, evidence),
      noneIsPaidTwice(listed, control, evidence),
      oneIdentifierEach(evidence.transfers),
      noSharedIdentifier(evidence.transfers),
      noneRejectedIsPaid(listed, evidence),
      unknownIsMadeOnce(listed, control, evidence),
      whole.strays,
    ],
    mixedUp: whole.mixedUp,
    /** References that the API rejected, and that the list shows as paid or, if their statuses prove nothing, at all. */
    paidThoughRejected: listed.flatMap((transfer) =>
      isRejected(transfer) && (transfer.payouts ?? transfer.rows ?? 0) > 0 ? transfer.reference : [],
    ),
  };
}

/** Counts the rows of each transfer; odd ones twice, since a late row may appear, and a surplus row may become a rejection. */
async function countSettled({ transfers, listing, settle }: Evidence, control: number): Promise<Listed[]> {
  if (control === 0) return transfers.map((one) => ({ ...one, rows: undefined, payouts: undefined }));
  const mostOf = (transfer: Transfer) => (isRejected(transfer) ? 0 : control);
  const counts = await listing.countAll(transfers);
  const odd = transfers.filter((transfer) => {
    const rows = counts.get(transfer);
    return rows === undefined || rows > mostOf(transfer) || (transfer.accepted && rows === 0);
  });
  if (odd.length > 0) await settle();
  for (const [transfer, rows] of await listing.countAll(odd)) counts.set(transfer, rows);
  const listed: Listed[] = [];
  for (const transfer of transfers) {
    const rows = counts.get(transfer);
    const isSurprising = rows !== undefined && rows > mostOf(transfer);
    const payouts = isSurprising ? await listing.payouts(transfer.reference) : rows;
    listed.push({ ...transfer, rows, payouts });
  }
  return listed;
}

const NEEDS_SETTLE = "; set SETTLE_SECONDS to the time that the API may take to list a transfer";
const UNLISTED = "the API accepted a transfer before the load but does not list it";
const INDISTINCT = "the transfer list returns the same for a transfer that exists and for one that does not";
const OR = new Intl.ListFormat("en-GB", { type: "disjunction" });

/** States an invariant that each of `bad` breaks; if there are none, it is undecided if a count is missing. */
function brokenOrRead(
  bad: readonly Listed[],
  id: InvariantId,
  { listing: { control }, settleIsPromised }: Evidence,
  listed: readonly Listed[],
  text: { readonly broken: string; readonly held: string },
  count: "rows" | "payouts" = "payouts",
): Invariant {
  if (bad.length > 0) return invariant(id, "broken", text.broken, bad);
  if (control === undefined) return invariant(id, "undecided", INDISTINCT);
  if (control === 0) return invariant(id, "undecided", `${UNLISTED}${settleIsPromised ? "" : NEEDS_SETTLE}`);
  const unread = listed.filter((one) => one[count] === undefined);
  if (unread.length === 0) return invariant(id, "held", text.held);
  const problem = `the list returned no usable response for ${unread.length} of ${listed.length} references`;
  return invariant(id, "undecided", problem, unread);
}

function noneIsLost(listed: readonly Listed[], evidence: Evidence): Invariant {
  const { listing, settleIsPromised } = evidence;
  const accepted = listed.filter((transfer) => transfer.accepted);
  const missing = accepted.filter(({ rows }) => rows === 0);
  const broken = `the list lacks ${missing.length} of ${accepted.length}`;
  const text = { broken, held: `${accepted.length} of ${accepted.length}` };
  const found = brokenOrRead(missing, "L1", evidence, accepted, text, "rows");
  if (listing.control === 0) return { ...found, state: settleIsPromised ? "broken" : "undecided" };
  if (accepted.length === 0) return invariant("L1", "undecided", "the API accepted no transfer");
  if (missing.length === 0 || settleIsPromised) return found;
  return { ...found, state: "undecided", text: `${broken}${NEEDS_SETTLE}` };
}

function noneIsPaidTwice(listed: readonly Listed[], control: number, evidence: Evidence): Invariant {
  const twice = listed.filter(isPaidTwice(control));
  const most = twice.reduce((highest, { payouts = 0 }) => Math.max(highest, payouts), 0);
  const statuses = OR.format(evidence.listing.payoutStatuses);
  return brokenOrRead(twice, "L2", evidence, listed, {
    broken: `the list shows up to ${most} payouts (${statuses}) for ${twice.length} of ${listed.length} references; a single transfer has ${control}`,
    held: `none of ${listed.length} references has more than ${plural(control, "payout")}`,
  });
}

const isPaidTwice =
  (control: number) =>
  ({ payouts = 0 }: Listed) =>
    payouts > control;

/** Whether the API rejected every request with a reference, and no outcome is unknown. */
const isRejected = ({ accepted, wasUnknown }: Transfer) => !accepted && !wasUnknown;

function noneRejectedIsPaid(listed: readonly Listed[], evidence: Evidence): Invariant {
  const rejected = listed.filter(isRejected);
  if (rejected.length === 0) return invariant("L5", "unjudged", "the API rejected no transfer");
  const paid = rejected.filter(({ payouts = 0 }) => payouts > 0);
  return brokenOrRead(paid, "L5", evidence, rejected, {
    broken: `${paid.length} of ${rejected.length} are listed as paid`,
    held: `none of ${rejected.length} is listed as paid`,
  });
}

function unknownIsMadeOnce(listed: readonly Listed[], control: number, evidence: Evidence): Invariant {
  const unknown = listed.filter(({ wasUnknown }) => wasUnknown);
  if (unknown.length === 0) return invariant("L6", "unjudged", "every outcome is known");
  const twice = unknown.filter(isPaidTwice(control));
  const made = unknown.filter(({ rows }) => rows !== 0).length;
  return brokenOrRead(twice, "L6", evidence, unknown, {
    broken: `the API made ${twice.length} of ${unknown.length} more than once`,
    held: `the API made ${made} of ${unknown.length}, and none twice`,
  });
}

/** Pages through the transfer list. */
async function judgeWholeList(evidence: Evidence, listed: readonly Listed[]) {
  const { listing, references } = evidence;
  if (!listing.control) return unjudged("transfers cannot be counted in the list");
  const identifiers = new Set(listed.flatMap((transfer) => transfer.identifiers));
  const find = (value: unknown) => {
    const digest = digestOf(value);
    return digest !== null && identifiers.has(digest) ? digest : undefined;
  };
  const rows = await listing.rowsOf(references.prefix, find);
  if (!rows) return unjudged("the list cannot be paged through to its end within a minute");
  // Paging can be trusted if it finds every transfer that a lookup finds.
  const shown = new Set(rows.map(({ reference }) => reference));
  const findable = listed.filter((transfer) => (transfer.rows ?? 0) > 0);
  const found = findable.filter(({ reference }) => shown.has(reference)).length;
  if (found < findable.length || findable.length === 0)
    return unjudged(
      `paging through the list shows ${found} of the ${findable.length} transfers that lookups find`,
    );
  return {
    strays: noneWasNeverSent([...shown], listed),
    mixedUp: mixedUp(rows, listed, references.control),
  };
}

/** The result for a run whose transfer list cannot be read as a whole. */
const unjudged = (problem: string) => ({
  strays: invariant("L7", "unjudged", problem),
  /** References whose response named a transaction that the list shows under another reference. */
  mixedUp: [] as string[],
});

function noneWasNeverSent(shown: readonly string[], listed: readonly Listed[]): Invariant {
  const sent = new Set(listed.map(({ reference }) => reference));
  // A row may belong to a transfer without being it: `<reference>-FEE`.
  const isDerived = (reference: string) => listed.some((one) => reference.startsWith(one.reference));
  const strays = shown.filter((reference) => !sent.has(reference) && !isDerived(reference));
  return brokenBy(strays, "L7", {
    broken: `the list shows ${plural(strays.length, "reference")} that the run never sent`,
    held: `all ${plural(shown.length, "reference")} of the run in the list were sent`,
  });
}

/** Transfers whose response named a transactionId that the list shows in the row of another one. */
function mixedUp(rows: readonly Row[], listed: readonly Listed[], control: string): string[] {
  const owners = new Map(
    rows.flatMap(({ reference, found }) => found.map((one) => [one, reference] as const)),
  );
  // A list need not show transactionIds.
  const [known] = listed.find(({ reference }) => reference === control)?.identifiers ?? [];
  if (known === undefined || owners.get(known) !== control) return [];
  return listed.flatMap(({ reference, identifiers }) =>
    identifiers.some((identifier) => (owners.get(identifier) ?? reference) !== reference) ? [reference] : [],
  );
}
