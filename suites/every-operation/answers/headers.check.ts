import { isDeepStrictEqual } from "node:util";
import { sent } from "../../../fixtures/engine/http/readable.ts";
import { sendOtherRows } from "../../../fixtures/engine/judge/rows.ts";
import {
  type ApiResponse,
  type Basis,
  checksIn,
  demand,
  scalars,
} from "../../../fixtures/engine/vocabulary.ts";
import { operations } from "../../../schemas/contract.ts";
import { type Judge, judgeResponses, responsesOf } from "./recorded.ts";

const check = checksIn("late");

/** RFC 8259, section 8.1: JSON on a network does not begin with one, and parsers may reject it. */
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

// What headers say about the body of every response that an operation gave in this run.
for (const operation of operations) {
  const { id } = operation;
  const rule = (name: string, title: string, basis: Basis, judge: Judge) =>
    check(`${id}/answers/${name}`, title, basis, (ctx) => judgeResponses(ctx, id, judge));

  rule("content-type", "labels JSON as application/json", { should: "G09" }, (response) => {
    const type = response.header("content-type") ?? "no Content-Type";
    const isLabelled = !isJson(response) || /^application\/([\w.-]+\+)?json\b/i.test(type);
    demand(isLabelled, response, `returned JSON as ${type}`, "application/json");
  });

  rule("no-byte-order-mark", "returns JSON without a byte order mark", { should: "RFC 8259" }, (response) => {
    const isMarked = isJson(response) && response.bytes.subarray(0, 3).equals(BYTE_ORDER_MARK);
    const actual = `${response.outcome} with a byte order mark before its JSON`;
    demand(!isMarked, response, actual, "JSON without one");
  });

  const coded = "codes a response only in a way that its request accepts";
  // Reads are free, so that all their rows are sent.
  if (operation.effect === "read")
    check(`${id}/answers/coding`, coded, { critical: "RFC 9110" }, async (ctx) => {
      await sendOtherRows(ctx, id);
      await judgeResponses(ctx, id, (response) => {
        const [accepted] = sent(response, "accept-encoding");
        const coding = response.header("content-encoding") ?? "identity";
        const isAccepted =
          accepted === undefined || coding.split(",").every((one) => accepts(accepted, one.trim()));
        demand(
          isAccepted,
          response,
          `returned ${coding} to Accept-Encoding: ${accepted}`,
          "a coding of these",
        );
      });
    });

  if (operation.private) {
    const noStore = "forbids caches to store responses about persons or money";
    rule("no-store", noStore, { should: "RFC 9111" }, (response) => {
      const caching = response.header("cache-control") ?? "none";
      const isSafe = /\b(no-store|private|no-cache)\b/i.test(caching);
      // Without a body, as in a response to OPTIONS, there is nothing to store.
      const isPrivate = response.is2xx && response.bytes.length > 0;
      demand(!isPrivate || isSafe, response, `returned Cache-Control: ${caching}`, "no-store");
    });
  }

  // RFC 9110, section 8.8.3: a client that knows a tag keeps what it has.
  if (operation.method === "GET")
    check(`${id}/answers/tags`, "gives other data another ETag", { critical: "RFC 9110" }, async (ctx) => {
      const tagged = (await responsesOf(ctx, id)).filter((one) => one.isSuccess && one.header("etag"));
      const known = new Map<string, ApiResponse>();
      for (const one of tagged) {
        const tag = one.header("etag");
        const key = [tag, ...sent(one, "authorization"), one.request.path].join(" ");
        const first = known.get(key) ?? one;
        known.set(key, first);
        const isSame = isDeepStrictEqual(dataIn(one), dataIn(first));
        const actual = `returned other data than before, but the same ETag, ${tag}`;
        demand(isSame, one, actual, "another ETag", [first]);
      }
    });

  rule("no-open-origin", "lets no web page read its responses", { should: "OWASP API8" }, (response) => {
    const isOpen = response.header("access-control-allow-origin")?.trim() === "*";
    demand(!isOpen, response, "returned Access-Control-Allow-Origin: *", "no access from browsers");
  });
}

/** What a response shows, without times, which are of the response. */
const dataIn = (response: ApiResponse) =>
  scalars(response.field("data")).filter(([, value]) => !/\d:\d\d/.test(String(value)));

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

const isJson = ({ complete, jsonProblem }: ApiResponse) => complete && !jsonProblem;
