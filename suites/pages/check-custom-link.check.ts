import {
  checksUnder,
  demand,
  demandBound,
  demandDone,
  demandNoCrash,
  observes,
} from "../../fixtures/engine/vocabulary.ts";
import { SimpleError } from "../../schemas/bodies.ts";

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

const LONGER = "a link that only begins like an existing one";
check("link-longer", `reports ${LONGER} as free`, { should: ["R076"] }, async (ctx) => {
  const customLink = `${ctx.need("EXISTING_CUSTOM_LINK")}-${ctx.run.builder.fresh()}`;
  const response = await ctx.send(ID, { body: { customLink } });
  demand(response.isSuccess, response, `${response.outcome} for ${LONGER}`, "200");
});

observes("checkCustomLink/link-in-other-case", "N40", "a taken link in another letter case", (ctx) => ({
  body: { customLink: inOtherCase(ctx.need("EXISTING_CUSTOM_LINK")) },
}));
observes("checkCustomLink/link-with-slash", "N40", "a taken link with a slash at its end", (ctx) => ({
  body: { customLink: `${ctx.need("EXISTING_CUSTOM_LINK")}/` },
}));

check("link-of-10-kB", "does not crash when customLink has 10 kB", { should: "N43" }, async (ctx) => {
  const response = await ctx.sendInvalid(ID, { body: { customLink: "l".repeat(10_000) } });
  demandNoCrash(response, "customLink has 10 kB");
});

const inOtherCase = (link: string) => (link === link.toUpperCase() ? link.toLowerCase() : link.toUpperCase());
