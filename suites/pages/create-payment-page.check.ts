import { looksCarriedOut } from "../../fixtures/classify.ts";
import { acceptedControl, controlOf } from "../../fixtures/control.ts";
import { membersOf, partSent } from "../../fixtures/exchanged.ts";
import { NotTested } from "../../fixtures/findings.ts";
import { basisOf, explore, judgeNoBreakdown } from "../../fixtures/leeway.ts";
import { judgeNotDemanded } from "../../fixtures/not-demanded.ts";
import { accepted } from "../../fixtures/positive.ts";
import { check } from "../../fixtures/test.ts";
import { outcomeOf, violation } from "../../fixtures/wording.ts";
import { contract } from "../../schemas/contract.ts";

const ID = "createPaymentPage";

check(
  "createPaymentPage/accepted",
  { level: "MUST", requirements: contract.createPaymentPage.requirements.success },
  (bench) => acceptedControl(bench, ID),
);

check("createPaymentPage/text-fields", { level: "MUST", requirements: ["R015", "R071"] }, async (bench) => {
  bench.needProbeWrites();
  const { accepted: afterAccepted } = await controlOf(bench, ID);
  const body = {
    redirectAfterPaymentLink: "https://example.com/thanks",
    successMessage: "Thank you",
    sendNotificationsToEmail: bench.values.EMAIL_ADDRESS ?? "notices@example.com",
  };
  await accepted(bench, ID, { body }, { afterAccepted });
});

check("createPaymentPage/planId-not-demanded", { level: "MUST", requirements: ["R070"] }, async (bench) => {
  const pageType = bench.need("PAGE_TYPE");
  if (/subscri|recurr|plan/i.test(pageType))
    throw new NotTested("variable", `a page of type ${pageType} has a plan: give another PAGE_TYPE`, [
      "PAGE_TYPE",
    ]);
  await judgeNotDemanded(bench, ID, () => ({ body: { planId: bench.need("PLAN_ID") } }), ["PLAN_ID"]);
});

check("createPaymentPage/customLink-repeated", { level: "SHOULD", source: "N40" }, async (bench) => {
  const customLink = partSent(await basisOf(bench, ID), "customLink");
  const answer = await explore(bench, ID, { body: { customLink } }, { planned: true });
  judgeNoBreakdown(answer, "a customLink is used a second time");
  if (looksCarriedOut(answer))
    throw violation(answer, `${outcomeOf(answer)} when a customLink is used a second time`, "a refusal");
});

check("createPaymentPage/record", { level: "OBSERVE", source: "N06" }, async (bench) => {
  const answer = await basisOf(bench, ID);
  bench.observe("N06", `data of a created page is ${membersOf(answer.field("data"))}`);
});
