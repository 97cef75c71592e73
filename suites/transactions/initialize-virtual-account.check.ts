import type { Answer } from "../../fixtures/http/answer.ts";
import { Inconclusive, Violation } from "../../fixtures/http/findings.ts";
import { bodySent } from "../../fixtures/http/sent.ts";
import { handlingOf, membersOf, outcomeOf } from "../../fixtures/http/wording.ts";
import {
  observes,
  sendsInvalid,
  shouldReject,
  shouldRejectCritically,
} from "../../fixtures/judge/check-families.ts";
import { expectAccepted } from "../../fixtures/judge/expect-accepted.ts";
import { expectNoCrash } from "../../fixtures/judge/matchers.ts";
import { sendTolerated } from "../../fixtures/judge/tolerated.ts";
import { check } from "../../fixtures/run/check.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { controlOf, requireControl } from "../../fixtures/run/control.ts";
import { accountsIn, lessBy, referencesIn } from "./virtual-accounts.ts";

const ID = "initializeVirtualAccount";

check(
  "initializeVirtualAccount/reference-omitted",
  "TITLE",
  { must: ["R017", "R043"], pays: 1 },
  async (ctx) => {
    const { accepted } = await controlOf(ctx, ID);
    const answer = await withoutReference(ctx);
    await expectAccepted(ctx, answer, judged(answer, accepted));
  },
);

check(
  "initializeVirtualAccount/reference-given",
  "TITLE",
  { must: ["R017", "R043"], pays: 1 },
  async (ctx) => {
    const without = await withoutReference(ctx);
    const { answer, notTested } = await controlOf(ctx, ID);
    if (!answer) throw notTested ?? new Error("a control came to nothing");
    await expectAccepted(ctx, answer, judged(answer, without.isSuccess));
  },
);

check(
  "initializeVirtualAccount/generated-reference-unique",
  "TITLE",
  { critical: ["R043"], pays: 1, probe: true },
  async (ctx) => {
    await requireControl(ctx, ID);
    const first = await withoutReference(ctx);
    const second = await sendTolerated(ctx, ID, { body: { reference: undefined } });
    const known = referencesIn(first.field("data"));
    const generated = referencesIn(second.field("data"));
    if (!first.isSuccess || !second.isSuccess || known.size === 0 || generated.size === 0)
      throw new Inconclusive("two payments without reference show no references to compare");
    const [same] = [...known].filter((reference) => generated.has(reference));
    if (same !== undefined)
      throw new Violation(
        second,
        `answered the reference ${JSON.stringify(same)} to two payments that came without one`,
        "a reference of its own for each attempt",
      );
  },
);

check("initializeVirtualAccount/status-true", "TITLE", { critical: ["R044"] }, async (ctx) => {
  const { answer, notTested } = await controlOf(ctx, ID);
  if (!answer) throw notTested ?? new Error("a control came to nothing");
  if (answer.status === 200 && answer.field("status") === false)
    throw new Violation(answer, "answered 200 whose status is false", "true, or a rejection with 422");
});

for (const { name, amount } of [
  { name: "negative", amount: "-100" },
  { name: "zero", amount: "0" },
]) {
  shouldRejectCritically(
    `initializeVirtualAccount/amount-${name}`,
    ["R045"],
    { what: `amount is "${amount}"`, field: "amount" },
    (ctx) => {
      ctx.needProbeWrites();
      return sendsInvalid(ID, { body: { amount } })(ctx);
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
  shouldReject(`initializeVirtualAccount/amount-${name}`, ["R042"], {
    change: { body: { amount } },
    what: `amount is "${amount}"`,
    field: "amount",
  });
}

shouldReject("initializeVirtualAccount/email-malformed", ["R041", "R045"], {
  change: { body: { email: "not-an-email" } },
  what: "email is no address",
  field: "email",
});

observes("initializeVirtualAccount/email-of-300-characters", "N43", "an e-mail address of 300 characters", {
  body: { email: `${"a".repeat(288)}@example.com` },
});
observes("initializeVirtualAccount/email-plus", "N40", "an e-mail address with a plus sign", {
  body: { email: "payer+tag@example.com" },
});
observes("initializeVirtualAccount/email-unicode", "N40", "an e-mail address with a non-ASCII local part", {
  body: { email: "ọláìtán@example.com" },
});

check("initializeVirtualAccount/reference-reused", "TITLE", { should: "G07", pays: 1 }, async (ctx) => {
  const first = await requireControl(ctx, ID);
  const again = await sendTolerated(ctx, ID, { body: bodySent(first) }, { planned: true, repeats: [first] });

  const known = accountsIn(first.field("data"));
  const repeated = accountsIn(again.field("data"));
  ctx.observe("G07", `a reference with the same body a second time ${handlingOf(again)}`);
  const isAnother =
    known.size > 0 && repeated.size > 0 && ![...known].some((account) => repeated.has(account));
  if (again.isSuccess && isAnother)
    throw new Violation(again, "opened another account under the same reference", "the first account or 422");
});

check("initializeVirtualAccount/reference-reused-other-amount", "TITLE", { should: "G07" }, async (ctx) => {
  const first = bodySent(await requireControl(ctx, ID));
  const body = { ...first, amount: lessBy(1, first.amount) };
  const answer = await sendTolerated(ctx, ID, { body }, { planned: true });
  expectNoCrash(answer, "a reference comes again with another amount");
  if (answer.looksAccepted)
    throw new Violation(
      answer,
      `${outcomeOf(answer)} to a used reference with another amount`,
      "a rejection",
    );
});

check("initializeVirtualAccount/data", "TITLE", { observe: "N23" }, async (ctx) => {
  const answer = await requireControl(ctx, ID);
  const { reference } = bodySent(answer);
  const data = answer.field("data");
  const isEchoed = typeof reference === "string" && JSON.stringify(data ?? null).includes(reference);
  ctx.observe("N23", `data is ${membersOf(data)}`);
  ctx.observe("N23", `data ${isEchoed ? "echoes" : "does not echo"} the reference`);
});

/** A rejection with 422 and shape B may be about the data; it is the target's fault where the variant went well. */
function judged(answer: Answer, variantAccepted: boolean) {
  return { afterAccepted: variantAccepted, ownData: !answer.isDocumentedError };
}

/** A payment without reference, initialized once per run. */
async function withoutReference(ctx: CheckContext): Promise<Answer> {
  const answer = await ctx.run.once(`${ID}/reference-omitted`, () =>
    ctx.send(ID, { body: { reference: undefined } }),
  );
  ctx.note(answer);
  return answer;
}
