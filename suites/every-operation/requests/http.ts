import { isField, sendNextRow } from "../../../fixtures/engine/judge/rows.ts";
import { type ApiResponse, type CheckContext, demandNoCrash } from "../../../fixtures/engine/vocabulary.ts";
import { contract, type OperationId } from "../../../schemas/contract.ts";
import type { Operation } from "../../../schemas/operation.ts";
import { harmless } from "../requests.ts";

/** Sends a valid request with something undocumented in it; it may be rejected, but nothing may crash, and nothing be set. */
export async function sendUnknown(ctx: CheckContext, id: OperationId, part: "body" | "query", what: string) {
  const { success }: Operation = contract[id];
  const note = { conformanceNote: "no such field" };
  const own = `own-${ctx.run.builder.fresh()}`;
  // What the service gives a record, a client must not choose.
  const given = { id: own, ...(success.has && { [success.has]: own }) };
  const response =
    part === "query"
      ? await ctx.send(id, { query: { conformanceNote: ["twice", "the same"] } }, { retry: false })
      : await sendNextRow(ctx, id, ({ body }, { ways }) =>
          ctx.send(id, { body: { ...body, ...note, ...given } }, { ways, retry: false }),
        );
  ctx.observe("G08", `an undocumented ${what} is ${fateOf(response)}`);
  demandNoCrash(response, `only an undocumented ${what} was added`);
  if (response.kind !== "done" || !response.words.includes(own)) return;
  const actual = `${response.outcome} with ${own}, which the request had in an undocumented field`;
  ctx.warn(`${actual}; expected an identifier of its own`, { critical: true, response });
}

/** What became of a valid request, in a word. */
export const fateOf = (response: ApiResponse) => (response.kind === "done" ? "accepted" : "rejected");

/** Sends a valid request whose first key is repeated, with the same value. */
export function sendFirstKeyTwice(ctx: CheckContext, id: OperationId) {
  const twice = { what: "its first key twice", write: withFirstMemberTwice };
  return sendNextRow(
    ctx,
    id,
    (values, { ways }) => ctx.send(id, values, { ways: [twice, ...ways], retry: false }),
    (choice) => isField(choice) || !choice.write,
  );
}

/** Sends a valid request with an odd text in one of its fields. */
export function sendText(ctx: CheckContext, id: OperationId, field: string, text: string) {
  return sendNextRow(
    ctx,
    id,
    (values, { ways }) =>
      ctx.send(id, { body: { ...values.body, [field]: text } }, { retry: false, mayBeBusy: true, ways }),
    (choice) => !isField(choice) || choice.field !== field,
  );
}

function withFirstMemberTwice(body: Readonly<Record<string, unknown>>): string {
  const members = Object.entries(body).map(
    ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`,
  );
  return `{${[...members.slice(0, 1), ...members].join(",")}}`;
}

/** Sends a valid body without its last brace, once per run. */
export async function sendMalformed(ctx: CheckContext, id: OperationId) {
  await ctx.control(id);
  return ctx.once(`malformed-json/${id}`, () => {
    const draft = harmless(ctx, id);
    const bytes = JSON.stringify(draft.body).slice(0, -1);
    return ctx.sendInvalid(id, {}, { draft, bytes });
  });
}

/** Sends exact bytes as the body; none of them can be carried out. */
export function sendBytes(ctx: CheckContext, id: OperationId, bytes: string) {
  const draft = { ...harmless(ctx, id), stake: undefined };
  return ctx.sendInvalid(id, {}, { draft, bytes });
}
