import { groupBy } from "../../reports/grouping.ts";
import { plural } from "../../reports/wording.ts";
import { brokenBy, type Invariant, type InvariantId, invariant } from "../results/invariant.ts";
import type { Transfer } from "./journal.ts";
import type { Listing } from "./listing.ts";

/** What the transfer list shows for one transfer; a count is `undefined` if the list returned no usable response. */
export interface Listed extends Transfer {
  readonly rows: number | undefined;
  /** The rows that were paid or may still be paid. */
  readonly payouts: number | undefined;
}

export interface Evidence {
  readonly transfers: readonly Transfer[];
  readonly listing: Pick<Listing, "control" | "count" | "payouts" | "payoutStatuses">;
  /** Waits, once more, for the time within which the API lists what it accepted. */
  readonly settle: () => Promise<void>;
  /** The operator (or the sandbox) promises that time, so a transfer that is still missing is lost. */
  readonly settleIsPromised: boolean;
}

/** What the transfer list shows, reference by reference. */
interface Reconciled {
  readonly invariants: readonly Invariant[];
  /** Absent if transfers cannot be counted in the list. */
  readonly listed?: readonly Listed[];
}

/** Compares the responses to the transfers with the transfer list, reference by reference. */
export async function reconcile(evidence: Evidence): Promise<Reconciled> {
  const { transfers, listing, settleIsPromised } = evidence;
  const { control = 0 } = listing;
  const listed = control > 0 ? await countSettled(evidence, control) : transfers.map(uncounted);
  const heldIfRead = reader(listing.control, settleIsPromised);
  const invariants = [
    noneIsLost(listed, evidence, heldIfRead),
    noneIsPaidTwice(listed, control, listing, heldIfRead),
    oneIdentifierEach(transfers),
    noSharedIdentifier(transfers),
    noneRejectedIsPaid(listed, heldIfRead),
    unknownIsMadeOnce(listed, control, heldIfRead),
  ];
  return control > 0 ? { invariants, listed } : { invariants };
}

const uncounted = (transfer: Transfer): Listed => ({ ...transfer, rows: undefined, payouts: undefined });

/** Counts the rows of each transfer; odd ones twice, since a late row may appear, and a surplus row may become a rejection. */
async function countSettled({ transfers, listing, settle }: Evidence, control: number): Promise<Listed[]> {
  const mostOf = (transfer: Transfer) => (isRejected(transfer) ? 0 : control);
  const counts = await countRows(transfers, listing);
  const odd = transfers.filter((transfer) => {
    const rows = counts.get(transfer);
    return rows === undefined || rows > mostOf(transfer) || (transfer.accepted && rows === 0);
  });
  if (odd.length > 0) await settle();
  for (const [transfer, rows] of await countRows(odd, listing)) counts.set(transfer, rows);
  const listed: Listed[] = [];
  for (const transfer of transfers) {
    const rows = counts.get(transfer);
    const isSurprising = rows !== undefined && rows > mostOf(transfer);
    const payouts = isSurprising ? await listing.payouts(transfer.reference) : rows;
    listed.push({ ...transfer, rows, payouts });
  }
  return listed;
}

/** Lookups at the same time; the client's rate limit spaces them out further. */
const CONCURRENT_LOOKUPS = 8;

async function countRows(transfers: readonly Transfer[], { count }: Evidence["listing"]) {
  const counts = new Map<Transfer, number | undefined>();
  const waiting = transfers.values();
  const worker = async () => {
    for (const transfer of waiting) counts.set(transfer, await count(transfer.reference));
  };
  await Promise.all(Array.from({ length: CONCURRENT_LOOKUPS }, worker));
  return counts;
}

const NEEDS_SETTLE = "; set SETTLE_SECONDS to the time that the API may take to list a transfer";
const OR = new Intl.ListFormat("en-GB", { type: "disjunction" });

type HeldIfRead = ReturnType<typeof reader>;

/** Makes the function that states an invariant which nothing breaks; it is undecided without every count that it needs. */
function reader(control: number | undefined, settleIsPromised: boolean) {
  const unlisted = `the API accepted a transfer before the load but does not list it${settleIsPromised ? "" : NEEDS_SETTLE}`;
  const indistinct =
    "the transfer list returns the same for a transfer that exists and for one that does not";
  return (id: InvariantId, listed: readonly Listed[], count: "rows" | "payouts", text: string): Invariant => {
    if (!control) return invariant(id, "undecided", control === 0 ? unlisted : indistinct);
    const unread = listed.filter((one) => one[count] === undefined);
    if (unread.length === 0) return invariant(id, "held", text);
    const problem = `the list returned no usable response for ${unread.length} of ${listed.length} references`;
    return invariant(id, "undecided", problem, unread);
  };
}

function noneIsLost(
  listed: readonly Listed[],
  { listing, settleIsPromised }: Evidence,
  heldIfRead: HeldIfRead,
): Invariant {
  const accepted = listed.filter((transfer) => transfer.accepted);
  const found = heldIfRead("L1", accepted, "rows", `${accepted.length} of ${accepted.length}`);
  if (listing.control === 0) return { ...found, state: settleIsPromised ? "broken" : "undecided" };
  if (accepted.length === 0) return invariant("L1", "undecided", "the API accepted no transfer");
  const missing = accepted.filter(({ rows }) => rows === 0);
  if (missing.length === 0) return found;
  const text = `the list lacks ${missing.length} of ${accepted.length}`;
  return settleIsPromised
    ? invariant("L1", "broken", text, missing)
    : invariant("L1", "undecided", `${text}${NEEDS_SETTLE}`, missing);
}

function noneIsPaidTwice(
  listed: readonly Listed[],
  control: number,
  { payoutStatuses }: Evidence["listing"],
  heldIfRead: HeldIfRead,
): Invariant {
  const twice = listed.filter(isPaidTwice(control));
  if (twice.length > 0) {
    const most = twice.reduce((highest, { payouts = 0 }) => Math.max(highest, payouts), 0);
    const text = `the list shows up to ${most} payouts (${OR.format(payoutStatuses)}) for ${twice.length} of ${listed.length} references; a single transfer has ${control}`;
    return invariant("L2", "broken", text, twice);
  }
  const text = `none of ${listed.length} references has more than ${plural(control, "payout")}`;
  return heldIfRead("L2", listed, "payouts", text);
}

/** Several identifiers for a reference only warn, since they need not be several payouts. */
function oneIdentifierEach(transfers: readonly Transfer[]): Invariant {
  const repeated = transfers.filter(({ identified }) => identified > 1);
  if (repeated.length === 0)
    return invariant("L3", "unjudged", "no reference got several responses with a transactionId");
  const several = repeated.filter(({ identifiers }) => identifiers.length > 1);
  return several.length > 0
    ? invariant("L3", "warned", `${several.length} of ${repeated.length} references got several`, several)
    : invariant("L3", "held", `${plural(repeated.length, "reference")} with several responses got one each`);
}

/** The API must be able to tell transfers apart. */
function noSharedIdentifier(transfers: readonly Transfer[]): Invariant {
  const uses = transfers.flatMap((transfer) =>
    transfer.identifiers.map((identifier) => ({ identifier, transfer })),
  );
  if (uses.length < 2)
    return invariant("L4", "unjudged", `${plural(uses.length, "reference")} got a transactionId`);
  const users = [...groupBy(uses, ({ identifier }) => identifier).values()];
  const shared = users.filter(({ length }) => length > 1).flat();
  const sharing = [...new Set(shared.map(({ transfer }) => transfer))];
  return brokenBy(sharing, "L4", {
    broken: `${sharing.length} of ${transfers.length} references share theirs`,
    held: `${plural(users.length, "transactionId")}, none shared`,
  });
}

/** Whether the API rejected every request with a reference, and no outcome is unknown. */
export const isRejected = ({ accepted, unknown }: Transfer) => !accepted && !unknown;

function noneRejectedIsPaid(listed: readonly Listed[], heldIfRead: HeldIfRead): Invariant {
  const rejected = listed.filter(isRejected);
  if (rejected.length === 0) return invariant("L5", "unjudged", "the API rejected no transfer");
  const paid = rejected.filter(({ payouts = 0 }) => payouts > 0);
  return paid.length > 0
    ? invariant("L5", "broken", `${paid.length} of ${rejected.length} are listed as paid`, paid)
    : heldIfRead("L5", rejected, "payouts", `none of ${rejected.length} is listed as paid`);
}

function unknownIsMadeOnce(listed: readonly Listed[], control: number, heldIfRead: HeldIfRead): Invariant {
  const unknown = listed.filter(({ wasUnknown }) => wasUnknown);
  if (unknown.length === 0) return invariant("L6", "unjudged", "every outcome is known");
  const twice = unknown.filter(isPaidTwice(control));
  const text = `the API made ${twice.length} of ${unknown.length} more than once`;
  if (twice.length > 0) return invariant("L6", "broken", text, twice);
  const made = unknown.filter(({ rows }) => rows !== 0).length;
  return heldIfRead("L6", unknown, "payouts", `the API made ${made} of ${unknown.length}, and none twice`);
}

const isPaidTwice =
  (control: number) =>
  ({ payouts = 0 }: Listed) =>
    payouts > control;
