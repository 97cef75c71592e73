import { isObject } from "../../fixtures/answer.ts";
import { isSuccess, isThrottled } from "../../fixtures/classify.ts";
import { acceptedControl } from "../../fixtures/control.ts";
import { settle } from "../../fixtures/counting.ts";
import { Inconclusive } from "../../fixtures/findings.ts";
import { judgeAnswered } from "../../fixtures/negative.ts";
import { accepted, sendPatiently } from "../../fixtures/positive.ts";
import { secondMerchant } from "../../fixtures/second-merchant.ts";
import { check } from "../../fixtures/test.ts";
import { outcomeOf, violation } from "../../fixtures/wording.ts";
import { UNKNOWN_ID } from "../../schemas/operation.ts";
import { productCode } from "../discount-codes/product-code.ts";

check(
  "checkCustomLink/created-page-takes-its-link",
  { level: "MUST", requirements: ["R077"] },
  async (bench) => {
    const page = await acceptedControl(bench, "createPaymentPage");
    const customLink = linkOf(page.request.body?.toString("utf8") ?? "");
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
    throw violation(answer, `${outcomeOf(answer)} to the link of a page that was made in this run`, "400");
  },
);

check(
  "listDiscountCodes/created-code-is-listed",
  { level: "SHOULD", requirements: ["R090"] },
  async (bench) => {
    const code = codeOf(await acceptedControl(bench, "createDiscountCode"));
    const ask = () => accepted(bench, "listDiscountCodes", { query: { code } });
    let answer = await ask();
    if (!shows(answer.text, code)) {
      await settle(bench);
      answer = await ask();
    }
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
    await isKnown();
    const answer = await sendPatiently(bench, "listDiscountCodes", {}, { authorization });
    judgeAnswered(answer);
    if (isSuccess(answer) && shows(answer.text, code))
      throw violation(answer, "shows a discount code of another merchant", "the key's own codes");
  },
);

check(
  "listDiscountCodes/filters-accepted",
  { level: "MUST", requirements: ["R090", "R091"] },
  async (bench) => {
    const code = codeOf(await acceptedControl(bench, "createDiscountCode"));
    await accepted(bench, "listDiscountCodes", { query: { code } }, { ownData: true });
  },
);

check("listDiscountCodes/product-unknown", { level: "SHOULD", requirements: ["R090"] }, async (bench) => {
  const made = await productCode(bench);
  if (!isSuccess(made))
    throw new Inconclusive("no discount code of a product was made", "createDiscountCode/optional-fields");
  const answer = await sendPatiently(bench, "listDiscountCodes", { query: { productId: UNKNOWN_ID } });
  judgeAnswered(answer);
  if (isSuccess(answer) && shows(answer.text, codeOf(made)))
    throw violation(
      answer,
      `shows the discount code of another product to productId=${UNKNOWN_ID}`,
      "no code of another product: the filter is ignored",
    );
});

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

/** The custom link in a multipart body of ours. */
const linkOf = (multipart: string) => /name="customLink"\r\n\r\n([^\r]+)/.exec(multipart)?.[1] ?? "";

function codeOf({ request }: { readonly request: { readonly body?: Buffer } }): string {
  const body: unknown = JSON.parse(request.body?.toString("utf8") ?? "null");
  return isObject(body) ? String(body.code) : "";
}

/** Codes may be kept in another letter case (not shown). */
const shows = (text: string, code: string) => text.toLowerCase().includes(code.toLowerCase());
