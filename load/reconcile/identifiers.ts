import { groupBy } from "../../reports/text/grouping.ts";
import { plural } from "../../reports/text/wording.ts";
import { type Invariant, invariant } from "./invariants.ts";
import type { Transfer } from "./transfers.ts";

/** Judges L3. Several identifiers for a reference only warn, since they need not be several payouts. */
export function oneIdentifierEach(transfers: readonly Transfer[]): Invariant {
  const identified = transfers.filter(({ identifiers }) => identifiers.length > 0);
  const several = identified.filter(({ identifiers }) => identifiers.length > 1);
  return several.length > 0
    ? invariant("L3", "warned", `${several.length} of ${identified.length} references got several`, several)
    : invariant("L3", "held", `${plural(identified.length, "reference")} got one each`);
}

/** Judges L4: the API must be able to tell transfers apart. */
export function noSharedIdentifier(transfers: readonly Transfer[]): Invariant {
  const uses = transfers.flatMap((transfer) =>
    transfer.identifiers.map((identifier) => ({ identifier, transfer })),
  );
  const byIdentifier = groupBy(uses, ({ identifier }) => identifier);
  const shared = [...byIdentifier.values()].filter((users) => users.length > 1).flat();
  const sharing = [...new Set(shared.map(({ transfer }) => transfer))];
  return sharing.length > 0
    ? invariant("L4", "broken", `${sharing.length} of ${transfers.length} references share theirs`, sharing)
    : invariant("L4", "held", `${plural(byIdentifier.size, "transactionId")}, none shared`);
}
