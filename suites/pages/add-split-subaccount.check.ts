import { judgeAnswered } from "../../fixtures/answered.ts";
import type { Bench } from "../../fixtures/bench.ts";
import { difference, looksCarriedOut } from "../../fixtures/classify.ts";
import { acceptedControl } from "../../fixtures/control.ts";
import { bodySent } from "../../fixtures/exchanged.ts";
import { basisOf } from "../../fixtures/leeway.ts";
import { discourages } from "../../fixtures/leeway-checks.ts";
import { attemptPatiently } from "../../fixtures/negative.ts";
import { check } from "../../fixtures/test.ts";
import { outcomeOf, violation } from "../../fixtures/wording.ts";
import { contract } from "../../schemas/contract.ts";
import { SimpleError } from "../../schemas/errors.ts";
import { UNKNOWN_ID } from "../../schemas/operation.ts";

const ID = "addSplitSubaccount";

check(
  "addSplitSubaccount/accepted",
  { level: "MUST", requirements: contract.addSplitSubaccount.requirements.success },
  (bench) => acceptedControl(bench, ID),
);

check("addSplitSubaccount/share-as-sent", { level: "SHOULD", requirements: ["R052"] }, async (bench) => {
  const answer = await basisOf(bench, ID);
  const { shere, sub_account_id } = bodySent(answer);
  if (answer.field("share") !== shere || answer.field("subaccount") !== sub_account_id)
    throw violation(
      answer,
      `answered share ${JSON.stringify(answer.field("share"))} of ${JSON.stringify(answer.field("subaccount"))}`,
      `${shere} of ${sub_account_id}, as sent`,
    );
});

check(
  "addSplitSubaccount/page-unknown/refused",
  { level: "SHOULD", critical: true, requirements: ["R053"] },
  async (bench) => {
    const answer = await toUnknownPage(bench);
    if (looksCarriedOut(answer))
      throw violation(answer, `${outcomeOf(answer)} for a split page that cannot exist`, "a refusal");
  },
);

check(
  "addSplitSubaccount/page-unknown/shape",
  { level: "MUST", requirements: ["R053", "R110"] },
  async (bench) => {
    const answer = await toUnknownPage(bench);
    const different = answer.status === 500 ? difference(SimpleError, answer) : undefined;
    if (different)
      throw violation(answer, `${outcomeOf(answer)} where ${different}`, "the documented error body");
  },
);

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
  discourages(
    `addSplitSubaccount/${name}`,
    { requirements: ["R051"] },
    { change: { body }, what, field },
    { before: needSplitPage },
  );
}

function needSplitPage(bench: Bench) {
  bench.need("SPLIT_PAGE_ID");
  bench.needProbeWrites();
}

/** Asks for a subaccount on a split page that cannot exist, once per run. */
async function toUnknownPage(bench: Bench) {
  const answer = await bench.run.shared("addSplitSubaccount/page-unknown", () =>
    attemptPatiently(bench, ID, { path: { id: UNKNOWN_ID } }),
  );
  bench.note(answer);
  judgeAnswered(answer);
  return answer;
}
