import { handlingOf } from "../../fixtures/http/wording.ts";
import { observes, shouldReject, shouldRejectCritically } from "../../fixtures/judge/check-families.ts";
import { expectNoCrash } from "../../fixtures/judge/matchers.ts";
import { sendTolerated } from "../../fixtures/judge/tolerated.ts";
import { check } from "../../fixtures/run/check.ts";
import { fieldDefect } from "../../schemas/changes.ts";
import { contract } from "../../schemas/contract.ts";
import { FRESH } from "../../schemas/recipe.ts";

const ID = "createPaymentPage";
const { noun } = contract[ID];

for (const [field, name, value, rules] of [
  ["fixedPaymentAmount", "letters", "abc", ["R015"]],
  ["planId", "letters", "abc", ["R015"]],
  ["isPhoneNumber", "maybe", "maybe", ["R015"]],
  ["fixedPaymentAmount", "negative", -1, "G02"],
  ["fixedPaymentAmount", "zero", 0, "G02"],
  ["sendNotificationsToEmail", "malformed", "x", "practice"],
] as const) {
  const isFixed = field === "fixedPaymentAmount" && { isFixedPaymentAmount: true };
  const change = { body: { [field]: value, ...isFixed } };
  shouldReject(`createPaymentPage/${field}-${name}`, rules, { ...fieldDefect(field, value), change });
}

const LINK = "redirectAfterPaymentLink";
const SCRIPT = fieldDefect(LINK, "javascript:alert(1)", `${LINK} is a script`);
shouldRejectCritically("createPaymentPage/redirect-script", "OWASP API8", SCRIPT);

shouldReject("createPaymentPage/customLink-climbing", "practice", {
  change: (ctx) => ({ body: { customLink: `../${ctx.run.builder.fresh()}` } }),
  what: "customLink begins with ../",
  field: "customLink",
});

const AS_JSON = `${noun} is sent as JSON`;
check("createPaymentPage/body-json", `does not crash when ${AS_JSON}`, { should: "G08" }, async (ctx) => {
  ctx.needProbeWrites();
  const draft = ctx.draft(ID);
  const asJson = { draft, contentType: "application/json", bytes: JSON.stringify(draft.body) };
  const answer = await sendTolerated(ctx, ID, {}, asJson);
  expectNoCrash(answer, AS_JSON);
  ctx.observe("G08", `${noun} as JSON ${handlingOf(answer)}`);
});

observes("createPaymentPage/redirect-http", "N40", "a redirect to an http address", {
  body: { redirectAfterPaymentLink: "http://example.com/" },
});
observes("createPaymentPage/fixed-amount-missing", "N40", "isFixedPaymentAmount without fixedPaymentAmount", {
  body: { isFixedPaymentAmount: true },
});
observes("createPaymentPage/extraInformation-repeated", "G15", "extraInformation as a repeated part", {
  body: { extraInformation: ["Size", "Colour"] },
});
observes("createPaymentPage/extraInformation-json", "G15", "extraInformation as a JSON array", {
  body: { extraInformation: '["Size","Colour"]' },
});
observes("createPaymentPage/customLink-with-spaces", "N40", "a customLink with spaces", (ctx) => ({
  body: { customLink: `${ctx.run.builder.fresh()} and more` },
}));
observes(
  "createPaymentPage/customLink-of-300-characters",
  "N43",
  "a customLink of 300 characters",
  (ctx) => ({
    body: { customLink: ctx.run.builder.fresh().padEnd(300, "x") },
  }),
);
observes("createPaymentPage/pageName-html", "N40", "a pageName with HTML", (ctx) => ({
  body: { pageName: `<b>${ctx.run.builder.fresh()}</b>` },
}));
observes("createPaymentPage/form-empty", "N40", `${noun} without any field`, {
  body: { pageType: undefined, pageName: undefined, pageDescription: undefined, customLink: undefined },
});
observes("createPaymentPage/seoImage-text", "N29", "a seoImage that is text instead of a file", {
  body: { seoImage: FRESH },
});
