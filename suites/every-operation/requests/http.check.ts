import { isLoopback } from "../../../fixtures/engine/config/interlocks.ts";
import { isField, sendNextRow } from "../../../fixtures/engine/judge/rows.ts";
import {
  type ApiResponse,
  type CheckContext,
  checksIn,
  checksUnder,
  demand,
  demandNoCrash,
  demandRejected,
  type SendOptions,
} from "../../../fixtures/engine/vocabulary.ts";
import { jsonOperations, type OperationId, operations } from "../../../schemas/contract.ts";
import { type Change, marksRequired } from "../../../schemas/operation.ts";
import { consentToRepeat, type Form, formOf, harmless, needExpendable } from "../requests.ts";

const check = checksIn("probes");

// A refund uses up a transaction, so its forms are not tried.
for (const { id } of jsonOperations.filter(({ singleUse }) => typeof singleUse !== "object")) {
  const check = checksUnder(`${id}/http`, "probes");
  const consent = consentToRepeat(id);
  const practice = { should: "G08", ...consent };

  check("unknown-field", "does not crash on an undocumented field", practice, (ctx) =>
    sendUnknown(ctx, id, "body", "field"),
  );

  check("duplicate-keys", "does not crash on a repeated JSON key", practice, async (ctx) => {
    const twice = { what: "its first key twice", write: withFirstMemberTwice };
    const response = await sendNextRow(
      ctx,
      id,
      (values, { ways }) => send(ctx, id, { ways: [twice, ...ways] }, values),
      (choice) => isField(choice) || !choice.write,
    );
    ctx.observe("G08", `a repeated JSON key is ${fateOf(response)}`);
    demandNoCrash(response, "only one JSON key was repeated");
  });
}

for (const { id, method, effect, contentType } of operations) {
  const check = checksUnder(`${id}/http`, "probes");

  if (method === "POST")
    check("get", "does not carry out a GET on a POST path", { should: "RFC 9110" }, async (ctx) => {
      const draft = { ...ctx.run.builder.build(id), body: null, stake: undefined };
      const response = await ctx.send(id, {}, { draft, retry: false, method: "GET", contentType: null });
      demand(!response.is2xx, response, `${response.outcome} for GET`, "404 or 405");
    });

  if (effect !== "read") continue;

  const unknown = "does not crash on an undocumented query parameter";
  if (contentType === "none")
    check("unknown-parameter", unknown, { should: "G08" }, (ctx) =>
      sendUnknown(ctx, id, "query", "query parameter"),
    );
}

const HTTPS = "is reached over https, unless it runs on this machine";
check("getProfile/http/https", HTTPS, { should: "OWASP API8" }, async (ctx) => {
  const { protocol, hostname, host } = new URL(ctx.target.baseUrl);
  const { response } = await ctx.control("getProfile");
  const isSafe = protocol === "https:" || isLoopback(hostname);
  if (response) demand(isSafe, response, `is reached over ${protocol}//${host}`, "https");
});

/** Sends a valid request in another form, with the operator's consent if a target could carry it out. */
async function send(ctx: CheckContext, id: OperationId, form: SendOptions, change: Change = {}) {
  return ctx.send(id, change, { ...form, retry: false });
}

async function sendUnknown(ctx: CheckContext, id: OperationId, part: "body" | "query", what: string) {
  const note = { conformanceNote: "no such field" };
  const response =
    part === "query"
      ? await send(ctx, id, {}, { query: note })
      : await sendNextRow(ctx, id, ({ body }, { ways }) =>
          send(ctx, id, { ways }, { body: { ...body, ...note } }),
        );
  ctx.observe("G08", `an undocumented ${what} is ${fateOf(response)}`);
  demandNoCrash(response, `only an undocumented ${what} was added`);
}

const fateOf = (response: ApiResponse) => (response.isSuccess ? "accepted" : "rejected");

/** A JSON object whose first member is written a second time, with the same value. */
function withFirstMemberTwice(body: Readonly<Record<string, unknown>>): string {
  const members = Object.entries(body).map(
    ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`,
  );
  return `{${[...members.slice(0, 1), ...members].join(",")}}`;
}

const NOT_OBJECTS = ["[]", '"text"', "7", "null"];
const MALFORMED = "the body is malformed JSON";

// Section 1: JSON bodies. A body that is not a JSON object has no fields, so the API must not act on it.
for (const operation of jsonOperations) {
  const { id, noun, requirements } = operation;
  const check = checksUnder(`${id}/http`, "probes");

  check("malformed-json", `refuses ${noun} in malformed JSON`, { must: ["R004"] }, async (ctx) => {
    await demandRejected(ctx, await sendMalformed(ctx, id), { what: MALFORMED });
  });

  const title = "rejects malformed JSON with a 4xx and not with a web page";
  check("malformed-json/status", title, { should: ["R004"] }, async (ctx) => {
    const response = await sendMalformed(ctx, id);
    demandNoCrash(response, MALFORMED, "a 4xx rejection");
    const isPage = response.jsonProblem?.kind === "html";
    demand(!isPage, response, `${response.outcome} with an HTML page for malformed JSON`, "a JSON body");
  });

  if (!marksRequired(operation)) continue;
  const required = requirements.required ?? [];

  for (const [name, body, must, texts] of [
    ["body-not-an-object", "whose body is JSON but not an object", ["R004", ...required], NOT_OBJECTS],
    ["empty-body", "with an empty body", required, [""]],
  ] as const) {
    check(name, `refuses ${noun} ${body}`, { must }, async (ctx) => {
      await ctx.control(id);
      for (const bytes of texts)
        await demandRejected(ctx, await sendBytes(ctx, id, bytes), {
          what: `the body is ${bytes || "empty"}`,
        });
    });
  }
}

/** Sends a valid body without its last brace, once per run. */
async function sendMalformed(ctx: CheckContext, id: OperationId) {
  await ctx.control(id);
  return ctx.once(`malformed-json/${id}`, () => {
    const draft = harmless(ctx, id);
    const bytes = JSON.stringify(draft.body).slice(0, -1);
    return ctx.sendInvalid(id, {}, { draft, bytes });
  });
}

/** Sends exact bytes as the body; none of them can be carried out. */
function sendBytes(ctx: CheckContext, id: OperationId, bytes: string) {
  const draft = { ...harmless(ctx, id), stake: undefined };
  return ctx.sendInvalid(id, {}, { draft, bytes });
}

/** Forms that cannot be read. The second is cut within the last part's value, so neither part nor form has an end. */
const UNREADABLE = [
  ["no-boundary", "has no boundary", ({ bytes }: Form) => ({ bytes, contentType: "multipart/form-data" })],
  [
    "truncated-form",
    "ends within a part",
    ({ bytes, contentType, end }: Form) => ({ bytes: bytes.subarray(0, -end.length - 4), contentType }),
  ],
] as const;

// Section 4.12: the client sets the boundary.
for (const { id, noun } of operations.filter(({ contentType }) => contentType === "multipart/form-data")) {
  for (const [name, what, alter] of UNREADABLE) {
    const title = `refuses ${noun} as a form that ${what}`;
    check(`${id}/http/${name}`, title, { should: ["R069"] }, async (ctx) => {
      const draft = harmless(ctx, id);
      const response = await send(ctx, id, { draft, ...alter(formOf(draft.body ?? {})) });
      const isRejected = !response.looksAccepted && !response.is5xx && !response.failure;
      demand(isRejected, response, `${response.outcome} although the form ${what}`, "a 4xx rejection");
    });
  }
}

/** Longer than a text column of most databases. */
const LONG = 64 * 1024;

// These come last: values of the catalogue that are sent together with an odd code cannot be looked up in the list.
for (const { id, noun, body, freeText } of operations) {
  // Many servers reject a query of this length for its length alone.
  if (!freeText || !body) continue;
  const title = `does not crash when ${freeText} of ${noun} holds 64 kB of text`;
  const options = { should: "N43", probe: true, ...consentToRepeat(id) } as const;
  check(`${id}/http/long-text`, title, options, async (ctx) => {
    needExpendable(ctx, id);
    const long = { [freeText]: `${ctx.run.builder.fresh()} `.padEnd(LONG, "a") };
    const response = await sendNextRow(
      ctx,
      id,
      (values, { ways }) =>
        ctx.send(id, { body: { ...values.body, ...long } }, { retry: false, mayBeBusy: true, ways }),
      (choice) => !isField(choice) || choice.field !== freeText,
    );
    demandNoCrash(response, `${freeText} holds only 64 kB of text`);
  });
}
