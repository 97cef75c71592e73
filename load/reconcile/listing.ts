import { setTimeout as delay } from "node:timers/promises";
import { isObject } from "../../fixtures/engine/http/body.ts";
import { type Client, pauseAfter } from "../../fixtures/engine/http/client.ts";
import { PAID_STATUSES } from "../../fixtures/engine/lists/book.ts";
import {
  learnCountable,
  listsNothing,
  sizes,
  type TransferStatus,
} from "../../fixtures/engine/lists/counting.ts";
import { isList } from "../../fixtures/engine/lists/items.ts";
import { findsNothing } from "../../fixtures/engine/lists/locate.ts";
import { inParallel } from "../../fixtures/engine/run/in-parallel.ts";
import { TRANSFER_STATUSES } from "../../schemas/operations/transfers.ts";
import { referencesOf } from "../k6/requests.ts";

/** Lookups at the same time; the client's rate limit spaces them out further. */
const CONCURRENT_LOOKUPS = 8;

/** Counts the rows of the transfer list for a reference, with one status or any; `undefined` without a usable response. */
export type CountRows = (reference: string, status?: TransferStatus) => Promise<number | undefined>;

/** Reads a page of the transfer list; `undefined` without a usable response. */
export type ReadPage = (query: Readonly<Record<string, unknown>>) => Promise<unknown>;

/** What was learned of a deployment's list from the control, which the run sent once and the API accepted. */
interface Learned {
  /** The control's rows: 0 if it is not listed, `undefined` if rows cannot be counted. */
  readonly control: number | undefined;
  /** The statuses of rows that were paid, or may still be. */
  readonly payoutStatuses?: readonly TransferStatus[];
  readonly count?: CountRows;
  /** A page size that the list accepts, and its first page. */
  readonly window?: { readonly limit: number; readonly page: number };
  readonly readPage: ReadPage;
}

export type Listing = ReturnType<typeof listingOf>;

/** The transfer list of a deployment: the rows of one reference, and those of the whole run. */
export function listingOf(learned: Learned) {
  const {
    control,
    payoutStatuses = PAID_STATUSES,
    count = async () => undefined,
    window,
    readPage,
  } = learned;
  return {
    control,
    payoutStatuses,

    async countAll<T extends { readonly reference: string }>(transfers: readonly T[]) {
      const counts = new Map<T, number | undefined>();
      await inParallel(CONCURRENT_LOOKUPS, transfers, async (transfer) =>
        counts.set(transfer, await count(transfer.reference)),
      );
      return counts;
    },

    /** Counts the rows of a reference that may be paid; `undefined` if the counts by status do not add up to all rows. */
    async payouts(reference: string): Promise<number | undefined> {
      const rows = await count(reference);
      const counts = new Map<TransferStatus, number | undefined>();
      for (const status of TRANSFER_STATUSES) counts.set(status, await count(reference, status));
      const sumOf = (statuses: readonly TransferStatus[]) =>
        statuses.reduce((sum, status) => sum + (counts.get(status) ?? Number.NaN), 0);
      return sumOf(TRANSFER_STATUSES) === rows ? sumOf(payoutStatuses) : undefined;
    },

    /** Reads the whole list and returns the rows of a run; `undefined` if it cannot be paged through, or not in time. */
    async rowsOf(prefix: string, find: Find): Promise<Row[] | undefined> {
      if (!window) return undefined;
      const deadline = performance.now() + MAX_MS;
      const { limit, page: first } = window;
      const rows: Row[] = [];
      let previous: string | undefined;
      for (let page = first; performance.now() < deadline; page += 1) {
        const body = await readPage({ limit, page });
        const content = body === undefined ? undefined : JSON.stringify(listsIn(body));
        if (body === undefined && page === first) return undefined;
        // Beyond its end, a list may reject a page, show nothing, or repeat the last one.
        if (body === undefined || listsNothing(body) || content === previous) return rows;
        rows.push(...rowsIn(body, prefix, find));
        previous = content;
      }
      return undefined;
    },
  };
}

/** A row of the transfer list that shows a reference of the run. */
export interface Row {
  readonly reference: string;
  /** What else it shows of what is looked for; all of a row would take kilobytes, and there may be a million. */
  readonly found: readonly string[];
}

/** Says what to keep of a text or number in a row; `undefined` for nothing. */
type Find = (value: unknown) => string | undefined;

/** A list that takes longer is not read to its end. */
const MAX_MS = 60_000;

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

/** Page sizes to try: the API may have a small maximum, and a page must have room for a surplus. */
const LIMITS = [100, 50, 10, 5];

/** The references of the run whose requests a client sends. */
export const referencesOfRun = ({ builder, target }: Client) =>
  referencesOf(builder.runId, target.values.REFERENCE_FORM);

/** Learns from the control how the list shows a transfer. */
export async function learnListing(client: Client): Promise<Listing> {
  const { control, unused } = referencesOfRun(client);
  const readPage = pageReader(client);
  let isControlMissing = false;
  const countable = await learnCountable(control, unused, LIMITS, async (transferReference, window) => {
    const body = await readPage({ transferReference, ...window });
    if (transferReference === control && body !== undefined) isControlMissing ||= isEmpty(body);
    return body;
  });
  if (!countable) return listingOf({ control: isControlMissing ? 0 : undefined, readPage });
  const count: CountRows = async (transferReference, status) => {
    const body = await readPage({ transferReference, ...countable.window, ...(status && { status }) });
    return body === undefined ? undefined : countable.count(body, transferReference);
  };
  const counts = await Promise.all(PAID_STATUSES.map((status) => count(control, status)));
  // Unverified rows are payouts where the control is listed under no status that pays.
  const isPaid = counts.some((rows = 0) => rows > 0);
  const payoutStatuses: TransferStatus[] = isPaid ? [...PAID_STATUSES] : [...PAID_STATUSES, "Unverified"];
  return listingOf({ ...countable, payoutStatuses, count, readPage });
}

/** Whether a response shows an empty list. One without any list, as section 4 documents it, may show a record instead. */
function isEmpty(body: unknown): boolean {
  const { data } = isObject(body) ? body : {};
  const hasData = isObject(data) && Object.keys(data).length > 0;
  return listsNothing(body) && (sizes(body).size > 0 || !hasData);
}

/** How long the list may reject every request because it is busy: a target needs a while to get over a load. */
const PATIENCE_MS = 30_000;

const isBusy = ({ status }: { readonly status: number | undefined }) => status === 429 || status === 503;

/** Makes the function that reads pages of transfers: once more if the API fails, and again while it throttles. */
function pageReader(client: Client): ReadPage {
  let servedAt = performance.now();
  const read = async (query: Parameters<ReadPage>[0], attempts = 2): Promise<unknown> => {
    const draft = client.builder.build("listTransfers", { query });
    const response = await client.send("listTransfers", draft, "reconcile");
    if (!isBusy(response)) servedAt = performance.now();
    if (response.kind === "done") return response.json;
    if (findsNothing(response, query)) return {};
    const waits = isBusy(response) && performance.now() - servedAt <= PATIENCE_MS;
    const left = waits ? attempts : attempts - 1;
    if ((response.status ?? 500) < 429 || left === 0) return undefined;
    if (waits) await delay(pauseAfter(response));
    return read(query, left);
  };
  return (query) => read(query);
}
