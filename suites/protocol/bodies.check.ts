import { outcomeOf } from "../../fixtures/http/wording.ts";
import { expectRejected } from "../../fixtures/judge/expect-rejected.ts";
import { expectNoCrash, expectThat } from "../../fixtures/judge/matchers.ts";
import { checksUnder } from "../../fixtures/run/check.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { controlOf } from "../../fixtures/run/control.ts";
import { sendInvalidWithRetry } from "../../fixtures/run/sending.ts";
import type { OperationId } from "../../schemas/contract.ts";
import { harmless } from "./consent.ts";
import { hasRequiredField, jsonOperations } from "./json-operations.ts";

const NOT_OBJECTS = ["[]", '"text"', "7", "null"];
const MALFORMED = "the body is malformed JSON";

// Section 1: JSON bodies. A body that is not a JSON object has no fields, so the API must not act on it.
for (const operation of jsonOperations) {
  const { id, noun, requirements } = operation;
  const check = checksUnder(`${id}/http`);

  check("malformed-json", `refuses ${noun} in malformed JSON`, { must: ["R004"] }, async (ctx) => {
    await expectRejected(ctx, await sendMalformed(ctx, id), { what: MALFORMED });
  });

  const title = "answers malformed JSON with a 4xx and not with a web page";
  check("malformed-json/status", title, { should: ["R004"] }, async (ctx) => {
    const answer = await sendMalformed(ctx, id);
    expectNoCrash(answer, MALFORMED, "a 4xx rejection");
    const isPage = answer.jsonProblem?.kind === "html";
    expectThat(!isPage, answer, `${outcomeOf(answer)} with an HTML page for malformed JSON`, "a JSON body");
  });

  if (!hasRequiredField(operation)) continue;
  const required = requirements.required ?? [];

  for (const [name, body, must, texts] of [
    ["body-not-an-object", "whose body is JSON but not an object", ["R004", ...required], NOT_OBJECTS],
    ["empty-body", "with an empty body", required, [""]],
  ] as const) {
    check(name, `refuses ${noun} ${body}`, { must }, async (ctx) => {
      await controlOf(ctx, id);
      for (const bytes of texts)
        await expectRejected(ctx, await sendBytes(ctx, id, bytes), {
          what: `the body is ${bytes || "empty"}`,
        });
    });
  }
}

/** Sends a valid body without its last brace, once per run. */
async function sendMalformed(ctx: CheckContext, id: OperationId) {
  await controlOf(ctx, id);
  return ctx.once(`malformed-json/${id}`, () => {
    const draft = harmless(ctx, id);
    const bytes = JSON.stringify(draft.body).slice(0, -1);
    return sendInvalidWithRetry(ctx, id, {}, { draft, bytes });
  });
}

/** Sends exact bytes as the body; none of them can be carried out. */
function sendBytes(ctx: CheckContext, id: OperationId, bytes: string) {
  const draft = { ...harmless(ctx, id), stake: undefined };
  return sendInvalidWithRetry(ctx, id, {}, { draft, bytes });
}
