import type { Answer } from "../../fixtures/answer.ts";
import type { Bench } from "../../fixtures/bench.ts";
import { isDocumentedRefusal, isSuccess, looksCarriedOut } from "../../fixtures/classify.ts";
import { acceptedControl, controlOf } from "../../fixtures/control.ts";
import { bodySent, membersOf } from "../../fixtures/exchanged.ts";
import { Inconclusive } from "../../fixtures/findings.ts";
import { basisOf, explore, handlingOf, judgeNoBreakdown } from "../../fixtures/leeway.ts";
import { attempts, discourages, discouragesCritically, observes } from "../../fixtures/leeway-checks.ts";
import { judgeAccepted } from "../../fixtures/positive.ts";
import { check } from "../../fixtures/test.ts";
import { outcomeOf, violation } from "../../fixtures/wording.ts";
import { contract } from "../../schemas/contract.ts";
import { accountsIn, lessBy, referencesIn } from "./virtual-accounts.ts";

const ID = "initializeVirtualAccount";

check(
  "initializeVirtualAccount/accepted",
  { level: "MUST", requirements: contract.initializeVirtualAccount.requirements.success, pays: 1 },
  async (bench) => {
    const { answer } = await controlOf(bench, ID);
    // The documented rejection may be about DVA_AMOUNT or EMAIL_ADDRESS; any other answer may not.
    return acceptedControl(bench, ID, { ownData: !answer || !isDocumentedRefusal(answer) });
  },
);

check(
  "initializeVirtualAccount/reference-omitted",
  { level: "MUST", requirements: ["R017", "R043"], pays: 1 },
  async (bench) => {
    const { accepted } = await controlOf(bench, ID);
    const answer = await withoutReference(bench);
    await judgeAccepted(bench, answer, judged(answer, accepted));
  },
);

check(
  "initializeVirtualAccount/reference-given",
  { level: "MUST", requirements: ["R017", "R043"], pays: 1 },
  async (bench) => {
    const without = await withoutReference(bench);
    const { answer, notTested } = await controlOf(bench, ID);
    if (!answer) throw notTested ?? new Error("a control came to nothing");
    await judgeAccepted(bench, answer, judged(answer, isSuccess(without)));
  },
);

check(
  "initializeVirtualAccount/generated-reference-unique",
  { level: "SHOULD", critical: true, requirements: ["R043"], pays: 1, probe: true },
  async (bench) => {
    await basisOf(bench, ID);
    const first = await withoutReference(bench);
    const second = await explore(bench, ID, { body: { reference: undefined } });
    const known = referencesIn(first.field("data"));
    const generated = referencesIn(second.field("data"));
    if (!isSuccess(first) || !isSuccess(second) || known.size === 0 || generated.size === 0)
      throw new Inconclusive("two payments without reference show no references to compare");
    const [same] = [...known].filter((reference) => generated.has(reference));
    if (same !== undefined)
      throw violation(
        second,
        `answered the reference ${JSON.stringify(same)} to two payments that came without one`,
        "a reference of its own for each attempt",
      );
  },
);

check(
  "initializeVirtualAccount/status-true",
  { level: "SHOULD", critical: true, requirements: ["R044"] },
  async (bench) => {
    const { answer, notTested } = await controlOf(bench, ID);
    if (!answer) throw notTested ?? new Error("a control came to nothing");
    if (answer.status === 200 && answer.field("status") === false)
      throw violation(answer, "answered 200 whose status is false", "true, or a rejection with 422");
  },
);

for (const { name, amount } of [
  { name: "negative", amount: "-100" },
  { name: "zero", amount: "0" },
]) {
  discouragesCritically(
    `initializeVirtualAccount/amount-${name}`,
    { requirements: ["R045"] },
    { what: `amount is "${amount}"`, field: "amount" },
    (bench) => {
      bench.needProbeWrites();
      return attempts(ID, { body: { amount } })(bench);
    },
  );
}

const ODD_AMOUNTS = {
  "subunit-fraction": "100.50",
  "surrounding-spaces": " 100 ",
  "digit-grouping": "1,000",
  exponent: "1e3",
  hexadecimal: "0x10",
  "of-30-digits": "1".repeat(30),
} as const;

for (const [name, amount] of Object.entries(ODD_AMOUNTS)) {
  discourages(
    `initializeVirtualAccount/amount-${name}`,
    { requirements: ["R042"] },
    { change: { body: { amount } }, what: `amount is "${amount}"`, field: "amount" },
  );
}

discourages(
  "initializeVirtualAccount/email-malformed",
  { requirements: ["R041", "R045"] },
  { change: { body: { email: "not-an-email" } }, what: "email is no address", field: "email" },
);

observes("initializeVirtualAccount/email-of-300-characters", "N43", "an e-mail address of 300 characters", {
  body: { email: `${"a".repeat(288)}@example.com` },
});
observes("initializeVirtualAccount/email-plus", "N40", "an e-mail address with a plus sign", {
  body: { email: "payer+tag@example.com" },
});
observes("initializeVirtualAccount/email-unicode", "N40", "an e-mail address with a non-ASCII local part", {
  body: { email: "ọláìtán@example.com" },
});

check(
  "initializeVirtualAccount/reference-reused",
  { level: "SHOULD", source: "G07", pays: 1 },
  async (bench) => {
    const first = await basisOf(bench, ID);
    const again = await explore(bench, ID, { body: bodySent(first) }, { planned: true, repeats: [first] });

    const known = accountsIn(first.field("data"));
    const repeated = accountsIn(again.field("data"));
    bench.observe("G07", `a reference with the same body a second time ${handlingOf(again)}`);
    const isAnother =
      known.size > 0 && repeated.size > 0 && ![...known].some((account) => repeated.has(account));
    if (isSuccess(again) && isAnother)
      throw violation(again, "opened another account under the same reference", "the first account or 422");
  },
);

check(
  "initializeVirtualAccount/reference-reused-other-amount",
  { level: "SHOULD", source: "G07" },
  async (bench) => {
    const first = bodySent(await basisOf(bench, ID));
    const body = { ...first, amount: lessBy(1, first.amount) };
    const answer = await explore(bench, ID, { body }, { planned: true });
    judgeNoBreakdown(answer, "a reference comes again with another amount");
    if (looksCarriedOut(answer))
      throw violation(answer, `${outcomeOf(answer)} to a used reference with another amount`, "a rejection");
  },
);

check("initializeVirtualAccount/data", { level: "OBSERVE", source: "N23" }, async (bench) => {
  const answer = await basisOf(bench, ID);
  const { reference } = bodySent(answer);
  const data = answer.field("data");
  const isEchoed = typeof reference === "string" && JSON.stringify(data ?? null).includes(reference);
  bench.observe("N23", `data is ${membersOf(data)}`);
  bench.observe("N23", `data ${isEchoed ? "echoes" : "does not echo"} the reference`);
});

/** A rejection with 422 and shape B may be about the data; it is the target's fault where the variant went well. */
function judged(answer: Answer, variantAccepted: boolean) {
  return { afterAccepted: variantAccepted, ownData: !isDocumentedRefusal(answer) };
}

/** A payment without reference, initialized once per run. */
async function withoutReference(bench: Bench): Promise<Answer> {
  const answer = await bench.run.shared(`${ID}/reference-omitted`, () =>
    bench.send(ID, { body: { reference: undefined } }),
  );
  bench.note(answer);
  return answer;
}
