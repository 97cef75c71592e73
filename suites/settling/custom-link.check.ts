import type { Answer } from "../../fixtures/http/answer.ts";
import { Inconclusive } from "../../fixtures/http/findings.ts";
import { partSent } from "../../fixtures/http/sent.ts";
import { handlingOf, outcomeOf } from "../../fixtures/http/wording.ts";
import { acceptedControl } from "../../fixtures/judge/expect-accepted.ts";
import { expectAnswered, expectStatus, showingToo } from "../../fixtures/judge/matchers.ts";
import { sendTolerated } from "../../fixtures/judge/tolerated.ts";
import { check } from "../../fixtures/run/check.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { sendWithRetry } from "../../fixtures/run/sending.ts";
import { hasInAnyCase } from "./shown.ts";

check(
  "checkCustomLink/created-page-takes-its-link",
  "reports the link of a new page as taken",
  { must: ["R077"] },
  async (ctx) => expectTaken(ctx, await acceptedControl(ctx, "createPaymentPage")),
);

check(
  "checkCustomLink/created-page-takes-its-capitals",
  "reports the link of a new page as taken when it has capital letters",
  { should: ["R077"], probe: true },
  async (ctx) => {
    const customLink = ctx.run.builder.fresh("link").replace("cst", "Cst");
    const page = await sendTolerated(ctx, "createPaymentPage", { body: { customLink } });
    // The specification does not say which characters a link may have.
    if (!page.isSuccess) throw new Inconclusive(`a customLink with capital letters ${handlingOf(page)}`);
    await expectTaken(ctx, page);
  },
);

/** Demands that the link of a page of this run is taken, after SETTLE_SECONDS at the latest. */
async function expectTaken(ctx: CheckContext, page: Answer) {
  const customLink = partSent(page, "customLink") ?? "";
  const ask = () => sendWithRetry(ctx, "checkCustomLink", { body: { customLink } });
  const answer = await ctx.run.settling.until(ask, ({ isSuccess }) => !isSuccess);
  expectAnswered(answer);
  if (answer.failure) throw new Inconclusive(outcomeOf(answer));
  if (answer.isSuccess && !ctx.target.settleIsPromised)
    throw new Inconclusive("the link of a page created in this run is still free", {
      advice: "set SETTLE_SECONDS to the time after which it must be taken",
    });
  // An API may change the letter case of a link, if its response to the creation says so.
  if (answer.isSuccess && hasInAnyCase(page.text, customLink) && !page.text.includes(customLink))
    ctx.warn("gave a page its link in another letter case, so the link as it was sent is still free");
  else
    await showingToo([page], async () =>
      expectStatus(answer, 400, "a page created in this run has this link"),
    );
}
