import { isStatus2xx } from "../../fixtures/classify.ts";
import { check } from "../../fixtures/test.ts";
import { outcomeOf, violation } from "../../fixtures/wording.ts";
import { operations } from "../../schemas/contract.ts";
import { answerTo, fateOf } from "./credential-answers.ts";
import { unknownKey } from "./credentials.ts";

// A working key in a form the specification does not speak of, sent to reads alone.
for (const { id, effect } of operations) {
  if (effect !== "read") continue;

  check(`${id}/auth/lower-case-scheme`, { level: "SHOULD", source: "RFC 9110" }, async (bench) => {
    const authorization = `bearer ${bench.target.secretKey}`;
    const answer = await answerTo(bench, id, "lower-case-scheme", { authorization });
    bench.observe("G20", `the scheme in lower case is ${fateOf(answer)}`);
    if (answer.status === 401 || answer.status === 403)
      throw violation(answer, `${outcomeOf(answer)} to the scheme in lower case`, "no regard for its case");
  });

  check(`${id}/auth/publishable-key`, { level: "OBSERVE", source: "N32" }, async (bench) => {
    const authorization = `Bearer ${bench.need("PUBLISHABLE_KEY")}`;
    const answer = await answerTo(bench, id, "publishable-key", { authorization });
    bench.observe("N32", `a publishable key is ${fateOf(answer)}`, {
      alarming: isStatus2xx(answer) || undefined,
    });
  });

  check(`${id}/auth/repeated-header`, { level: "OBSERVE", source: "G08" }, async (bench) => {
    const other = ["Authorization", `Bearer ${unknownKey(bench.run.settings.runId)}`] as const;
    const answer = await answerTo(bench, id, "repeated-header", { headers: [other] });
    bench.observe("G08", `a valid Authorization header followed by an invalid one is ${fateOf(answer)}`);
  });

  check(`${id}/auth/white-space`, { level: "OBSERVE", source: "G20" }, async (bench) => {
    const key = bench.target.secretKey;
    const around = await answerTo(bench, id, "spaces-around", { authorization: `  Bearer ${key}  ` });
    const tab = await answerTo(bench, id, "tab-after-scheme", { authorization: `Bearer\t${key}` });
    const twice = await answerTo(bench, id, "two-spaces", { authorization: `Bearer  ${key}` });
    bench.observe(
      "G20",
      `white space: around the header's value ${fateOf(around)}, a tab after the scheme ${fateOf(tab)}, two spaces ${fateOf(twice)}`,
    );
  });
}
