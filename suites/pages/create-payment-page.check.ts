import {
  type CheckContext,
  checksUnder,
  demandBody,
  demandDone,
  demandNotDone,
  demandNotRequired,
  rejects,
  skip,
} from "../../fixtures/engine/vocabulary.ts";
import { contract } from "../../schemas/contract.ts";
import { rejectsOtherMerchantsRecord } from "../every-operation/authentication/credentials.ts";
import { freshAfterWrite } from "../every-operation/repeats/fresh-after-write.ts";
import { oddValues } from "../every-operation/requests/odd-values.ts";
import { observesMembers } from "../every-operation/requests/writes.ts";
import { expectImageAccepted, expectTexts, pageType, subscriptionPage, weighPlan } from "./optional-parts.ts";

const ID = "createPaymentPage";
const check = checksUnder(ID);
const { noun } = contract[ID];

const TEXT_FIELDS = `accepts ${noun} with a redirect, a success message and a notification address`;
check("text-fields", TEXT_FIELDS, { must: ["R015", "R071"] }, expectTexts);

const PLAN_ID_NOT_DEMANDED = `accepts ${noun} without planId when pageType is not Subscription`;
check("planId-not-demanded", PLAN_ID_NOT_DEMANDED, { must: ["R070"] }, async (ctx) => {
  const pageType = ctx.need("PAGE_TYPE");
  if (/subscri|recurr|plan/i.test(pageType))
    skip(`set PAGE_TYPE to a type that needs no plan: ${pageType} seems to need one`, "variable", [
      "PAGE_TYPE",
    ]);
  await demandNotRequired(ctx, ID, () => ({ body: { planId: ctx.need("PLAN_ID") } }), ["PLAN_ID"]);
});

const WITH_PLAN = "accepts a payment page with pageType Subscription and planId";
check("subscription", WITH_PLAN, { must: ["R015", "R070", "R073"] }, async (ctx) =>
  demandDone(ctx, await subscriptionPage(ctx)),
);

for (const [name, planId, problem, must] of [
  ["without-planId", undefined, "planId is missing", ["R070", "R074", "R107"]],
  ["planId-letters", "abc", 'planId is "abc"', ["R015", "R070"]],
] as const) {
  const what = `${problem} and pageType is Subscription`;
  rejects(
    `createPaymentPage/subscription-${name}`,
    { must },
    {
      change: { body: { pageType, planId } },
      what,
      status: 400,
      judge: async (ctx, response) => {
        demandNotDone(response, what);
        if (planId === undefined) demandBody(response);
        await weighPlan(ctx, response.text);
      },
    },
  );
}

rejectsOtherMerchantsRecord(ID, "plan", (ctx) => ({ pageType, planId: ctx.need("PLAN_ID") }));

const SEO_IMAGE = `accepts ${contract[ID].noun} with a seoImage, or rejects the image with a 4xx`;
check("seoImage", SEO_IMAGE, { should: ["R071", "R072"] }, expectImageAccepted);

const LINK = "redirectAfterPaymentLink";
const withFixed = (amount: unknown) => ({ fixedPaymentAmount: amount, isFixedPaymentAmount: true });
const withLink =
  (write: (fresh: string) => string) =>
  ({ run }: CheckContext) => ({ customLink: write(run.builder.fresh()) });

oddValues(ID, {
  rejected: [
    ["fixedPaymentAmount-letters", ["R015"], withFixed("abc"), 'fixedPaymentAmount is "abc"'],
    ["fixedPaymentAmount-negative", "G02", withFixed(-1), "fixedPaymentAmount is -1"],
    ["fixedPaymentAmount-zero", "G02", withFixed(0), "fixedPaymentAmount is 0"],
    ["planId-letters", ["R015"], { planId: "abc" }],
    ["isPhoneNumber-maybe", ["R015"], { isPhoneNumber: "maybe" }],
    ["sendNotificationsToEmail-malformed", "practice", { sendNotificationsToEmail: "x" }],
    ["customLink-climbing", "practice", withLink((fresh) => `../${fresh}`), "customLink begins with ../"],
  ],
  // biome-ignore format: a table
  apart: [
    ["redirect-script", "OWASP API8", { [LINK]: "javascript:alert(1)" }, `${LINK} is a script`],
  ],
  // biome-ignore format: a table
  open: [
    ["redirect-http", "N40", "a redirect to an http address", { [LINK]: "http://example.com/" }],
    ["fixed-amount-missing", "N40", "isFixedPaymentAmount without fixedPaymentAmount", { isFixedPaymentAmount: true }],
    ["extraInformation-repeated", "G15", "extraInformation as a repeated part", { extraInformation: ["Size", "Colour"] }],
    ["extraInformation-json", "G15", "extraInformation as a JSON array", { extraInformation: '["Size","Colour"]' }],
    ["pageType-omitted", "N40", "a payment page without pageType", { pageType: undefined }],
    ["customLink-omitted", "N40", "a payment page without customLink", { customLink: undefined }],
    ["customLink-with-spaces", "N40", "a customLink with spaces", withLink((fresh) => `${fresh} and more`)],
    ["customLink-of-300-characters", "N43", "a customLink of 300 characters", withLink((fresh) => fresh.padEnd(300, "x"))],
  ],
});

observesMembers(ID, "record", "N06", "data", "data of a payment page");

// A second record cannot have the same link.
rejects(
  `${ID}/customLink-repeated`,
  { should: "N40" },
  { what: "the customLink is taken", after: (first) => ({ customLink: first.fieldSent("customLink") }) },
);

freshAfterWrite(ID, { must: ["R077"] });
