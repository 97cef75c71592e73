import type { CheckContext } from "../../fixtures/engine/vocabulary.ts";

/** The ids in PRODUCT_IDS. */
export const productIds = (ctx: CheckContext): string[] => ctx.need("PRODUCT_IDS").split(/\s*,\s*/);
