import {
  type ApiResponse,
  type CheckContext,
  checksUnder,
  demand,
  demandBound,
  demandDone,
  hasInAnyCase,
  undecided,
  withOptionalFields,
} from "../../fixtures/engine/vocabulary.ts";
import { SimpleError } from "../../schemas/bodies.ts";
import { oneOfEachKind } from "../every-operation/values/find-made.ts";
import { subscriptionPage } from "./optional-parts.ts";

const ID = "checkCustomLink";
const check = checksUnder(ID);
const LINK_TAKEN = "the customLink is taken";

check("link-existing", `returns 400 when ${LINK_TAKEN}`, { must: ["R077", "R110"] }, async (ctx) => {
  // Asks right after a free link, which a cache might return instead.
  await ctx.control(ID);
  await demandBound(ctx, ID, {
    what: LINK_TAKEN,
    change: { body: { customLink: ctx.need("EXISTING_CUSTOM_LINK") } },
    status: 400,
    shape: SimpleError,
  });
});

check("not-reserved", "does not reserve the link", { must: ["R076"] }, async (ctx) => {
  const { customLink } = (await ctx.ordinary(ID)).bodySent;
  await demandDone(ctx, await ctx.send(ID, { body: { customLink } }), { ownData: true });
});

const checkAfterWrites = checksUnder(ID, "after-writes");

const TAKEN = "reports the link of a new page as taken";
const EACH_TAKEN = "reports the link of each kind of page that the run created as taken";
checkAfterWrites("created-pages-take-their-links", EACH_TAKEN, { must: ["R077"] }, async (ctx) => {
  // One of several instances may know of the page before the others, so several responses in a row must agree.
  await expectTaken(ctx, await demandDone(ctx, "createPaymentPage"), 4);
  if (ctx.values.PLAN_ID !== undefined) await subscriptionPage(ctx);
  if (ctx.target.allow.probeWrites) await withOptionalFields(ctx, "createPaymentPage");
  for (const page of oneOfEachKind(ctx, "createPaymentPage")) await expectTaken(ctx, page);
});

checkAfterWrites(
  "created-page-takes-its-capitals",
  `${TAKEN} when it has capital letters`,
  { should: ["R077"], probe: true },
  async (ctx) => {
    const customLink = ctx.run.builder.fresh("link").replace("cst", "Cst");
    // A cache may keep that it was free.
    await ctx.send(ID, { body: { customLink } });
    const page = await ctx.sendTolerated("createPaymentPage", { body: { customLink } });
    // The specification does not say which characters a link may have.
    if (page.kind !== "done") undecided(`a customLink with capital letters ${page.fate}`);
    await expectTaken(ctx, page);
  },
);

/** Demands that the link of a page of this run is taken, after SETTLE_SECONDS at the latest, in so many responses in a row. */
async function expectTaken(ctx: CheckContext, page: ApiResponse, times = 1) {
  const customLink = String(page.fieldSent("customLink") ?? "");
  const askOnce = () => ctx.send(ID, { body: { customLink } });
  const ask = async () => {
    let response = await askOnce();
    for (let count = 1; count < times && response.kind !== "done"; count += 1) response = await askOnce();
    return response;
  };
  const response = await ctx.run.settling.until(ask, ({ kind }) => kind !== "done");
  if (response.failure) undecided(response.outcome);
  if (response.kind === "done" && !ctx.target.settleIsPromised)
    undecided("the link of a page created in this run is still free", {
      advice: "set SETTLE_SECONDS to the time after which it must be taken",
    });
  // An API may change the letter case of a link, if its response to the creation says so.
  if (response.kind === "done" && hasInAnyCase(page.text, customLink) && !page.text.includes(customLink))
    ctx.observe(
      "N40",
      "a page gets its customLink in another letter case, and the one that was sent stays free",
    );
  else {
    const actual = `${response.outcome} although a page created in this run has this link`;
    demand(response.status === 400, response, actual, "400", [page]);
  }
}
