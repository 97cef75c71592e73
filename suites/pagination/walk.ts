import { countCommon, type Identity, sameItems } from "../../fixtures/lists/identity.ts";
import { identityOf } from "../../fixtures/lists/locate.ts";
import { type Page, readFurtherPage } from "../../fixtures/lists/pages.ts";
import type { Query } from "../../fixtures/lists/query.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import type { OperationId } from "../../schemas/contract.ts";

/** A list, a filter that narrows it, and the number of its first page. */
export interface Place {
  readonly id: OperationId;
  readonly filter: Query;
  readonly origin: 0 | 1;
}

/** Pages of one size, as far as they were read. */
export interface Walk {
  readonly size: number;
  readonly pages: readonly Page[];
  /** Whether the pages were read until they had shown all known items or nothing new came. */
  readonly isWhole: boolean;
}

/** Reads the page after so many others. */
export function readAt(ctx: CheckContext, place: Place, limit: number, before: number): Promise<Page> {
  const { id, filter, origin } = place;
  return readFurtherPage(ctx, id, { ...filter, limit, page: origin + before });
}

/**
 * Reads pages of one size until they have shown all known items, or one is empty or the same as an earlier one. A page
 * that is not full is neither wrong nor the end of a list, so a list may have more pages than if all were full.
 */
export async function walk(
  ctx: CheckContext,
  place: Place,
  size: number,
  known: readonly unknown[],
): Promise<Walk> {
  const identity = await identityOf(ctx, place.id);
  const missing = new Set(known.map(identity));
  const pages: Page[] = [];
  for (let most = 2 * Math.ceil(known.length / size) + 2; missing.size > 0 && pages.length < most; ) {
    const page = await readAt(ctx, place, size, pages.length);
    const isRepeated = pages.some(({ items }) => sameItems(items, page.items, identity));
    pages.push(page);
    for (const item of page.items) missing.delete(identity(item));
    if (page.items.length === 0 || isRepeated) break;
  }
  return { size, pages, isWhole: true };
}

/** Reads the pages of one size after so many others. */
export async function pick(
  ctx: CheckContext,
  place: Place,
  size: number,
  before: readonly number[],
): Promise<Walk> {
  const pages: Page[] = [];
  for (const number of before) pages.push(await readAt(ctx, place, size, number));
  return { size, pages, isWhole: false };
}

/** Counts the items on pages of one size that the wide page lacks. */
export function furtherOn({ pages }: Walk, known: readonly unknown[], identity: Identity): number {
  const shown = pages.flatMap(({ items }) => items);
  return shown.length - countCommon(known, shown, identity);
}
