import type { TRANSFER_STATUSES } from "../schemas/operations/transfers.ts";
import type { Entry } from "./journal.ts";
import { isIndeterminate } from "./k6/outcome.ts";

type TransferStatus = (typeof TRANSFER_STATUSES)[number];

/** Statuses of a payout that was or may still be made. */
export const LIVE: readonly TransferStatus[] = ["Successful", "Pending", "Unverified"];

/** Items that the transfer list shows for a reference, with one status or with any; `undefined` without an answer. */
export type Lookup = (reference: string, status?: TransferStatus) => Promise<number | undefined>;

/** What must hold of the money whatever the load. */
export interface Invariant {
  readonly id: "L1" | "L2" | "L3" | "L4" | "L6" | "L9";
  readonly title: string;
  /** `warned`: not as it should be, but no proof of harm. */
  readonly state: "held" | "broken" | "undecided" | "warned";
  /** References (L9: answers) that were looked at. */
  readonly checked: number;
  /** One sentence: what was found. */
  readonly text: string;
  /** The references concerned. */
  readonly references: readonly string[];
}

/** What a reconciliation starts from. */
export interface Evidence {
  /** Every answer to a transfer. */
  readonly entries: readonly Entry[];
  /** References that were sent, or may have been, without a line in the journal. */
  readonly unanswered: readonly string[];
  readonly lookup: Lookup;
  /** Items that the list shows for one transfer sent once; `undefined` when they cannot be counted. */
  readonly control: number | undefined;
  /** Waits until accepted writes must be visible. */
  readonly settle: () => Promise<void>;
  /** The operator (or the sandbox) promised how long that takes, so that a missing transfer is a lost one. */
  readonly settleIsPromised: boolean;
}

/** Compares what was answered with what the transfer list shows, reference by reference. */
export async function reconcile(evidence: Evidence): Promise<Invariant[]> {
  const transfers = group(evidence);
  await evidence.settle();
  if (evidence.control === undefined) return uncounted(transfers);
  const control = evidence.control;
  const first = await countAll(transfers, evidence.lookup);
  const odd = first.filter(({ transfer, all }) => isOdd(transfer, all, control));
  // A second reading: a late item may still appear, a surplus may still turn into a refusal.
  if (odd.length > 0) await evidence.settle();
  const second = new Map(
    (await countAll(odd.map(({ transfer }) => transfer), evidence.lookup)).map((reading) => [
      reading.transfer,
      reading,
    ]),
  );
  const readings = first.map((reading) => second.get(reading.transfer) ?? reading);
  const live = await countLive(
    readings.filter(({ all }) => (all ?? 0) > control).map(({ transfer }) => transfer),
    evidence.lookup,
  );
  return [
    lost(readings, evidence.settleIsPromised),
    double(readings, live, control),
    oneIdentifier(transfers),
    sharedIdentifier(transfers),
    unknowns(readings, live, control),
  ];
}

/** All answers to one reference. */
interface Transfer {
  readonly reference: string;
  readonly accepted: boolean;
  /** Not accepted, and the target may have carried it out without telling. */
  readonly unknown: boolean;
  readonly identifiers: readonly (string | number)[];
}

interface Reading {
  readonly transfer: Transfer;
  readonly all: number | undefined;
}

function group({ entries, unanswered }: Evidence): Transfer[] {
  const byReference = Map.groupBy(entries, ({ reference }) => reference);
  const answered = [...byReference].map(([reference, answers]): Transfer => {
    const accepted = answers.some(({ outcome }) => outcome === "accepted");
    const identifiers = answers.flatMap(({ outcome, identifier }) =>
      outcome === "accepted" && identifier !== null ? [identifier] : [],
    );
    const unknown = !accepted && answers.some(({ outcome }) => isIndeterminate(outcome));
    return { reference, accepted, unknown, identifiers: [...new Set(identifiers)] };
  });
  return [
    ...answered,
    ...unanswered
      .filter((reference) => !byReference.has(reference))
      .map((reference) => ({ reference, accepted: false, unknown: true, identifiers: [] })),
  ];
}

const isOdd = (transfer: Transfer, all: number | undefined, control: number) =>
  all === undefined || all > control || (transfer.accepted && all === 0);

/** Lookups under way at once; the client's rate budget spaces them further. */
const AT_ONCE = 8;

async function countAll(transfers: readonly Transfer[], lookup: Lookup): Promise<Reading[]> {
  const readings: Reading[] = [];
  const waiting = transfers.values();
  const worker = async () => {
    for (const transfer of waiting) readings.push({ transfer, all: await lookup(transfer.reference) });
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return readings;
}

async function countLive(transfers: readonly Transfer[], lookup: Lookup) {
  const live = new Map<Transfer, number | undefined>();
  for (const transfer of transfers) {
    const counts = await Promise.all(LIVE.map((status) => lookup(transfer.reference, status)));
    const known = counts.filter((count) => count !== undefined);
    live.set(transfer, known.length < LIVE.length ? undefined : known.reduce((sum, count) => sum + count, 0));
  }
  return live;
}

const TITLES = {
  L1: "every accepted transfer is listed",
  L2: "no reference is paid twice",
  L3: "a reference keeps its transactionId",
  L4: "no transactionId belongs to two references",
  L6: "an unanswered transfer was carried out once or not at all",
} as const;

function invariant(
  id: keyof typeof TITLES,
  state: Invariant["state"],
  checked: number,
  text: string,
  transfers: readonly Transfer[] = [],
): Invariant {
  return { id, title: TITLES[id], state, checked, text, references: transfers.map(({ reference }) => reference) };
}

function lost(readings: readonly Reading[], promised: boolean): Invariant {
  const accepted = readings.filter(({ transfer }) => transfer.accepted);
  const missing = accepted.filter(({ all }) => all === 0).map(({ transfer }) => transfer);
  const unread = accepted.filter(({ all }) => all === undefined).map(({ transfer }) => transfer);
  const total = accepted.length;
  if (missing.length > 0 && promised) {
    return invariant("L1", "broken", total, `${missing.length} of ${total} accepted transfers are not listed`, missing);
  }
  if (missing.length > 0) {
    const text = `${missing.length} of ${total} accepted transfers are not listed; set SETTLE_SECONDS to how long listing takes to make this a verdict`;
    return invariant("L1", "undecided", total, text, missing);
  }
  if (unread.length > 0) return invariant("L1", "undecided", total, noAnswer(unread.length, total), unread);
  if (total === 0) return invariant("L1", "undecided", 0, "no transfer was accepted");
  return invariant("L1", "held", total, `all ${total} accepted transfers are listed`);
}

function double(
  readings: readonly Reading[],
  live: ReadonlyMap<Transfer, number | undefined>,
  control: number,
): Invariant {
  const total = readings.length;
  const twice = [...live].flatMap(([transfer, count]) => (count !== undefined && count > control ? [transfer] : []));
  const unread = readings
    .filter(({ transfer, all }) => all === undefined || (live.has(transfer) && live.get(transfer) === undefined))
    .map(({ transfer }) => transfer);
  if (twice.length > 0) {
    const text = `${twice.length} of ${total} references have more than ${control} live in the transfer list`;
    return invariant("L2", "broken", total, text, twice);
  }
  if (unread.length > 0) return invariant("L2", "undecided", total, noAnswer(unread.length, total), unread);
  return invariant("L2", "held", total, `none of ${total} references has more than ${control} live in the transfer list`);
}

function oneIdentifier(transfers: readonly Transfer[]): Invariant {
  const answered = transfers.filter(({ identifiers }) => identifiers.length > 0);
  const several = answered.filter(({ identifiers }) => identifiers.length > 1);
  const total = answered.length;
  return several.length > 0
    ? invariant("L3", "warned", total, `${several.length} of ${total} references were answered with more than one`, several)
    : invariant("L3", "held", total, `each of ${total} references was answered with one`);
}

function sharedIdentifier(transfers: readonly Transfer[]): Invariant {
  const owners = Map.groupBy(
    transfers.flatMap((transfer) => transfer.identifiers.map((identifier) => ({ identifier, transfer }))),
    ({ identifier }) => identifier,
  );
  const shared = [...owners.values()].filter((found) => found.length > 1);
  const concerned = [...new Set(shared.flat().map(({ transfer }) => transfer))];
  return shared.length > 0
    ? invariant("L4", "broken", owners.size, `${shared.length} of ${owners.size} belong to several references`, concerned)
    : invariant("L4", "held", owners.size, `each of ${owners.size} belongs to one reference`);
}

function unknowns(
  readings: readonly Reading[],
  live: ReadonlyMap<Transfer, number | undefined>,
  control: number,
): Invariant {
  const unknown = readings.filter(({ transfer }) => transfer.unknown);
  const twice = unknown.filter(({ transfer }) => (live.get(transfer) ?? 0) > control).map(({ transfer }) => transfer);
  const unread = unknown.filter(({ all }) => all === undefined).map(({ transfer }) => transfer);
  const total = unknown.length;
  if (twice.length > 0) return invariant("L6", "broken", total, `${twice.length} of ${total} were carried out more than once`, twice);
  if (unread.length > 0) return invariant("L6", "undecided", total, noAnswer(unread.length, total), unread);
  const done = unknown.filter(({ all }) => all !== 0).length;
  const text = total === 0 ? "every transfer was answered" : `of ${total}, ${done} were carried out and ${total - done} were not`;
  return invariant("L6", "held", total, text);
}

/** Without a way to count, identifiers are all there is. */
function uncounted(transfers: readonly Transfer[]): Invariant[] {
  const text = "the transfer list shows no difference between a transfer that was made and one that was not";
  return [
    invariant("L1", "undecided", 0, text),
    invariant("L2", "undecided", 0, text),
    oneIdentifier(transfers),
    sharedIdentifier(transfers),
    invariant("L6", transfers.some(({ unknown }) => unknown) ? "undecided" : "held", 0, text),
  ];
}

const noAnswer = (count: number, total: number) => `the transfer list gave no usable answer for ${count} of ${total} references`;
