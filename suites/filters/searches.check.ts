import { Inconclusive, missingVariables } from "../../fixtures/http/findings.ts";
import { bodySent } from "../../fixtures/http/sent.ts";
import { outcomeOf } from "../../fixtures/http/wording.ts";
import { sendAccepted } from "../../fixtures/judge/expect-accepted.ts";
import { expectItems, expectNoItems, expectThat } from "../../fixtures/judge/matchers.ts";
import { pageOf, readFiltered } from "../../fixtures/lists/pages.ts";
import { check } from "../../fixtures/run/check.ts";
import { controlOf } from "../../fixtures/run/control.ts";
import { sendWithRetry } from "../../fixtures/run/sending.ts";
import { hasInAnyCase } from "../settling/any-case.ts";
import { expectFilteredBeforePaging } from "./filtered-pages.ts";

const scope = "paging";

check("listCustomers/search-accepted", "accepts a search text", { must: ["R088", "R089"] }, (ctx) => {
  const search = ctx.values.CUSTOMER_SEARCH ?? ctx.run.builder.fresh();
  return sendAccepted(ctx, "listCustomers", { query: { search } }, { ownData: true });
});

check(
  "listCustomers/search-unknown-finds-nothing",
  "lists no customers for an odd search text",
  { should: ["R088"], scope },
  async (ctx) => {
    const page = await readFiltered(ctx, "listCustomers", { search: ctx.run.builder.fresh() });
    expectNoItems(page, "an odd search text");
  },
);

check(
  "listCustomers/search-finds",
  "lists a customer for the text of CUSTOMER_SEARCH",
  { should: ["R088"], scope },
  async (ctx) => {
    const page = await readFiltered(ctx, "listCustomers", { search: ctx.need("CUSTOMER_SEARCH") });
    expectItems(page, "the text of CUSTOMER_SEARCH", "at least one customer");
  },
);

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
    `applies ${parameter} before it cuts the list into pages`,
    { should: [requirement], scope },
    async (ctx) => {
      const known = variables.filter((name) => ctx.values[name] !== undefined);
      if (known.length === 0) throw missingVariables(variables);
      for (const name of known)
        if (await expectFilteredBeforePaging(ctx, id, { [parameter]: ctx.need(name) })) return;
      throw new Inconclusive(
        `${known.join(" or ")} finds nothing or only the first items of the list: choose a value that matches later records`,
      );
    },
  );
}

check(
  "listDiscountCodes/code-unknown-finds-nothing",
  "lists no codes for a code that does not exist",
  { should: ["R090"], scope },
  async (ctx) => {
    const { answer: created, accepted } = await controlOf(ctx, "createDiscountCode");
    const query = { code: ctx.run.builder.fresh() };
    const answer = await sendWithRetry(ctx, "listDiscountCodes", { query });
    if (!answer.isSuccess) throw new Inconclusive(`${outcomeOf(answer)} for an unknown code`);
    // The place of a list that never changes is hard to find; a code of this run can be seen without it.
    const isListed = created && accepted && hasInAnyCase(answer.text, String(bodySent(created).code));
    expectThat(!isListed, answer, "lists a code of this run for a code that does not exist", "no codes");
    const page = await pageOf(ctx, "listDiscountCodes", answer);
    expectNoItems(page, "a code that does not exist", "no codes");
  },
);
