import { isDeepStrictEqual } from "node:util";
import {
  type ApiResponse,
  type CheckContext,
  checksIn,
  demand,
  type SendOptions,
  sendOtherRows,
} from "../../../fixtures/engine/vocabulary.ts";
import { type OperationId, operations } from "../../../schemas/contract.ts";
import { judgeResponses, responsesOf } from "./recorded.ts";

const check = checksIn("late");

// What headers say about the body of a read: how it is coded, and which state of the data it shows.
for (const { id, effect, method } of operations) {
  const coded = "codes a response only in a way that its request accepts";
  // Reads are free, so that all their rows are sent.
  if (effect === "read")
    check(`${id}/answers/coding`, coded, { critical: "RFC 9110" }, async (ctx) => {
      await sendOtherRows(ctx, id);
      await judgeResponses(ctx, id, (response) => {
        const [accepted] = response.headersSent("accept-encoding");
        const codings = (response.header("content-encoding") ?? "identity").split(/,\s*/);
        const wrong = accepted !== undefined && codings.find((coding) => !accepts(accepted, coding));
        if (!wrong) return;
        const actual = `returned ${wrong} to Accept-Encoding: ${accepted}`;
        // Many servers only look for the name of a coding, and a client that refuses one by its name can hardly be harmed.
        if (accepted.includes(wrong)) ctx.warn(`${actual}; expected another coding`, { response });
        else demand(false, response, actual, "a coding of these");
      });
    });

  // RFC 9110, section 8.8.3: a client that knows a tag keeps what it has.
  if (method === "GET")
    check(`${id}/answers/tags`, "gives other data another ETag", { critical: "RFC 9110" }, async (ctx) => {
      const tagged = (await responsesOf(ctx, id)).filter((one) => one.kind === "done" && one.header("etag"));
      const known = new Map<string, ApiResponse>();
      for (const one of tagged) {
        const tag = one.header("etag");
        const key = [tag, ...one.headersSent("authorization"), one.request.path].join(" ");
        const first = known.get(key) ?? one;
        known.set(key, first);
        const isSame = isDeepStrictEqual(dataIn(one), dataIn(first));
        const actual = `returned other data than before, but the same ETag, ${tag}`;
        demand(isSame, one, actual, "another ETag", [first]);
      }
      const [oldest] = tagged.filter((one) => one.isSentWith(ctx.target.secretKey));
      if (oldest) await expectNewData(ctx, id, oldest);
    });
}

/** Demands that a client which has old data, and their tag, gets those of now if they are others. */
async function expectNewData(ctx: CheckContext, id: OperationId, old: ApiResponse) {
  const rawQuery = old.request.path.split("?")[1] ?? "";
  const tag = old.header("etag") ?? "";
  const ask = (headers: SendOptions["headers"] = []) => ctx.send(id, {}, { rawQuery, headers });
  const [now, conditional] = [await ask(), await ask([["If-None-Match", tag]])];
  const isOld =
    conditional.status === 304 && now.kind === "done" && !isDeepStrictEqual(dataIn(now), dataIn(old));
  const actual = `returned 304 to a client that has the data of the ETag ${tag}, which have changed since`;
  demand(!isOld, conditional, actual, "the data as they are now", [old, now]);
}

/** What a response shows, without times and the reference of the read, which are of the response. */
function dataIn(response: ApiResponse): unknown {
  const { reference, ...data } = Object(response.field("data"));
  const isTime = (value: unknown) => typeof value === "string" && /\d:\d\d/.test(value);
  return JSON.parse(JSON.stringify(data, (_, value) => (isTime(value) ? undefined : value)));
}

/** RFC 9110, section 12.5.3: a coding that is neither listed nor covered by a star is not accepted; q=0 refuses one. */
function accepts(accepted: string, coding: string): boolean {
  const listed = accepted.split(",").map((one) =>
    one
      .trim()
      .toLowerCase()
      .split(/\s*;\s*q=/),
  );
  const entry =
    listed.find(([name]) => name === coding.toLowerCase()) ?? listed.find(([name]) => name === "*");
  return coding === "identity" || (entry !== undefined && Number(entry[1] ?? 1) > 0);
}
