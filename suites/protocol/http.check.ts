import { isLoopback } from "../../fixtures/config/target.ts";
import type { Answer } from "../../fixtures/http/answer.ts";
import type { Draft } from "../../fixtures/http/build.ts";
import { Inconclusive } from "../../fixtures/http/findings.ts";
import { outcomeOf } from "../../fixtures/http/wording.ts";
import { expectAnswered, expectNoCrash, expectThat } from "../../fixtures/judge/matchers.ts";
import { check } from "../../fixtures/run/check.ts";
import type { CheckContext, SendOptions } from "../../fixtures/run/check-context.ts";
import { controlOf } from "../../fixtures/run/control.ts";
import { type OperationId, operations } from "../../schemas/contract.ts";
import type { Change } from "../../schemas/operation.ts";
import { consentToRepeat } from "./consent.ts";
import { jsonOperations } from "./json-operations.ts";

// A refund uses up a transaction, so its forms are not tried.
for (const { id, noun, effect } of jsonOperations.filter(({ singleUse }) => typeof singleUse !== "object")) {
  check(
    `${id}/http/charset`,
    `accepts ${noun} with the Content-Type application/json; charset=utf-8`,
    { should: ["R023"], ...consentToRepeat(id) },
    async (ctx) => {
      const contentType = "application/json; charset=utf-8";
      const answer = await sendAs(ctx, id, () => ({ contentType }));
      if (answer.isSuccess) return;
      const outcome = `${outcomeOf(answer)} for the Content-Type ${contentType}`;
      const { accepted } = await controlOf(ctx, id);
      if (!accepted)
        throw new Inconclusive(
          `${outcome}, but the same request without charset was not accepted either`,
          `${id}/accepted`,
        );
      if (effect === "update" && answer.status !== 415)
        throw new Inconclusive(`${outcome}: the data may have been used before`, `${id}/accepted`);
      expectThat(false, answer, outcome, "the same as for application/json");
    },
  );

  check(
    `${id}/http/content-type`,
    "accepts or rejects a JSON body as text/plain, without a Content-Type, and as a form",
    { observe: "G08", ...consentToRepeat(id, 3) },
    async (ctx) => {
      const plain = await sendAs(ctx, id, () => ({ contentType: "text/plain" }));
      const none = await sendAs(ctx, id, () => ({ contentType: null }));
      const form = await sendAs(ctx, id, ({ body }) => ({
        contentType: "application/x-www-form-urlencoded",
        bytes: new URLSearchParams(
          Object.entries(body ?? {}).map(([name, value]) => [name, String(value)]),
        ).toString(),
      }));
      ctx.observe(
        "G08",
        `a valid body as text/plain is ${fateOf(plain)}, without Content-Type ${fateOf(none)}, as a form ${fateOf(form)}`,
      );
    },
  );

  check(
    `${id}/http/unknown-field`,
    `does not crash when ${noun} has an undocumented field`,
    { should: "G08", ...consentToRepeat(id) },
    async (ctx) => {
      const answer = await sendAs(ctx, id, () => ({}), { body: { conformanceNote: "no such field" } });
      ctx.observe("G08", `an undocumented field is ${fateOf(answer)}`);
      expectNoCrash(answer, "only an undocumented field was added");
    },
  );

  check(
    `${id}/http/duplicate-keys`,
    `does not crash when ${noun} has the same JSON key twice`,
    { should: "G08", ...consentToRepeat(id) },
    async (ctx) => {
      const answer = await sendAs(ctx, id, ({ body }) => ({ bytes: withFirstMemberTwice(body ?? {}) }));
      ctx.observe("G08", `a repeated JSON key is ${fateOf(answer)}`);
      expectNoCrash(answer, "only one JSON key was repeated");
    },
  );
}

for (const { id, method, effect, contentType } of operations) {
  if (method === "POST") {
    check(
      `${id}/http/get`,
      "does not carry out a GET on a POST path",
      { should: "RFC 9110" },
      async (ctx) => {
        const draft = { ...ctx.run.builder.build(id), body: null, stake: undefined };
        const answer = await ctx.dispatch(id, draft, { method: "GET", contentType: null });
        expectAnswered(answer);
        expectThat(!answer.is2xx, answer, `${outcomeOf(answer)} for GET`, "404 or 405");
      },
    );
  }
  if (effect !== "read") continue;

  check(
    `${id}/http/forms`,
    "answers a trailing slash, HEAD, OPTIONS and other Accept headers",
    { observe: "G08" },
    async (ctx) => {
      const slash = await sendAs(ctx, id, () => ({ pathSuffix: "/" }));
      const head = await sendAs(ctx, id, () => ({ method: "HEAD", contentType: null }), { body: null });
      const options = await sendAs(ctx, id, () => ({ method: "OPTIONS", contentType: null }), { body: null });
      const xml = await sendAs(ctx, id, () => ({ accept: "application/xml" }));
      const gzip = await sendAs(ctx, id, () => ({ headers: [["Accept-Encoding", "gzip"]] }));
      const encoding = gzip.header("content-encoding") ?? "identity";
      ctx.observe(
        "G08",
        `a trailing slash gets ${slash.status}, HEAD ${head.status}, OPTIONS ${options.status}, Accept: application/xml ${xml.status}, Accept-Encoding: gzip the encoding ${encoding}`,
      );
    },
  );

  if (contentType !== "none") continue;
  check(
    `${id}/http/unknown-parameter`,
    "does not crash when an undocumented query parameter is added",
    { should: "G08" },
    async (ctx) => {
      const answer = await sendAs(ctx, id, () => ({}), { query: { conformanceNote: "none" } });
      ctx.observe("G08", `an undocumented query parameter is ${fateOf(answer)}`);
      expectNoCrash(answer, "only an undocumented query parameter was added");
    },
  );
}

check(
  "getProfile/http/https",
  "is reached over https, unless it runs on this machine",
  { critical: "OWASP API8" },
  async (ctx) => {
    const { protocol, hostname, host } = new URL(ctx.target.baseUrl);
    const { answer } = await controlOf(ctx, "getProfile");
    if (answer)
      expectThat(
        protocol === "https:" || isLoopback(hostname),
        answer,
        `is reached over ${protocol}//${host}`,
        "https",
      );
  },
);

/** Sends a valid request in another form, with the operator's consent if a target could carry it out. */
async function sendAs(
  ctx: CheckContext,
  id: OperationId,
  form: (valid: Draft) => SendOptions,
  change: Change = {},
): Promise<Answer> {
  const draft = ctx.draft(id, change);
  const answer = await ctx.dispatch(id, draft, form(draft));
  expectAnswered(answer);
  return answer;
}

const fateOf = (answer: Answer) => (answer.isSuccess ? "accepted" : "rejected");

/** A JSON object whose first member is written a second time, with the same value. */
function withFirstMemberTwice(body: Readonly<Record<string, unknown>>): string {
  const members = Object.entries(body).map(
    ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`,
  );
  return `{${[...members.slice(0, 1), ...members].join(",")}}`;
}
