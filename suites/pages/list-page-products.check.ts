import { judgeAnswered } from "../../fixtures/answered.ts";
import type { Bench } from "../../fixtures/bench.ts";
import { isSuccess } from "../../fixtures/classify.ts";
import { acceptedControl, controlOf } from "../../fixtures/control.ts";
import { Inconclusive } from "../../fixtures/findings.ts";
import { basisOf, handlingOf, judgeNoBreakdown, judgeRefusalBody } from "../../fixtures/leeway.ts";
import { observes } from "../../fixtures/leeway-checks.ts";
import { locate, readPage } from "../../fixtures/listing.ts";
import { attemptPatiently } from "../../fixtures/negative.ts";
import { candidates, itemsAt, pathInRecord, scalars } from "../../fixtures/pointer.ts";
import { accepted, sendPatiently } from "../../fixtures/positive.ts";
import { secondMerchant } from "../../fixtures/second-merchant.ts";
import { check } from "../../fixtures/test.ts";
import { violation } from "../../fixtures/wording.ts";
import { contract } from "../../schemas/contract.ts";
import { FRESH, UNKNOWN_ID } from "../../schemas/operation.ts";

const ID = "listPageProducts";

check(
  "listPageProducts/accepted",
  { level: "MUST", requirements: contract.listPageProducts.requirements.success },
  (bench) => acceptedControl(bench, ID),
);

check("listPageProducts/searchProduct", { level: "MUST", requirements: ["R078", "R079"] }, async (bench) => {
  const control = await controlOf(bench, ID);
  const known = control.answer && nameIn(control.answer.json);
  // To find nothing may be answered in any way (G14), so that only a text that is there shows a refusal.
  const afterAccepted = control.accepted && known !== undefined;
  await accepted(bench, ID, { query: { searchProduct: known ?? FRESH } }, { afterAccepted });
});

check(
  "listPageProducts/page-unknown/shape",
  { level: "MUST", requirements: ["R079", "R107"] },
  async (bench) => {
    const answer = await ofUnknownPage(bench);
    judgeAnswered(answer);
    if (answer.status === 400) judgeRefusalBody(answer);
  },
);

check("listPageProducts/page-unknown/status", { level: "SHOULD", source: "G14" }, async (bench) => {
  const answer = await ofUnknownPage(bench);
  judgeNoBreakdown(answer, "the page is unknown");
  bench.observe("G14", `the products of an unknown page: the request ${handlingOf(answer)}`);
});

check("listPageProducts/searchProduct-random", { level: "SHOULD", requirements: ["R078"] }, async (bench) => {
  await locate(bench, ID);
  const { answer, items } = await readPage(bench, ID, { searchProduct: bench.run.builder.fresh() });
  if (items.length > 0)
    throw violation(answer, `answered ${items.length} products to a search that fits none`, "none");
});

check("listPageProducts/searchProduct-finds", { level: "SHOULD", requirements: ["R078"] }, async (bench) => {
  const own = await basisOf(bench, ID);
  const searchProduct = ownNameIn(itemsAt(own.json, (await locate(bench, ID)).pointer));
  if (searchProduct === undefined)
    throw new Inconclusive("the page shows no product with a name to search by");
  const { answer, items } = await readPage(bench, ID, { searchProduct });
  if (items.length === 0)
    throw violation(answer, "finds no product by a name that the page shows", "the product of that name");
});

check(
  "listPageProducts/other-merchant",
  { level: "SHOULD", critical: true, source: "G18" },
  async (bench) => {
    const { authorization, isKnown } = secondMerchant(bench);
    const own = await basisOf(bench, ID);
    const { pointer } = await locate(bench, ID);
    await isKnown();
    const answer = await sendPatiently(bench, ID, {}, { authorization });
    judgeAnswered(answer);
    const shown = JSON.stringify(itemsAt(answer.json, pointer));
    if (isSuccess(answer) && shown !== "[]" && shown === JSON.stringify(itemsAt(own.json, pointer)))
      throw violation(answer, "shows the products of another merchant's page", "no products");
  },
);

observes("listPageProducts/searchProduct-empty", "N40", "an empty searchProduct", {
  query: { searchProduct: "" },
});

/** Asks for the products of a page that cannot exist, once per run. */
async function ofUnknownPage(bench: Bench) {
  const answer = await bench.run.shared("listPageProducts/page-unknown", () =>
    attemptPatiently(bench, ID, { query: { pageId: UNKNOWN_ID } }),
  );
  bench.note(answer);
  return answer;
}

/** The name of the first record of a list that has one, wherever the list stands; a search is for names. */
const nameIn = (body: unknown) =>
  textAt(
    candidates(body).flatMap(({ items }) => items),
    /(name|title)$/i,
  );

/** The name of a product itself: its category may have one as well. */
const ownNameIn = (products: readonly unknown[]) =>
  textAt(products, /^(product\.)?(product_?)?(name|title)$/i);

/** The first text with letters that stands at such a path. */
const textAt = (records: readonly unknown[], place: RegExp) =>
  records
    .flatMap((record) => scalars(record))
    .filter(([path]) => place.test(pathInRecord(path)))
    .map(([, value]) => String(value))
    .find((text) => /^[A-Za-z ]*[A-Za-z]{3}/.test(text));
