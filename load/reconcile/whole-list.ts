import { isObject } from "../../fixtures/engine/http/body.ts";
import { isList, listsNothing, type TransferStatus } from "../../fixtures/engine/lists/counting.ts";
import { groupBy } from "../../reports/grouping.ts";
import { plural } from "../../reports/wording.ts";
import { TRANSFER_STATUSES } from "../../schemas/operations/transfers.ts";
import type { References } from "../k6/requests.ts";
import { brokenBy, type Invariant, invariant } from "../results/invariant.ts";
import { digestOf } from "./journal.ts";
import type { Evidence, Listed } from "./judge.ts";
import { addsUp, type Listing, type ReadPage } from "./listing.ts";

/** What is needed to judge the transfer list as a whole. */
export interface WholeList extends Pick<Evidence, "settle" | "settleIsPromised"> {
  readonly listed: readonly Listed[];
  readonly references: References;
  readonly readPage: ReadPage;
  readonly listing: Pick<Listing, "entry">;
}

/** Pages through the transfer list, once without a filter and once under each status. */
export async function judgeWholeList(whole: WholeList): Promise<ReturnType<typeof unjudged>> {
  const { listed, readPage, references } = whole;
  const identifiers = new Set(listed.flatMap((transfer) => transfer.identifiers));
  const find = (value: unknown) => {
    const digest = digestOf(value);
    return digest !== null && identifiers.has(digest) ? digest : undefined;
  };
  const rows = await rowsOfRun(readPage, references.prefix, { find });
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
    invariants: [noneWasNeverSent([...shown], listed), await eachSettlesInOneStatus(whole)],
    mixedUp: mixedUp(rows, listed, references.control),
  };
}

/** The result for a run whose transfer list cannot be read as a whole. */
export const unjudged = (problem: string) => ({
  invariants: [invariant("L7", "unjudged", problem), invariant("L12", "unjudged", problem)],
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

/** References with a wrong number of statuses that are looked up again, at most. */
const MOST_CONFIRMED = 100;

/** A row has one of six statuses (section 3), so under each of them the list shows what it shows under none. */
async function eachSettlesInOneStatus(whole: WholeList): Promise<Invariant> {
  const { listed, references, readPage, listing, settle, settleIsPromised } = whole;
  const hasOneStatus = async ({ reference }: Listed) => {
    const entry = await listing.entry(reference);
    return !entry || addsUp(entry);
  };
  const control = listed.find(({ reference }) => reference === references.control);
  if (!control || !(await hasOneStatus(control)))
    return invariant("L12", "unjudged", "the status filter did not find the transfer that preceded the load");
  const found: { readonly reference: string; readonly status: TransferStatus }[] = [];
  for (const status of TRANSFER_STATUSES) {
    const rows = await rowsOfRun(readPage, references.prefix, { status });
    if (!rows) return invariant("L12", "unjudged", `the list of ${status} transfers cannot be paged through`);
    found.push(...rows.map(({ reference }) => ({ reference, status })));
  }
  const shown = groupBy(found, ({ reference }) => reference);
  const settled = listed.filter(({ rows = 0 }) => rows > 0);
  const suspects = settled.filter(({ reference, rows }) => shown.get(reference)?.length !== rows);
  if (suspects.length > 0) await settle();
  const wrong: Listed[] = [];
  for (const suspect of suspects.slice(0, MOST_CONFIRMED))
    if (!(await hasOneStatus(suspect)) && !(await hasOneStatus(suspect))) wrong.push(suspect);
  const counts = [...groupBy(found, ({ status }) => status)].map(
    ([status, all]) => `${all.length} ${status}`,
  );
  if (wrong.length === 0) return invariant("L12", "held", counts.join(", "));
  const text = `${plural(wrong.length, "transfer")} of ${settled.length} had no status or several, at three readings`;
  return invariant("L12", settleIsPromised ? "broken" : "undecided", text, wrong);
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

/** A row of the transfer list that shows a reference of the run. */
interface Row {
  readonly reference: string;
  /** What else it shows of what is looked for; all of a row would take kilobytes, and there may be a million. */
  readonly found: readonly string[];
}

/** Says what to keep of a text or number in a row; `undefined` for nothing. */
type Find = (value: unknown) => string | undefined;

/** Page sizes to try, since the API may have a small maximum. */
const LIMITS = [100, 50, 20, 10, 5];
/** A list that takes longer is not read to its end. */
const MAX_MS = 60_000;

/**
 * Reads the transfer list from its first page to its last and returns the rows of a run, whose references begin with
 * `prefix`; `undefined` if the list cannot be paged through, or not in time.
 */
export async function rowsOfRun(
  readPage: ReadPage,
  prefix: string,
  { status, find = () => undefined }: { readonly status?: TransferStatus; readonly find?: Find } = {},
): Promise<Row[] | undefined> {
  const deadline = performance.now() + MAX_MS;
  const read = (limit: number, page: number) => readPage({ limit, page, ...(status && { status }) });
  let limit: number | undefined;
  for (const size of LIMITS) if (!limit && (await read(size, 1)) !== undefined) limit = size;
  if (!limit) return undefined;
  const rows: Row[] = [];
  let previous: string | undefined;
  // Whether pages are counted from 0 or from 1 is undocumented.
  for (let page = 0; performance.now() < deadline; page += 1) {
    const body = await read(limit, page);
    const content = body === undefined ? undefined : JSON.stringify(listsIn(body));
    const isLast = body === undefined || listsNothing(body) || content === previous;
    if (isLast && page > 1) return rows;
    if (body !== undefined && content !== previous) rows.push(...rowsIn(body, prefix, find));
    previous = content;
  }
  return undefined;
}

/** Every list of a body, without what surrounds it, such as the number of the page. */
function listsIn(value: unknown): unknown[] {
  if (isList(value)) return [value];
  return isObject(value) ? Object.values(value).flatMap(listsIn) : [];
}

/** The elements of lists that show one reference of the run each. */
function rowsIn(value: unknown, prefix: string, find: Find, isElement = false): Row[] {
  const values = isElement ? [...new Set(scalarsIn(value))] : [];
  const [reference, other] = values.filter((one) => typeof one === "string" && one.startsWith(prefix));
  if (isElement && reference === undefined) return [];
  if (isElement && other === undefined)
    return [{ reference: String(reference), found: values.flatMap((one) => find(one) ?? []) }];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap((member) => rowsIn(member, prefix, find, isList(value)));
}

const scalarsIn = (value: unknown): unknown[] =>
  typeof value === "object" && value !== null ? Object.values(value).flatMap(scalarsIn) : [value];
