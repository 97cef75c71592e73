import { isObject } from "../../fixtures/engine/http/body.ts";
import { isList, listsNothing, type TransferStatus } from "../../fixtures/engine/lists/transfer-counts.ts";

/** A row of the transfer list that shows a reference of the run. */
export interface Row {
  readonly reference: string;
  /** What else it shows of what is looked for; all of a row would take kilobytes, and there may be a million. */
  readonly found: readonly string[];
}

/** Says what to keep of a text or number in a row; `undefined` for nothing. */
type Find = (value: unknown) => string | undefined;

/** Reads a page of the transfer list; `undefined` without a usable response. */
export type ReadPage = (
  window: { readonly limit: number; readonly page: number },
  status?: TransferStatus,
) => Promise<unknown>;

/** Page sizes to try, since the API may have a small maximum. */
const LIMITS = [100, 50, 20, 10, 5];
/** A list that takes longer is not read to its end. */
const MAX_MS = 60_000;

/**
 * Reads the transfer list from its first page to its last and returns the rows of a run, whose references begin with
 * `prefix`; `undefined` if the list cannot be paged through, or not in time.
 */
export async function rowsOfRun(
  read: ReadPage,
  prefix: string,
  { status, find = () => undefined }: { readonly status?: TransferStatus; readonly find?: Find } = {},
): Promise<Row[] | undefined> {
  const deadline = performance.now() + MAX_MS;
  const limit = await usableLimit(read, status);
  if (limit === undefined) return undefined;
  const rows: Row[] = [];
  let previous: string | undefined;
  // Whether pages are counted from 0 or from 1 is undocumented.
  for (let page = 0; performance.now() < deadline; page += 1) {
    const body = await read({ limit, page }, status);
    const content = body === undefined ? undefined : JSON.stringify(listsIn(body));
    const isLast = body === undefined || listsNothing(body) || content === previous;
    if (isLast && page > 1) return rows;
    if (body !== undefined && content !== previous) rows.push(...rowsIn(body, { prefix, find }));
    previous = content;
  }
  return undefined;
}

async function usableLimit(read: ReadPage, status: TransferStatus | undefined) {
  for (const limit of LIMITS) if ((await read({ limit, page: 1 }, status)) !== undefined) return limit;
  return undefined;
}

/** Every list of a body, without what surrounds it, such as the number of the page. */
function listsIn(value: unknown): unknown[] {
  if (isList(value)) return [value];
  return isObject(value) ? Object.values(value).flatMap(listsIn) : [];
}

/** The elements of lists that show one reference of the run each. */
function rowsIn(
  value: unknown,
  wanted: { readonly prefix: string; readonly find: Find },
  isElement = false,
): Row[] {
  if (isElement) {
    const values = [...new Set(scalarsIn(value))];
    const references = values.filter((one) => typeof one === "string" && one.startsWith(wanted.prefix));
    const [reference] = references;
    if (reference === undefined) return [];
    if (references.length === 1)
      return [{ reference: String(reference), found: values.flatMap((one) => wanted.find(one) ?? []) }];
  }
  if (typeof value !== "object" || value === null) return [];
  const inList = isList(value);
  return Object.values(value).flatMap((member) => rowsIn(member, wanted, inList));
}

function scalarsIn(value: unknown): unknown[] {
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(scalarsIn) : [value];
}
