import { judgeAnswered } from "../../fixtures/answered.ts";
import type { Bench } from "../../fixtures/bench.ts";
import { typeName } from "../../fixtures/classify.ts";
import { acceptedControl } from "../../fixtures/control.ts";
import { lacking } from "../../fixtures/findings.ts";
import { basisOf, explore } from "../../fixtures/leeway.ts";
import { discourages, discouragesCritically, observes } from "../../fixtures/leeway-checks.ts";
import { attemptPatiently } from "../../fixtures/negative.ts";
import { secondMerchant } from "../../fixtures/second-merchant.ts";
import { check } from "../../fixtures/test.ts";
import { outcomeOf, violation } from "../../fixtures/wording.ts";
import { contract } from "../../schemas/contract.ts";
import { UNKNOWN_ID } from "../../schemas/operation.ts";

const ID = "updateSubscription";

check(
  "updateSubscription/accepted",
  { level: "MUST", requirements: contract.updateSubscription.requirements.success },
  (bench) => acceptedControl(bench, ID),
);

check("updateSubscription/repeated", { level: "SHOULD", source: "RFC 9110" }, async (bench) => {
  const first = await basisOf(bench, ID);
  const second = await explore(bench, ID);
  if (second.status !== first.status)
    throw violation(
      second,
      `${outcomeOf(second)} when the same update is sent again`,
      `${first.status} again`,
    );
});

const ODD_VALUES = [
  { name: "paymentCount-fraction", field: "paymentCount", value: 1.5 },
  { name: "nextPaymentDate-impossible", field: "nextPaymentDate", value: "2024-02-30" },
  { name: "nextPaymentDate-with-slashes", field: "nextPaymentDate", value: "31/12/2030" },
  { name: "nextPaymentDate-with-time", field: "nextPaymentDate", value: "2030-12-31T10:00:00Z" },
] as const;

for (const { name, field, value } of ODD_VALUES) {
  discourages(
    `updateSubscription/${name}`,
    { requirements: ["R013", "R098"] },
    { change: { body: { [field]: value } }, what: `${field} is ${value}`, field },
    { before: needExpendable },
  );
}

discouragesCritically(
  "updateSubscription/amount-negative",
  { source: "G02" },
  { what: "amount is -1", field: "amount" },
  async (bench) => {
    needExpendable(bench);
    return attemptPatiently(bench, ID, { body: { amount: -1 } });
  },
);

observes(
  "updateSubscription/body-empty",
  "N40",
  "an update without any field",
  ({ values }) => ({
    body: Object.fromEntries(Object.keys(values.SUBSCRIPTION_UPDATE ?? {}).map((name) => [name, undefined])),
  }),
  { before: needExpendable },
);
observes(
  "updateSubscription/status-invented",
  "N12",
  "an invented status",
  { body: { status: "conformance" } },
  { before: needExpendable },
);

check("updateSubscription/not-found-body", { level: "OBSERVE", source: "G13" }, async (bench) => {
  const answer = await attemptPatiently(bench, ID, {
    path: { id: UNKNOWN_ID },
    body: { planName: "Gold" },
  });
  judgeAnswered(answer);
  const members = Object.keys(Object(answer.json)).toSorted();
  bench.observe(
    "G13",
    `an unknown subscription is answered ${answer.status} with ${
      answer.jsonError ? "no JSON" : `${typeName(answer.json)}: ${members.join(", ") || "no members"}`
    }`,
  );
});

check(
  "updateSubscription/other-merchant",
  { level: "SHOULD", critical: true, source: "G18" },
  async (bench) => {
    const { authorization, isKnown } = secondMerchant(bench);
    await isKnown();
    const answer = await bench.send(ID, {}, { authorization });
    judgeAnswered(answer);
    if (answer.status !== 404)
      throw violation(answer, `${outcomeOf(answer)} to another merchant's update of it`, "404");
  },
);

/** Throws `NotTested` unless odd values may be written to the subscription. */
function needExpendable(bench: Bench) {
  bench.need("SUBSCRIPTION_ID");
  if (!bench.need("SUBSCRIPTION_EXPENDABLE")) throw lacking(["SUBSCRIPTION_EXPENDABLE"]);
}
