import { Inconclusive, missingVariables, Violation } from "../../fixtures/http/findings.ts";
import { bodySent } from "../../fixtures/http/sent.ts";
import { outcomeOf } from "../../fixtures/http/wording.ts";
import { sendAccepted } from "../../fixtures/judge/expect-accepted.ts";
import { itemsAt } from "../../fixtures/lists/json-pointer.ts";
import { locate } from "../../fixtures/lists/locate.ts";
import { readFiltered } from "../../fixtures/lists/pages.ts";
import { check } from "../../fixtures/run/check.ts";
import { controlOf } from "../../fixtures/run/control.ts";
import { sendWithRetry } from "../../fixtures/run/sending.ts";
import { judgeFilteredPages } from "./filtered-pages.ts";

const scope = "paging";

check("listCustomers/search-accepted", "TITLE", { must: ["R088", "R089"] }, (ctx) =>
  sendAccepted(
    ctx,
    "listCustomers",
    { query: { search: ctx.values.CUSTOMER_SEARCH ?? ctx.run.builder.fresh() } },
    { ownData: true },
  ),
);

check("listCustomers/search-unknown-finds-nothing", "TITLE", { should: ["R088"], scope }, async (ctx) => {
  const page = await readFiltered(ctx, "listCustomers", { search: ctx.run.builder.fresh() });
  if (page.items.length > 0)
    throw new Violation(page.answer, `answered ${page.items.length} items to an odd search text`, "no items");
});

check("listCustomers/search-finds", "TITLE", { should: ["R088"], scope }, async (ctx) => {
  const search = ctx.need("CUSTOMER_SEARCH");
  const page = await readFiltered(ctx, "listCustomers", { search });
  if (page.items.length === 0)
    throw new Violation(page.answer, "finds nobody by the text of CUSTOMER_SEARCH", "at least one customer");
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
  check(`${id}/search-before-paging`, "TITLE", { should: [requirement], scope }, async (ctx) => {
    const known = variables.filter((name) => ctx.values[name] !== undefined);
    if (known.length === 0) throw missingVariables(variables);
    for (const name of known) if (await judgeFilteredPages(ctx, id, { [parameter]: ctx.need(name) })) return;
    throw new Inconclusive(`what ${known.join(" or ")} finds, if anything, begins the list: give another`);
  });
}

check("listDiscountCodes/code-unknown-finds-nothing", "TITLE", { should: ["R090"], scope }, async (ctx) => {
  const { answer: made, accepted: isMade } = await controlOf(ctx, "createDiscountCode");
  const answer = await sendWithRetry(ctx, "listDiscountCodes", {
    query: { code: ctx.run.builder.fresh() },
  });
  if (!answer.isSuccess) throw new Inconclusive(`an unknown code ${outcomeOf(answer)}`);
  // A list that nothing changes is hard to find; a code of this run is told without.
  if (made && isMade && answer.text.toLowerCase().includes(String(bodySent(made).code).toLowerCase()))
    throw new Violation(answer, "shows the code of this run to a code that does not exist", "no codes");
  const { pointer } = await locate(ctx, "listDiscountCodes");
  const { length } = itemsAt(answer.json, pointer);
  if (length > 0)
    throw new Violation(answer, `answered ${length} codes to a code that does not exist`, "no codes");
});
