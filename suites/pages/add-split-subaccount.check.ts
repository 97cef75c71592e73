import { Violation } from "../../fixtures/http/findings.ts";
import { mismatch } from "../../fixtures/http/mismatch.ts";
import { bodySent } from "../../fixtures/http/sent.ts";
import { outcomeOf } from "../../fixtures/http/wording.ts";
import { shouldReject } from "../../fixtures/judge/check-families.ts";
import { expectAnswered } from "../../fixtures/judge/matchers.ts";
import { check } from "../../fixtures/run/check.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { requireControl } from "../../fixtures/run/control.ts";
import { sendInvalidWithRetry } from "../../fixtures/run/sending.ts";
import { SimpleError } from "../../schemas/errors.ts";
import { UNKNOWN_ID } from "../../schemas/recipe.ts";

const ID = "addSplitSubaccount";

check("addSplitSubaccount/share-as-sent", "TITLE", { should: ["R052"] }, async (ctx) => {
  const answer = await requireControl(ctx, ID);
  const { shere, sub_account_id } = bodySent(answer);
  if (answer.field("share") !== shere || answer.field("subaccount") !== sub_account_id)
    throw new Violation(
      answer,
      `answered share ${JSON.stringify(answer.field("share"))} of ${JSON.stringify(answer.field("subaccount"))}`,
      `${shere} of ${sub_account_id}, as sent`,
    );
});

check("addSplitSubaccount/page-unknown/refused", "TITLE", { critical: ["R053"] }, async (ctx) => {
  const answer = await toUnknownPage(ctx);
  if (answer.looksAccepted)
    throw new Violation(answer, `${outcomeOf(answer)} for a split page that cannot exist`, "a refusal");
});

check("addSplitSubaccount/page-unknown/shape", "TITLE", { must: ["R053", "R110"] }, async (ctx) => {
  const answer = await toUnknownPage(ctx);
  const different = answer.status === 500 ? mismatch(SimpleError, answer) : undefined;
  if (different)
    throw new Violation(answer, `${outcomeOf(answer)} where ${different}`, "the documented error body");
});

const ODD_BODIES = [
  { name: "shere-omitted", body: { shere: undefined }, what: "shere is left out", field: "shere" },
  {
    name: "sub_account_id-omitted",
    body: { sub_account_id: undefined },
    what: "sub_account_id is left out",
    field: "sub_account_id",
  },
  { name: "shere-fraction", body: { shere: 1.5 }, what: "shere is 1.5", field: "shere" },
  { name: "shere-zero", body: { shere: 0 }, what: "shere is 0", field: "shere" },
  { name: "shere-negative", body: { shere: -5 }, what: "shere is -5", field: "shere" },
  { name: "shere-above-100", body: { shere: 101 }, what: "shere is 101", field: "shere" },
] as const;

for (const { name, body, what, field } of ODD_BODIES) {
  shouldReject(
    `addSplitSubaccount/${name}`,
    ["R051"],
    { change: { body }, what, field },
    { before: needSplitPage },
  );
}

function needSplitPage(ctx: CheckContext) {
  ctx.need("SPLIT_PAGE_ID");
  ctx.needProbeWrites();
}

/** Asks for a subaccount on a split page that cannot exist, once per run. */
async function toUnknownPage(ctx: CheckContext) {
  const answer = await ctx.run.once("addSplitSubaccount/page-unknown", () =>
    sendInvalidWithRetry(ctx, ID, { path: { id: UNKNOWN_ID } }),
  );
  ctx.note(answer);
  expectAnswered(answer);
  return answer;
}
