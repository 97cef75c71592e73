import { isSuccess } from "../../fixtures/classify.ts";
import { Inconclusive } from "../../fixtures/findings.ts";
import { shared } from "../../fixtures/identity.ts";
import { identityOf, locate, readFiltered, readPage, widestWindow } from "../../fixtures/listing.ts";
import { itemsAt } from "../../fixtures/pointer.ts";
import { accepted, sendPatiently } from "../../fixtures/positive.ts";
import { check } from "../../fixtures/test.ts";
import { outcomeOf, violation } from "../../fixtures/wording.ts";

const scope = "paging";

check("listCustomers/search-accepted", { level: "MUST", requirements: ["R088", "R089"] }, (bench) =>
  accepted(
    bench,
    "listCustomers",
    { query: { search: bench.values.CUSTOMER_SEARCH ?? bench.run.builder.fresh() } },
    { ownData: true },
  ),
);

check(
  "listCustomers/search-unknown-finds-nothing",
  { level: "SHOULD", requirements: ["R088"], scope },
  async (bench) => {
    const page = await readFiltered(bench, "listCustomers", { search: bench.run.builder.fresh() });
    if (page.items.length > 0)
      throw violation(page.answer, `answered ${page.items.length} items to an odd search text`, "no items");
  },
);

check(
  "listCustomers/merchants-are-apart",
  { level: "SHOULD", critical: true, source: "OWASP API1", scope },
  async (bench) => {
    const authorization = `Bearer ${bench.need("SECOND_SECRET_KEY")}`;
    const identity = await identityOf(bench, "listCustomers");
    const window = await widestWindow(bench, "listCustomers");
    const mine = await readPage(bench, "listCustomers", window);
    const answer = await sendPatiently(bench, "listCustomers", { query: window }, { authorization });
    if (!isSuccess(answer))
      throw new Inconclusive(`SECOND_SECRET_KEY ${outcomeOf(answer)}: no list to compare with`);
    const both = shared(
      mine.items,
      itemsAt(answer.json, (await locate(bench, "listCustomers")).pointer),
      identity,
    );
    if (both > 0)
      throw violation(answer, `shows ${both} customers of another merchant`, "only the key's own customers");
  },
);

check(
  "listDiscountCodes/code-unknown-finds-nothing",
  { level: "SHOULD", requirements: ["R090"], scope },
  async (bench) => {
    const { pointer } = await locate(bench, "listDiscountCodes");
    const answer = await sendPatiently(bench, "listDiscountCodes", {
      query: { code: bench.run.builder.fresh() },
    });
    if (!isSuccess(answer)) throw new Inconclusive(`an unknown code ${outcomeOf(answer)}`);
    const { length } = itemsAt(answer.json, pointer);
    if (length > 0)
      throw violation(answer, `answered ${length} codes to a code that does not exist`, "no codes");
  },
);
