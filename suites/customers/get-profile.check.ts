import { type ApiResponse, checksUnder, demand, skip } from "../../fixtures/engine/vocabulary.ts";
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

/** How often both merchants ask at the same moment. */
const PAIRS = 3;

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
  const asked = Array.from({ length: PAIRS }, () => [ctx.send(ID), merchant.send(ID)]).flat();
  for (const one of await Promise.all(asked)) {
    const [alone, stranger] = one.isSentWith(ctx.target.secretKey) ? [own, other] : [other, own];
    const isStrangers = isSameText(one, stranger) && !isSameText(one, alone);
    const actual = "returned the profile of another merchant, who asked for it at the same moment";
    demand(!isStrangers, one, actual, "the profile of the merchant whose key it is", [alone, stranger]);
  }
});

const isSameText = (one: ApiResponse, other: ApiResponse) =>
  withoutTimes(one.text) === withoutTimes(other.text);

/** Removes from a body what shows when it was made: dates with a time, and seconds or milliseconds since 1970. */
const withoutTimes = (text: string) =>
  text.replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d[\d:.]*(Z|[+-]\d\d:?\d\d)?|\b1\d{9}(\d{3})?\b/g, "");

const HTTPS = "is reached over https, unless it runs on this machine";
check("http/https", HTTPS, { phase: "probes", should: "OWASP API8" }, async (ctx) => {
  const { protocol, host } = new URL(ctx.target.baseUrl);
  const { response } = await ctx.control("getProfile");
  if (response) demand(ctx.target.isPrivate, response, `is reached over ${protocol}//${host}`, "https");
});
