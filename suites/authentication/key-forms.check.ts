import { outcomeOf } from "../../fixtures/http/wording.ts";
import { expectThat } from "../../fixtures/judge/matchers.ts";
import { checksUnder } from "../../fixtures/run/check.ts";
import { operations } from "../../schemas/contract.ts";
import { answerTo, fateOf, isUnauthenticated } from "./credential-answers.ts";
import { unknownKey } from "./credentials.ts";

// A working key in forms that the specification leaves open; only reads get it.
for (const { id, effect } of operations) {
  if (effect !== "read") continue;
  const check = checksUnder(`${id}/auth`);

  const lowerCase = "accepts the scheme Bearer in lower case";
  check("lower-case-scheme", lowerCase, { should: "RFC 9110" }, async (ctx) => {
    const authorization = `bearer ${ctx.target.secretKey}`;
    const answer = await answerTo(ctx, id, "lower-case-scheme", { authorization });
    ctx.observe("G20", `the scheme in lower case is ${fateOf(answer)}`);
    const isAccepted = !isUnauthenticated(answer);
    expectThat(isAccepted, answer, `${outcomeOf(answer)} for the scheme in lower case`, "any letter case");
  });

  check("publishable-key", "accepts or rejects a publishable key", { observe: "N32" }, async (ctx) => {
    const authorization = `Bearer ${ctx.need("PUBLISHABLE_KEY")}`;
    const answer = await answerTo(ctx, id, "publishable-key", { authorization });
    ctx.observe("N32", `a publishable key is ${fateOf(answer)}`, { alarming: answer.is2xx || undefined });
  });

  const repeated = "a valid Authorization header followed by an invalid one";
  check("repeated-header", `accepts or rejects ${repeated}`, { observe: "G08" }, async (ctx) => {
    const other = ["Authorization", `Bearer ${unknownKey(ctx.run.settings.runId)}`] as const;
    const answer = await answerTo(ctx, id, "repeated-header", { headers: [other] });
    ctx.observe("G08", `${repeated} is ${fateOf(answer)}`);
  });

  const whiteSpace = "accepts or rejects extra white space in the Authorization header";
  check("white-space", whiteSpace, { observe: "G20" }, async (ctx) => {
    const key = ctx.target.secretKey;
    const around = await answerTo(ctx, id, "spaces-around", { authorization: `  Bearer ${key}  ` });
    const tab = await answerTo(ctx, id, "tab-after-scheme", { authorization: `Bearer\t${key}` });
    const twice = await answerTo(ctx, id, "two-spaces", { authorization: `Bearer  ${key}` });
    ctx.observe(
      "G20",
      `white space: around the header's value ${fateOf(around)}, a tab after the scheme ${fateOf(tab)}, two spaces ${fateOf(twice)}`,
    );
  });
}
