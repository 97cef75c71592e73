import { check, demandNotDone, skip } from "../../../fixtures/engine/vocabulary.ts";
import { contract } from "../../../schemas/contract.ts";
import { rejectionTitle } from "../../../schemas/operation.ts";
import { UNKNOWN_ID } from "../../../schemas/recipe.ts";
import { consentToRepeat, wrappedId } from "../requests.ts";

// An id that is read into 32 bits without a check, or up to its first letter, names another record.
for (const [id, part, field, rule] of [
  ["createQrTransaction", "body", "customerId", "R006"],
  ["createQrTransaction", "body", "planId", "R006"],
  ["createCardTransaction", "body", "customerId", "R007"],
  ["createCardTransaction", "body", "planId", "R007"],
  ["createNddTransaction", "body", "customerId", "R037"],
  ["createNddTransaction", "body", "planId", "R037"],
  ["createDiscountCode", "body", "productId", "R014"],
  ["updateSubscription", "path", "id", "R099"],
  ["addSplitSubaccount", "path", "id", "R053"],
  ["addPageProducts", "body", "pageId", "R066"],
] as const) {
  const what = `${field} is an existing one plus 2^32, or with letters behind it`;
  check(
    `${id}/${field}-wrapped`,
    rejectionTitle(contract[id].noun, what),
    { critical: [rule], ...consentToRepeat(id, 2) },
    async (ctx) => {
      // The id may be another record's, if nothing is cut off.
      ctx.needProbeWrites();
      await ctx.ordinary(id);
      const known = { ...ctx.run.builder.optional(id), ...ctx.draft(id)[part] }[field];
      const sendWith = (value: unknown) => ctx.sendInvalid(id, { [part]: { [field]: value } });
      for (const [value, ofNobody, how] of [
        [wrappedId(known), UNKNOWN_ID, "plus 2^32"],
        [`${known}abc`, `${UNKNOWN_ID}abc`, "with letters behind it"],
      ] as const) {
        const response = await sendWith(value);
        if (response.statusClass === 2) {
          const unknown = await sendWith(ofNobody);
          if (unknown.kind !== "rejected") skip(`a ${field} that does not exist ${unknown.fate} too`);
        }
        demandNotDone(response, `${field} is an existing one ${how}`);
      }
    },
  );
}
