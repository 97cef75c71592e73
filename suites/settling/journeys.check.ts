import type { Answer } from "../../fixtures/answer.ts";
import { judgeAnswered } from "../../fixtures/answered.ts";
import type { Bench } from "../../fixtures/bench.ts";
import { isSuccess, isThrottled } from "../../fixtures/classify.ts";
import { acceptedControl } from "../../fixtures/control.ts";
import { settle } from "../../fixtures/counting.ts";
import { bodySent, partSent } from "../../fixtures/exchanged.ts";
import { Inconclusive } from "../../fixtures/findings.ts";
import { shared } from "../../fixtures/identity.ts";
import { explore, handlingOf } from "../../fixtures/leeway.ts";
import { identityOf, locate, type Query } from "../../fixtures/listing.ts";
import { itemsAt } from "../../fixtures/pointer.ts";
import { accepted, sendPatiently } from "../../fixtures/positive.ts";
import { secondMerchant } from "../../fixtures/second-merchant.ts";
import { check } from "../../fixtures/test.ts";
import { outcomeOf, violation } from "../../fixtures/wording.ts";
import { UNKNOWN_ID } from "../../schemas/operation.ts";
import { compareWithSent } from "../discount-codes/as-sent.ts";
import { productCode } from "../discount-codes/product-code.ts";

const LIST = "listDiscountCodes";

check(
  "checkCustomLink/created-page-takes-its-link",
  { level: "MUST", requirements: ["R077"] },
  async (bench) => judgeTaken(bench, await acceptedControl(bench, "createPaymentPage")),
);

check(
  "checkCustomLink/created-page-takes-its-capitals",
  { level: "MUST", requirements: ["R077"], probe: true },
  async (bench) => {
    const customLink = bench.run.builder.fresh().replace("cst", "Cst");
    const page = await explore(bench, "createPaymentPage", { body: { customLink } });
    // Which characters a link may have is not shown.
    if (!isSuccess(page)) throw new Inconclusive(`a customLink with capital letters ${handlingOf(page)}`);
    await judgeTaken(bench, page);
  },
);

check(
  "listDiscountCodes/created-code-is-listed",
  { level: "SHOULD", requirements: ["R090"] },
  async (bench) => {
    const code = codeOf(await acceptedControl(bench, "createDiscountCode"));
    const answer = await awaitCode(bench, { code }, code);
    if (!shows(answer.text, code))
      throw violation(answer, "does not show the discount code that was made in this run", "the code");
  },
);

check(
  "listDiscountCodes/other-merchant",
  { level: "SHOULD", critical: true, source: "G18" },
  async (bench) => {
    const { authorization, isKnown } = secondMerchant(bench);
    const code = codeOf(await acceptedControl(bench, "createDiscountCode"));
    await needListed(bench, { code }, code);
    await isKnown();
    // Asked for by name, a code is found where a list is cut short as well.
    for (const query of [{}, { code }]) {
      const answer = await sendPatiently(bench, LIST, { query }, { authorization });
      judgeAnswered(answer);
      if (!isSuccess(answer)) continue;
      if (shows("code" in query ? await codesIn(bench, answer) : answer.text, code))
        throw violation(answer, "shows a discount code of another merchant", "the key's own codes");
    }
  },
);

check(
  "listDiscountCodes/filters-accepted",
  { level: "MUST", requirements: ["R090", "R091"] },
  async (bench) => {
    const code = codeOf(await acceptedControl(bench, "createDiscountCode"));
    await accepted(bench, LIST, { query: { code } }, { ownData: true });
  },
);

check(
  "listDiscountCodes/product-code-is-listed",
  { level: "SHOULD", requirements: ["R090"] },
  async (bench) => {
    const { productId, code } = await codeOfProduct(bench);
    await needListed(bench, { code }, code);
    const all = await awaitCode(bench, { productId }, code);
    if (shows(all.text, code)) return;
    // The codes of a product may be too many for one answer.
    const answer = await accepted(bench, LIST, { query: { productId, code } });
    if (!shows(await codesIn(bench, answer), code))
      throw violation(answer, "does not show a discount code of this run by its productId", "the code");
  },
);

check("listDiscountCodes/product-unknown", { level: "SHOULD", requirements: ["R090"] }, async (bench) => {
  const { productId, code } = await codeOfProduct(bench);
  await needListed(bench, { productId }, code);
  const answer = await sendPatiently(bench, LIST, { query: { productId: UNKNOWN_ID } });
  judgeAnswered(answer);
  if (isSuccess(answer) && shows(answer.text, code))
    throw violation(
      answer,
      `shows the discount code of another product to productId=${UNKNOWN_ID}`,
      "no code of another product: the filter is ignored",
    );
});

check("listDiscountCodes/filters-combined", { level: "SHOULD", requirements: ["R090"] }, async (bench) => {
  const { productId, code } = await codeOfProduct(bench);
  await needListed(bench, { productId, code }, code);
  for (const { query, other } of [
    { query: { productId: UNKNOWN_ID, code }, other: "productId" },
    { query: { productId, code: bench.run.builder.fresh() }, other: "code" },
  ]) {
    const answer = await sendPatiently(bench, LIST, { query });
    judgeAnswered(answer);
    if (isSuccess(answer) && shows(await codesIn(bench, answer), code))
      throw violation(
        answer,
        `shows a discount code of another ${other} where productId and code are given`,
        "only what fits both",
      );
  }
});

check("listDiscountCodes/fields-as-sent", { level: "SHOULD", requirements: ["R090"] }, async (bench) => {
  const made =
    bench.values.PRODUCT_ID === undefined
      ? await acceptedControl(bench, "createDiscountCode")
      : (await codeOfProduct(bench)).made;
  // Whether a code is active may follow from its dates.
  const { isActive: _, ...sent } = bodySent(made);
  await judgeAsSent(bench, sent);
});

check(
  "listDiscountCodes/inactive-code-as-sent",
  { level: "SHOULD", requirements: ["R090"], probe: true },
  async (bench) => {
    const made = await explore(bench, "createDiscountCode", { body: { isActive: false, value: 7.5 } });
    if (!isSuccess(made))
      throw new Inconclusive(`an inactive discount code with a fraction ${handlingOf(made)}`);
    await judgeAsSent(bench, bodySent(made));
  },
);

check(
  "listPageProducts/added-products-join-the-others",
  { level: "SHOULD", requirements: ["R064", "R078"] },
  async (bench) => {
    const before = await acceptedControl(bench, "listPageProducts");
    const added = await acceptedControl(bench, "addPageProducts");
    if (before.startedAt > added.startedAt)
      throw new Inconclusive("the products were listed too late to compare");
    const { pointer } = await locate(bench, "listPageProducts");
    const identity = await identityOf(bench, "listPageProducts");
    const others = itemsAt(before.json, pointer);
    const answer = await accepted(bench, "listPageProducts", { query: { pageId: bench.need("PAGE_ID") } });
    const lost = others.length - shared(itemsAt(answer.json, pointer), others, identity);
    if (lost > 0)
      throw violation(
        answer,
        `lacks ${lost} of the ${others.length} products that the page had before others were added`,
        "those before and those that were added",
      );
  },
);

check(
  "listPageProducts/added-product-is-listed",
  { level: "SHOULD", requirements: ["R064", "R078"] },
  async (bench) => {
    const pageId = bench.need("PAGE_ID");
    const products = bench
      .need("PRODUCT_IDS")
      .split(",")
      .map((id) => id.trim());
    await acceptedControl(bench, "addPageProducts");
    const ask = () => accepted(bench, "listPageProducts", { query: { pageId } });
    const missing = (text: string) => products.filter((id) => !text.includes(id));
    let answer = await ask();
    if (missing(answer.text).length > 0) {
      await settle(bench);
      answer = await ask();
    }
    if (missing(answer.text).length > 0)
      throw violation(
        answer,
        `does not show product ${missing(answer.text).join(", ")}, which was added in this run`,
        "the products of PRODUCT_IDS",
      );
  },
);

/** Demands that the link of a page that this run has made is taken: new pages may take the settle time, twice at most. */
async function judgeTaken(bench: Bench, page: Answer) {
  const customLink = partSent(page, "customLink") ?? "";
  const ask = () => sendPatiently(bench, "checkCustomLink", { body: { customLink } });
  let answer = await ask();
  for (let attempt = 0; isSuccess(answer) && attempt < 2; attempt += 1) {
    await settle(bench);
    answer = await ask();
  }
  if (isThrottled(answer) || answer.failure) throw new Inconclusive(outcomeOf(answer));
  if (answer.status === 400) return;
  if (isSuccess(answer) && !bench.target.settleIsPromised) {
    throw new Inconclusive(
      "the link of a page made in this run is still free: set SETTLE_SECONDS to the time after which it must be taken",
    );
  }
  // A deployment that says so may have given the page another link than it was asked for.
  if (isSuccess(answer) && shows(page.text, customLink) && !page.text.includes(customLink)) {
    bench.warn("a page gets its link in other letter case than was sent, and the one that was sent is free");
    return;
  }
  throw violation(answer, `${outcomeOf(answer)} to the link of a page that was made in this run`, "400");
}

const codeOf = (made: Answer) => String(bodySent(made).code);

/** The discount code of PRODUCT_ID that this run has made. */
async function codeOfProduct(bench: Bench) {
  const made = await productCode(bench);
  bench.note(made);
  if (!isSuccess(made))
    throw new Inconclusive("no discount code of a product was made", "createDiscountCode/optional-fields");
  return { made, productId: bench.need("PRODUCT_ID"), code: codeOf(made) };
}

/** Lists discount codes until one of this run is shown: new ones may take the settle time, twice at most. */
async function awaitCode(bench: Bench, query: Query, code: string): Promise<Answer> {
  let answer = await accepted(bench, LIST, { query });
  for (let attempt = 0; !shows(answer.text, code) && attempt < 2; attempt += 1) {
    await settle(bench);
    answer = await accepted(bench, LIST, { query });
  }
  return answer;
}

/** As {@link awaitCode}; throws `Inconclusive` where the code is not shown, so that its absence elsewhere says nothing. */
async function needListed(bench: Bench, query: Query, code: string): Promise<Answer> {
  const answer = await awaitCode(bench, query, code);
  if (!shows(answer.text, code))
    throw new Inconclusive(
      `a discount code of this run is not listed by its ${Object.keys(query).join(" and ")}`,
      "listDiscountCodes/created-code-is-listed",
    );
  return answer;
}

/** Demands that what a listed code shows by the names of sent fields is what was sent. */
async function judgeAsSent(bench: Bench, { code: named, ...sent }: Readonly<Record<string, unknown>>) {
  const code = String(named);
  const answer = await needListed(bench, { code }, code);
  const item = (await itemsIn(bench, answer)).find((one) => shows(JSON.stringify(one), code));
  const { known, other } = compareWithSent(sent, item);
  if (known.length === 0) throw new Inconclusive("a listed code shows no field by the name it is sent by");
  if (other.length > 0)
    throw violation(answer, `shows another ${other.join(", ")} of a code than was sent`, "what was sent");
}

async function itemsIn(bench: Bench, answer: Answer) {
  return itemsAt(answer.json, (await locate(bench, LIST)).pointer);
}

/** The text of the codes alone: what was asked for may be repeated beside them. */
const codesIn = async (bench: Bench, answer: Answer) => JSON.stringify(await itemsIn(bench, answer));

/** Codes may be kept in another letter case (not shown). */
const shows = (text: string, code: string) => text.toLowerCase().includes(code.toLowerCase());
