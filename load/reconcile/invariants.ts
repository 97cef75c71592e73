import { groupBy, type Transfer } from "./transfers.ts";

const TITLES = {
  L1: "every accepted transfer is listed",
  L2: "no reference is paid twice",
  L3: "a reference keeps its transactionId",
  L4: "no transactionId belongs to two references",
  L6: "a transfer without an answer was carried out once or not at all",
  L9: "answers keep their documented shape",
} as const;

export type InvariantId = keyof typeof TITLES;

/** What must hold of the target whatever the load. */
export interface Invariant {
  readonly id: InvariantId;
  readonly title: string;
  /** `warned`: not as it should be, but no proof of harm. */
  readonly state: "held" | "broken" | "undecided" | "warned";
  /** What was found, in a few words. */
  readonly text: string;
  /** The references concerned. */
  readonly references: readonly string[];
}

/** What the transfer list shows for one reference; `undefined` where it gave no usable answer. */
export interface Reading {
  readonly transfer: Transfer;
  readonly all: number | undefined;
  /** Of those, items that were or may still be paid. */
  readonly live: number | undefined;
}

export function invariant(
  id: InvariantId,
  state: Invariant["state"],
  text: string,
  transfers: readonly Transfer[] = [],
): Invariant {
  return { id, title: TITLES[id], state, text, references: transfers.map(({ reference }) => reference) };
}

/** Judges all readings; `control` is what the list shows for one transfer that was sent once. */
export function judge(readings: readonly Reading[], control: number, settleIsPromised: boolean): Invariant[] {
  const transfers = readings.map(({ transfer }) => transfer);
  return [
    lost(readings, settleIsPromised),
    double(readings, control),
    oneIdentifier(transfers),
    ownIdentifier(transfers),
    unanswered(readings, control),
  ];
}

/** Judges by identifiers alone, where the list does not show what one transfer looks like. */
export function uncounted(transfers: readonly Transfer[], controlIsLost: boolean): Invariant[] {
  const text = controlIsLost
    ? "the transfer sent and accepted before the load is not listed"
    : "the transfer list answers alike for a transfer that was made and for one that was not";
  return [
    invariant("L1", controlIsLost ? "broken" : "undecided", text),
    invariant("L2", "undecided", text),
    oneIdentifier(transfers),
    ownIdentifier(transfers),
    transfers.some(({ unknown }) => unknown)
      ? invariant("L6", "undecided", text)
      : invariant("L6", "held", "every transfer was answered"),
  ];
}

function lost(readings: readonly Reading[], promised: boolean): Invariant {
  const accepted = readings.filter(({ transfer }) => transfer.accepted);
  const missing = accepted.filter(({ all }) => all === 0);
  const unread = accepted.filter(({ all }) => all === undefined);
  if (accepted.length === 0) return invariant("L1", "undecided", "no transfer was accepted");
  if (missing.length > 0) {
    const text = `${missing.length} of ${accepted.length} accepted transfers are not listed`;
    return promised
      ? invariant("L1", "broken", text, of(missing))
      : invariant(
          "L1",
          "undecided",
          `${text}; SETTLE_SECONDS, how long listing may take, makes it a verdict`,
          of(missing),
        );
  }
  if (unread.length > 0) return unreadable("L1", unread, accepted);
  return invariant("L1", "held", `all ${accepted.length} accepted transfers are listed`);
}

function double(readings: readonly Reading[], control: number): Invariant {
  const twice = readings.filter(({ live }) => live !== undefined && live > control);
  const unread = readings.filter(({ live }) => live === undefined);
  if (twice.length > 0) {
    return invariant(
      "L2",
      "broken",
      `${twice.length} of ${readings.length} references have ${most(twice)} live items`,
      of(twice),
    );
  }
  if (unread.length > 0) return unreadable("L2", unread, readings);
  return invariant("L2", "held", `none of ${readings.length} references has more than ${control} live`);
}

function unanswered(readings: readonly Reading[], control: number): Invariant {
  const unknown = readings.filter(({ transfer }) => transfer.unknown);
  const twice = unknown.filter(({ live }) => live !== undefined && live > control);
  const unread = unknown.filter(({ live }) => live === undefined);
  if (twice.length > 0) {
    return invariant(
      "L6",
      "broken",
      `${twice.length} of ${unknown.length} were carried out more than once`,
      of(twice),
    );
  }
  if (unread.length > 0) return unreadable("L6", unread, unknown);
  if (unknown.length === 0) return invariant("L6", "held", "every transfer was answered");
  const done = unknown.filter(({ all }) => all !== 0).length;
  return invariant(
    "L6",
    "held",
    `of ${unknown.length}, ${done} carried out and ${unknown.length - done} not`,
  );
}

function oneIdentifier(transfers: readonly Transfer[]): Invariant {
  const answered = transfers.filter(({ identifiers }) => identifiers.length > 0);
  const several = answered.filter(({ identifiers }) => identifiers.length > 1);
  return several.length > 0
    ? invariant(
        "L3",
        "warned",
        `${several.length} of ${answered.length} references were given several`,
        several,
      )
    : invariant("L3", "held", `${answered.length} references were given one each`);
}

function ownIdentifier(transfers: readonly Transfer[]): Invariant {
  const owned = transfers.flatMap((transfer) =>
    transfer.identifiers.map((identifier) => ({ identifier, transfer })),
  );
  const owners = groupBy(owned, ({ identifier }) => identifier);
  const shared = [...owners.values()].filter((found) => found.length > 1).flat();
  const concerned = [...new Set(shared.map(({ transfer }) => transfer))];
  return concerned.length > 0
    ? invariant(
        "L4",
        "broken",
        `${concerned.length} of ${transfers.length} references share theirs with another`,
        concerned,
      )
    : invariant("L4", "held", `${owners.size} identifiers belong to one reference each`);
}

const of = (readings: readonly Reading[]) => readings.map(({ transfer }) => transfer);
const most = (readings: readonly Reading[]) => Math.max(...readings.map(({ live = 0 }) => live));
const unreadable = (id: InvariantId, unread: readonly Reading[], all: readonly Reading[]) =>
  invariant(
    id,
    "undecided",
    `the transfer list gave no usable answer for ${unread.length} of ${all.length}`,
    of(unread),
  );
