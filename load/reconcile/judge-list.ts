import { spreadOf, type TransferStatus } from "../../fixtures/engine/lists/transfer-counts.ts";
import { groupBy } from "../../reports/grouping.ts";
import { plural } from "../../reports/wording.ts";
import { TRANSFER_STATUSES } from "../../schemas/operations/transfers.ts";
import type { References } from "../k6/templates/reference.ts";
import { type Invariant, invariant } from "../results/invariant.ts";
import { digestOf } from "./digest.ts";
import type { Listed } from "./judge.ts";
import type { Lookup } from "./reconcile.ts";
import { type ReadPage, type Row, rowsOfRun } from "./whole-list.ts";

/** What is needed to judge the transfer list as a whole. */
export interface WholeList {
  readonly listed: readonly Listed[];
  readonly references: References;
  readonly readPage: ReadPage;
  readonly lookup: Lookup;
  readonly settle: () => Promise<void>;
  readonly settleIsPromised: boolean;
}

/** What the whole transfer list shows about a run. */
export interface WholeListJudged {
  readonly invariants: readonly Invariant[];
  /** References whose response named a transaction that the list shows under another reference. */
  readonly mixedUp: readonly string[];
}

/** So many references with a wrong number of statuses are looked up again. */
const MOST_CONFIRMED = 100;

/** Pages through the transfer list, once without a filter and once under each status. */
export async function judgeWholeList(whole: WholeList): Promise<WholeListJudged> {
  const { listed, readPage, references } = whole;
  const identifiers = new Set(listed.flatMap((transfer) => transfer.identifiers));
  const find = (value: unknown) => {
    const digest = digestOf(value);
    return digest !== null && identifiers.has(digest) ? digest : undefined;
  };
  const rows = await rowsOfRun(readPage, references.prefix, { find });
  const problem = rows
    ? incompleteness(rows, listed)
    : "the list cannot be paged through to its end within a minute";
  if (!rows || problem !== undefined) return { invariants: unjudged(problem ?? ""), mixedUp: [] };
  return {
    invariants: [noneWasNeverSent(rows, listed), await eachSettlesInOneStatus(whole)],
    mixedUp: mixedUp(rows, listed, references.control),
  };
}

/** The invariants of a run whose transfer list cannot be read as a whole. */
export const unjudged = (problem: string): Invariant[] => [
  invariant("L7", "unjudged", problem),
  invariant("L12", "unjudged", problem),
];

/** Paging can be trusted if it finds every transfer that a lookup finds. */
function incompleteness(rows: readonly Row[], listed: readonly Listed[]): string | undefined {
  const shown = new Set(rows.map(({ reference }) => reference));
  const findable = listed.filter((transfer) => (transfer.rows ?? 0) > 0);
  const found = findable.filter(({ reference }) => shown.has(reference));
  return found.length < findable.length || findable.length === 0
    ? `paging through the list shows ${found.length} of the ${findable.length} transfers that lookups find`
    : undefined;
}

function noneWasNeverSent(rows: readonly Row[], listed: readonly Listed[]): Invariant {
  const sent = new Set(listed.map(({ reference }) => reference));
  const shown = [...new Set(rows.map(({ reference }) => reference))];
  // A row may belong to a transfer without being it: `<reference>-FEE`.
  const isDerived = (reference: string) => listed.some((one) => reference.startsWith(one.reference));
  const strays = shown.filter((reference) => !sent.has(reference) && !isDerived(reference));
  return strays.length > 0
    ? invariant(
        "L7",
        "broken",
        `the list shows ${plural(strays.length, "reference")} that the run never sent`,
        strays,
      )
    : invariant("L7", "held", `all ${plural(shown.length, "reference")} of the run in the list were sent`);
}

/** A row has one of six statuses (section 3), so under each of them the list shows what it shows under none. */
async function eachSettlesInOneStatus(whole: WholeList): Promise<Invariant> {
  const { listed, references, readPage, lookup, settle, settleIsPromised } = whole;
  const control = listed.find(({ reference }) => reference === references.control);
  if (!control || !(await hasOneStatus(control, lookup)))
    return invariant("L12", "unjudged", "the status filter did not find the transfer that preceded the load");
  const found: (readonly [TransferStatus, readonly string[]])[] = [];
  for (const status of TRANSFER_STATUSES) {
    const rows = await rowsOfRun(readPage, references.prefix, { status });
    if (!rows) return invariant("L12", "unjudged", `the list of ${status} transfers cannot be paged through`);
    found.push([status, rows.map(({ reference }) => reference)]);
  }
  const counts = groupBy(
    found.flatMap(([, all]) => all),
    (reference) => reference,
  );
  const settled = listed.filter(({ rows = 0 }) => rows > 0);
  const suspects = settled.filter(({ reference, rows }) => counts.get(reference)?.length !== rows);
  if (suspects.length > 0) await settle();
  const wrong: Listed[] = [];
  for (const suspect of suspects.slice(0, MOST_CONFIRMED))
    if (!(await hasOneStatus(suspect, lookup)) && !(await hasOneStatus(suspect, lookup))) wrong.push(suspect);
  if (wrong.length === 0) {
    const histogram = found.flatMap(([status, all]) => (all.length > 0 ? [`${all.length} ${status}`] : []));
    return invariant("L12", "held", histogram.join(", "));
  }
  const text = `${plural(wrong.length, "transfer")} of ${settled.length} had no status or several, at three readings`;
  return invariant(
    "L12",
    settleIsPromised ? "broken" : "undecided",
    text,
    wrong.map(({ reference }) => reference),
  );
}

async function hasOneStatus({ reference }: Listed, lookup: Lookup): Promise<boolean> {
  const rows = await lookup(reference);
  const count = async (status: TransferStatus) => (await lookup(reference, status)) ?? Number.NaN;
  const { sum } = await spreadOf([], count);
  return rows === undefined || sum === rows || Number.isNaN(sum);
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
