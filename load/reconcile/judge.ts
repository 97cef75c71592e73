import { LIVE_STATUSES } from "../../fixtures/lists/transfer-counts.ts";
import { plural } from "../../reports/text/wording.ts";
import { noSharedIdentifier, oneIdentifierEach } from "./identifiers.ts";
import { type Invariant, type InvariantId, invariant } from "./invariants.ts";
import type { Transfer } from "./transfers.ts";

/** What the transfer list shows for one transfer; a count is `undefined` if the list gave no usable response. */
export interface Listed {
  readonly transfer: Transfer;
  readonly rows: number | undefined;
  /** The rows that were paid or may still be paid. */
  readonly payouts: number | undefined;
}

const NEEDS_SETTLE = "; set SETTLE_SECONDS to the time that the API may take to list a transfer";
const PAYOUT_STATUSES = new Intl.ListFormat("en-GB", { type: "disjunction" }).format(LIVE_STATUSES);
const NO_UNKNOWN = invariant("L6", "held", "every outcome is known");

/** Judges the transfers of a run; `control` is the number of rows of one transfer that was sent once. */
export function judge(listed: readonly Listed[], control: number, settleIsPromised: boolean): Invariant[] {
  const transfers = transfersIn(listed);
  return [
    noneIsLost(listed, settleIsPromised),
    noneIsPaidTwice(listed, control),
    oneIdentifierEach(transfers),
    noSharedIdentifier(transfers),
    unknownIsMadeOnce(listed, control),
  ];
}

/** Judges a run whose transfers cannot be counted in the list, or whose `control` is not listed (0). */
export function judgeUncounted(
  transfers: readonly Transfer[],
  control: number | undefined,
  settleIsPromised: boolean,
): Invariant[] {
  const isLost = control === 0 && settleIsPromised;
  const text =
    control === 0
      ? `the API accepted a transfer before the load but does not list it${isLost ? "" : NEEDS_SETTLE}`
      : "the transfer list returns the same for a transfer that exists and for one that does not";
  return [
    invariant("L1", isLost ? "broken" : "undecided", text),
    invariant("L2", "undecided", text),
    oneIdentifierEach(transfers),
    noSharedIdentifier(transfers),
    transfers.some(({ unknown }) => unknown) ? invariant("L6", "undecided", text) : NO_UNKNOWN,
  ];
}

function noneIsLost(listed: readonly Listed[], settleIsPromised: boolean): Invariant {
  const accepted = listed.filter(({ transfer }) => transfer.accepted);
  if (accepted.length === 0) return invariant("L1", "undecided", "the API accepted no transfer");
  const missing = accepted.filter(({ rows }) => rows === 0);
  if (missing.length === 0)
    return (
      unreadable("L1", accepted, "rows") ??
      invariant("L1", "held", `${accepted.length} of ${accepted.length}`)
    );
  const text = `the list lacks ${missing.length} of ${accepted.length}`;
  return settleIsPromised
    ? invariant("L1", "broken", text, transfersIn(missing))
    : invariant("L1", "undecided", `${text}${NEEDS_SETTLE}`, transfersIn(missing));
}

function noneIsPaidTwice(listed: readonly Listed[], control: number): Invariant {
  const twice = listed.filter(isPaidTwice(control));
  if (twice.length === 0)
    return (
      unreadable("L2", listed, "payouts") ??
      invariant(
        "L2",
        "held",
        `none of ${listed.length} references has more than ${plural(control, "payout")}`,
      )
    );
  const most = Math.max(...twice.map(({ payouts = 0 }) => payouts));
  return invariant(
    "L2",
    "broken",
    `the list shows up to ${most} payouts (${PAYOUT_STATUSES}) for ${twice.length} of ${listed.length} references; a single transfer has ${control}`,
    transfersIn(twice),
  );
}

function unknownIsMadeOnce(listed: readonly Listed[], control: number): Invariant {
  const unknown = listed.filter(({ transfer }) => transfer.unknown);
  if (unknown.length === 0) return NO_UNKNOWN;
  const twice = unknown.filter(isPaidTwice(control));
  if (twice.length > 0) {
    const text = `the API made ${twice.length} of ${unknown.length} more than once`;
    return invariant("L6", "broken", text, transfersIn(twice));
  }
  const made = unknown.filter(({ rows }) => rows !== 0).length;
  return (
    unreadable("L6", unknown, "payouts") ??
    invariant("L6", "held", `the API made ${made} of ${unknown.length}, and none twice`)
  );
}

const isPaidTwice =
  (control: number) =>
  ({ payouts }: Listed) =>
    payouts !== undefined && payouts > control;

/** The invariant, undecided, if the list did not show every count that it needs. */
function unreadable(
  id: InvariantId,
  listed: readonly Listed[],
  count: "rows" | "payouts",
): Invariant | undefined {
  const unread = listed.filter((one) => one[count] === undefined);
  if (unread.length === 0) return undefined;
  const text = `the list returned no usable response for ${unread.length} of ${listed.length} references`;
  return invariant(id, "undecided", text, transfersIn(unread));
}

const transfersIn = (listed: readonly Listed[]) => listed.map(({ transfer }) => transfer);
