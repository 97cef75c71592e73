import {
  type CheckContext,
  checksUnder,
  demand,
  rejects,
  skip,
  writeDate,
} from "../../fixtures/engine/vocabulary.ts";
import { rejectsOtherMerchantsRecord } from "../every-operation/authentication/credentials.ts";
import { freshAfterWrite } from "../every-operation/repeats/fresh-after-write.ts";
import { oddValues } from "../every-operation/requests/odd-values.ts";
import { observesMembers, takesOptionalFields } from "../every-operation/requests/writes.ts";
import { shows } from "../every-operation/values/shown-values.ts";
import { codeOf, namesakes } from "./codes.ts";

const ID = "createDiscountCode";

rejectsOtherMerchantsRecord(ID, "product", (ctx) => ({ productId: ctx.need("PRODUCT_ID") }));

oddValues(ID, {
  rejected: [
    ["value-negative", "G02", { value: -1 }],
    ["value-zero", "G02", { value: 0 }],
    ["maxClaims-negative", "G02", { maxClaims: -1 }],
    ["maxClaims-fraction", "G02", { maxClaims: 1.5 }],
    ["dates-reversed", "practice", reversedDates, "endDate is before startDate"],
  ],
  // biome-ignore format: a table
  open: [
    ["maxClaims-zero", "G02", "a discount code whose maxClaims is 0", { maxClaims: 0 }],
    ["percentage-above-100", "G02", "a discount code of 101 percent", above100],
    ["active-and-deleted", "N40", "a discount code that is active and deleted", { isActive: true, isDelete: true }],
    // Section 4.19 writes the name of this field with a trailing colon.
    ["productId-with-colon", "G08", 'a discount code with the field "productId:"', withColon],
  ],
});

function reversedDates({ values: { DISCOUNT_DATE_FORMAT: form } }: CheckContext) {
  return { endDate: writeDate(1, form), startDate: writeDate(30, form) };
}

function above100(ctx: CheckContext) {
  if (!/percent|%/i.test(ctx.need("DISCOUNT_TYPE")))
    skip("set DISCOUNT_TYPE to a percentage: 101 is an ordinary value of any other type", "variable", [
      "DISCOUNT_TYPE",
    ]);
  return { value: 101 };
}

function withColon({ values }: CheckContext) {
  return { "productId:": values.PRODUCT_ID ?? 1 };
}

takesOptionalFields(ID, ["R014", "R093"], "PRODUCT_ID");
observesMembers(ID, "record", "N05", "data", "data of a discount code");

// A second record cannot have the same code.
rejects(
  `${ID}/code-repeated`,
  { should: "practice" },
  { what: "the code is taken", after: (first) => ({ code: first.fieldSent("code") }) },
);

freshAfterWrite(ID, { critical: ["R090"] });

const OF_TWO = { critical: "G18", probe: true, scope: "second-merchant" } as const;
const APART = "keeps discount codes of the same name of two merchants apart";
checksUnder(ID, "after-writes")("two-merchants", APART, OF_TWO, async (ctx) => {
  const { own, theirs, listed } = await namesakes(ctx);
  ctx.observe("G18", `a discount code of the name of another merchant's ${theirs.fate}`);
  if (!listed) return;
  const code = codeOf(own);
  const { list, item } = listed;
  ctx.note(list);
  // Either the write of the other merchant took the code away, or its reads at the same moment are mixed up with these.
  const others = [own, theirs];
  const lost =
    "does not list a discount code that it listed before another merchant created one of the same name";
  demand(item !== undefined, list, lost, `the code ${code}`, others);
  const isKept = shows(item, "value", own.bodySent.value) !== false;
  const mixed = "lists another value of a discount code that has the same name as one of another merchant";
  demand(isKept, list, mixed, "the value that was sent", others);
});
