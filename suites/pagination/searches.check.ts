import { isSuccess } from "../../fixtures/classify.ts";
import { controlOf } from "../../fixtures/control.ts";
import { bodySent } from "../../fixtures/exchanged.ts";
import { Inconclusive, lacking } from "../../fixtures/findings.ts";
import { locate, readFiltered } from "../../fixtures/listing.ts";
import { itemsAt } from "../../fixtures/pointer.ts";
import { accepted, sendPatiently } from "../../fixtures/positive.ts";
import { check } from "../../fixtures/test.ts";
import { outcomeOf, violation } from "../../fixtures/wording.ts";
import { judgeFilteredPages } from "./filtered-pages.ts";

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

check("listCustomers/search-finds", { level: "SHOULD", requirements: ["R088"], scope }, async (bench) => {
  const search = bench.need("CUSTOMER_SEARCH");
  const page = await readFiltered(bench, "listCustomers", { search });
  if (page.items.length === 0)
    throw violation(page.answer, "finds nobody by the text of CUSTOMER_SEARCH", "at least one customer");
});

for (const { id, parameter, variables, requirement } of [
  { id: "listCustomers", parameter: "search", variables: ["CUSTOMER_SEARCH"], requirement: "R088" },
  {
    id: "listRecipients",
    parameter: "searchRecipientAccountName",
    variables: ["ACTIVE_RECIPIENT_NAME", "INACTIVE_RECIPIENT_NAME"],
    requirement: "R012",
  },
] as const) {
  check(
    `${id}/search-before-paging`,
    { level: "SHOULD", requirements: [requirement], scope },
    async (bench) => {
      const known = variables.filter((name) => bench.values[name] !== undefined);
      if (known.length === 0) throw lacking(variables);
      for (const name of known)
        if (await judgeFilteredPages(bench, id, { [parameter]: bench.need(name) })) return;
      throw new Inconclusive(`what ${known.join(" or ")} finds, if anything, begins the list: give another`);
    },
  );
}

check(
  "listDiscountCodes/code-unknown-finds-nothing",
  { level: "SHOULD", requirements: ["R090"], scope },
  async (bench) => {
    const { answer: made, accepted: isMade } = await controlOf(bench, "createDiscountCode");
    const answer = await sendPatiently(bench, "listDiscountCodes", {
      query: { code: bench.run.builder.fresh() },
    });
    if (!isSuccess(answer)) throw new Inconclusive(`an unknown code ${outcomeOf(answer)}`);
    // A list that nothing changes is hard to find; a code of this run is told without.
    if (made && isMade && answer.text.toLowerCase().includes(String(bodySent(made).code).toLowerCase()))
      throw violation(answer, "shows the code of this run to a code that does not exist", "no codes");
    const { pointer } = await locate(bench, "listDiscountCodes");
    const { length } = itemsAt(answer.json, pointer);
    if (length > 0)
      throw violation(answer, `answered ${length} codes to a code that does not exist`, "no codes");
  },
);
