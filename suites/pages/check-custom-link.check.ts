import { Violation } from "../../fixtures/http/findings.ts";
import { bodySent } from "../../fixtures/http/sent.ts";
import { outcomeOf } from "../../fixtures/http/wording.ts";
import { observes } from "../../fixtures/judge/check-families.ts";
import { sendAccepted } from "../../fixtures/judge/expect-accepted.ts";
import { expectBoundAnswer } from "../../fixtures/judge/expect-rejected.ts";
import { expectAnswered, expectNoCrash } from "../../fixtures/judge/matchers.ts";
import { check } from "../../fixtures/run/check.ts";
import { requireControl } from "../../fixtures/run/control.ts";
import { sendInvalidWithRetry, sendWithRetry } from "../../fixtures/run/sending.ts";
import { SimpleError } from "../../schemas/errors.ts";

const ID = "checkCustomLink";

check("checkCustomLink/link-existing", "TITLE", { must: ["R077", "R110"] }, (ctx) =>
  expectBoundAnswer(ctx, ID, {
    id: "link-existing",
    what: "a page has this customLink",
    change: { body: { customLink: ctx.need("EXISTING_CUSTOM_LINK") } },
    status: 400,
    shape: SimpleError,
    requirements: ["R077"],
  }),
);

check("checkCustomLink/not-reserved", "TITLE", { must: ["R076"] }, async (ctx) => {
  const { customLink } = bodySent(await requireControl(ctx, ID));
  await sendAccepted(ctx, ID, { body: { customLink } }, { ownData: true });
});

check("checkCustomLink/link-longer", "TITLE", { should: ["R076"] }, async (ctx) => {
  const customLink = `${ctx.need("EXISTING_CUSTOM_LINK")}-${ctx.run.builder.fresh()}`;
  const answer = await sendWithRetry(ctx, ID, { body: { customLink } });
  expectAnswered(answer);
  if (!answer.isSuccess)
    throw new Violation(
      answer,
      `${outcomeOf(answer)} to a link that only begins like an existing one`,
      "200",
    );
});

observes("checkCustomLink/link-in-other-case", "N40", "a taken link in other letter case", (ctx) => ({
  body: { customLink: inOtherCase(ctx.need("EXISTING_CUSTOM_LINK")) },
}));
observes("checkCustomLink/link-with-slash", "N40", "a taken link with a slash at its end", (ctx) => ({
  body: { customLink: `${ctx.need("EXISTING_CUSTOM_LINK")}/` },
}));

check("checkCustomLink/link-of-10-kB", "TITLE", { should: "N43" }, async (ctx) => {
  const answer = await sendInvalidWithRetry(ctx, ID, { body: { customLink: "l".repeat(10_000) } });
  expectNoCrash(answer, "the link has 10 kB");
});

const inOtherCase = (link: string) => (link === link.toUpperCase() ? link.toLowerCase() : link.toUpperCase());
