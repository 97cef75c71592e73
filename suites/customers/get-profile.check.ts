import { type ApiResponse, checksUnder, demand, skip } from "../../fixtures/engine/vocabulary.ts";
import { responsesOf } from "../every-operation/answers/recorded.ts";
import { identityIn } from "../every-operation/authentication/credentials.ts";

const ID = "getProfile";
const check = checksUnder(ID);

check("body-json", "returns a profile as JSON or no body", { should: "N17" }, async (ctx) => {
  const response = await ctx.ordinary(ID);
  const { bytes, jsonProblem, status } = response;
  const hasBody = bytes.length > 0;
  const actual = `${response.outcome}, where ${jsonProblem?.text}`;
  demand(!hasBody || !jsonProblem, response, actual, "JSON or no body");
  ctx.observe("N17", `the profile is returned with ${status} and ${hasBody ? "a body" : "no body"}`);
});

check("no-secret-key", "shows no secret key", { critical: "OWASP API3" }, async (ctx) => {
  const response = await ctx.ordinary(ID);
  const { secretKey, values } = ctx.target;
  const keys = [secretKey, values.SECOND_SECRET_KEY, values.REVOKED_KEY].filter((key) => key !== undefined);
  const isShown = keys.some((key) => response.text.includes(key));
  demand(!isShown, response, "shows a secret key in the profile", "a profile without secrets");
});

const APART = "shows each of two merchants its own profile";
check("merchants-are-apart", APART, { critical: "OWASP API1", scope: "second-merchant" }, async (ctx) => {
  const { other: merchant } = ctx;
  const own = await ctx.ordinary(ID);
  const other = await merchant.profile();
  // The body is undocumented: what it says of the service, such as its mode, is the same for all merchants.
  const identifying = identityIn(own).map(([path]) => path);
  if (identifying.length === 0)
    skip("the profile has no field whose name says that it identifies a merchant");
  const isSame = isSameText(own, other);
  const actual = `returned the same profile to two merchants, with the same ${identifying.join(", ")}`;
  demand(!isSame, other, actual, "the profile of the merchant whose key it is", [own]);
  // A service that keeps the merchant outside of the request mixes up those that ask at the same moment.
  const [mine, theirs] = await Promise.all([ctx.send(ID), merchant.send(ID)]);
  for (const [one, alone, stranger] of [
    [mine, own, other],
    [theirs, other, own],
  ] as const) {
    const isStrangers = isSameText(one, stranger) && !isSameText(one, alone);
    const actual = "returned the profile of another merchant, who asked for it at the same moment";
    demand(!isStrangers, one, actual, "the profile of the merchant whose key it is", [alone, stranger]);
  }
});

check("steady", "difference between two profiles in a row", { observe: "N17" }, async (ctx) => {
  const first = await ctx.ordinary(ID);
  const second = await ctx.send(ID);
  const isSame = isSameText(first, second);
  ctx.observe("N17", `apart from times, two profiles in a row are ${isSame ? "the same" : "different"}`);
});

check("mode", "mode, test or live, that the profile names", { observe: "N17" }, async (ctx) => {
  const { text } = await ctx.ordinary(ID);
  const words = ["test", "live"].filter((word) => new RegExp(`(?<![\\w@.])${word}\\b`, "i").test(text));
  const found = words.length > 0 ? `has the word ${words.join(" and ")}` : "names no mode";
  ctx.observe("N17", `the profile ${found}`);
});

const isSameText = (one: ApiResponse, other: ApiResponse) =>
  withoutTimes(one.text) === withoutTimes(other.text);

/** Removes from a body what shows when it was made: dates with a time, and seconds or milliseconds since 1970. */
const withoutTimes = (text: string) =>
  text.replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d[\d:.]*(Z|[+-]\d\d:?\d\d)?|\b1\d{9}(\d{3})?\b/g, "");

const checkAnswers = checksUnder("getProfile/answers", "late");
const SOFTWARE = /^(server|via|x-(powered-by|aspnet\S*|runtime|generator|version))$/i;
const REQUEST_ID = /^(x-)?(request|correlation|trace)-?id$|^traceparent$/i;

checkAnswers("server-headers", "software that headers name", { observe: "G09" }, async (ctx) => {
  await responsesOf(ctx, "getProfile");
  const found = headersIn(ctx.run.allResponses, SOFTWARE, (value) => `: ${value}`);
  const seen = found.join("; ");
  ctx.observe("G09", seen ? `headers name the software: ${seen}` : "no header names the software");
});

const REQUEST_IDS = "request id in the headers of a response";
checkAnswers("request-id", REQUEST_IDS, { observe: "G09" }, async (ctx) => {
  const found = headersIn(await responsesOf(ctx, "getProfile"), REQUEST_ID, (value, { requestId }) =>
    value === requestId ? " as sent" : " of its own",
  );
  const seen = found.join(", ");
  ctx.observe("G09", seen ? `responses carry ${seen}` : "responses carry no request id");
});

/** The different headers of these names; `say` makes words of a value, which follow the name. */
function headersIn(
  responses: readonly ApiResponse[],
  names: RegExp,
  say: (value: string, of: ApiResponse) => string,
) {
  const found = responses.flatMap((response) =>
    response.headers
      .filter(([name]) => names.test(name))
      .map(([name, value]) => name.toLowerCase() + say(value, response)),
  );
  return [...new Set(found)].toSorted();
}

const HTTPS = "is reached over https, unless it runs on this machine";
check("http/https", HTTPS, { phase: "probes", should: "OWASP API8" }, async (ctx) => {
  const { protocol, host } = new URL(ctx.target.baseUrl);
  const { response } = await ctx.control("getProfile");
  if (response) demand(ctx.target.isPrivate, response, `is reached over ${protocol}//${host}`, "https");
});
