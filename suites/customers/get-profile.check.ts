import { Violation } from "../../fixtures/http/findings.ts";
import { outcomeOf } from "../../fixtures/http/wording.ts";
import { check } from "../../fixtures/run/check.ts";
import { requireControl } from "../../fixtures/run/control.ts";
import { sendWithRetry } from "../../fixtures/run/sending.ts";
import { withoutTimes } from "./timestamps.ts";

check("getProfile/body-json", "TITLE", { should: "N17" }, async (ctx) => {
  const answer = await requireControl(ctx, "getProfile");
  if (answer.bytes.length > 0 && answer.jsonProblem)
    throw new Violation(answer, `${outcomeOf(answer)}, and ${answer.jsonProblem}`, "JSON, or no body");
  ctx.observe("N17", `the profile is answered with ${answer.status} and ${bodyOf(answer.bytes.length)}`);
});

check("getProfile/no-secret-key", "TITLE", { critical: "OWASP API3" }, async (ctx) => {
  const answer = await requireControl(ctx, "getProfile");
  const { secretKey, values } = ctx.target;
  const keys = [secretKey, values.SECOND_SECRET_KEY, values.REVOKED_KEY].filter((key) => key !== undefined);
  if (keys.some((key) => answer.text.includes(key)))
    throw new Violation(answer, "shows a secret key in the profile", "a profile without secrets");
});

check("getProfile/steady", "TITLE", { observe: "N17" }, async (ctx) => {
  const first = await requireControl(ctx, "getProfile");
  const second = await sendWithRetry(ctx, "getProfile");
  const isSame = withoutTimes(first.text) === withoutTimes(second.text);
  ctx.observe("N17", `two profiles in a row ${isSame ? "agree" : "differ"}, times aside`);
});

check("getProfile/mode", "TITLE", { observe: "N17" }, async (ctx) => {
  const { text } = await requireControl(ctx, "getProfile");
  const words = ["test", "live"].filter((word) => new RegExp(`\\b${word}\\b`, "i").test(text));
  ctx.observe(
    "N17",
    `the profile ${words.length > 0 ? `speaks of ${words.join(" and ")}` : "names no mode"}`,
  );
});

const bodyOf = (length: number) => (length > 0 ? "a body" : "no body");
