import { explore, handlingOf, judgeNoBreakdown } from "../../fixtures/leeway.ts";
import { attempts, discourages, discouragesCritically, observes } from "../../fixtures/leeway-checks.ts";
import { check } from "../../fixtures/test.ts";
import { FRESH } from "../../schemas/operation.ts";

const ODD_VALUES = [
  { field: "fixedPaymentAmount", name: "letters", value: "abc", requirements: ["R015"] },
  { field: "planId", name: "letters", value: "abc", requirements: ["R015"] },
  { field: "isPhoneNumber", name: "maybe", value: "maybe", requirements: ["R015"] },
  { field: "fixedPaymentAmount", name: "negative", value: -1, source: "G02" },
  { field: "fixedPaymentAmount", name: "zero", value: 0, source: "G02" },
  { field: "sendNotificationsToEmail", name: "malformed", value: "x", source: "practice" },
] as const;

for (const { field, name, value, ...basis } of ODD_VALUES) {
  discourages(`createPaymentPage/${field}-${name}`, basis, {
    change: {
      body: { [field]: value, ...(field === "fixedPaymentAmount" && { isFixedPaymentAmount: true }) },
    },
    what: `${field} is ${value}`,
    field,
  });
}

discouragesCritically(
  "createPaymentPage/redirect-script",
  { source: "OWASP API8" },
  { what: "redirectAfterPaymentLink is a script", field: "redirectAfterPaymentLink" },
  (bench) => {
    bench.needProbeWrites();
    return attempts("createPaymentPage", { body: { redirectAfterPaymentLink: "javascript:alert(1)" } })(
      bench,
    );
  },
);

discourages(
  "createPaymentPage/customLink-climbing",
  { source: "practice" },
  {
    change: (bench) => ({ body: { customLink: `../${bench.run.builder.fresh()}` } }),
    what: "customLink climbs out of its folder",
    field: "customLink",
  },
);

check("createPaymentPage/body-json", { level: "SHOULD", source: "G08" }, async (bench) => {
  bench.needProbeWrites();
  const draft = bench.draft("createPaymentPage");
  const asJson = { draft, contentType: "application/json", bytes: JSON.stringify(draft.body) };
  const answer = await explore(bench, "createPaymentPage", {}, asJson);
  judgeNoBreakdown(answer, "the page is sent as JSON");
  bench.observe("G08", `a page sent as JSON ${handlingOf(answer)}`);
});

observes("createPaymentPage/redirect-http", "N40", "a redirect to an http address", {
  body: { redirectAfterPaymentLink: "http://example.com/" },
});
observes("createPaymentPage/fixed-amount-missing", "N40", "a fixed amount that is left out", {
  body: { isFixedPaymentAmount: true },
});
observes("createPaymentPage/extraInformation-repeated", "G15", "extraInformation as a repeated part", {
  body: { extraInformation: ["Size", "Colour"] },
});
observes("createPaymentPage/extraInformation-json", "G15", "extraInformation as a JSON array", {
  body: { extraInformation: '["Size","Colour"]' },
});
observes("createPaymentPage/customLink-with-spaces", "N40", "a customLink with spaces", (bench) => ({
  body: { customLink: `${bench.run.builder.fresh()} and more` },
}));
observes(
  "createPaymentPage/customLink-of-300-characters",
  "N43",
  "a customLink of 300 characters",
  (bench) => ({
    body: { customLink: bench.run.builder.fresh().padEnd(300, "x") },
  }),
);
observes("createPaymentPage/pageName-html", "N40", "a pageName with HTML", (bench) => ({
  body: { pageName: `<b>${bench.run.builder.fresh()}</b>` },
}));
observes("createPaymentPage/form-empty", "N40", "a form without any field", {
  body: { pageType: undefined, pageName: undefined, pageDescription: undefined, customLink: undefined },
});
observes("createPaymentPage/seoImage-text", "N29", "a seoImage that is text and no file", {
  body: { seoImage: FRESH },
});
