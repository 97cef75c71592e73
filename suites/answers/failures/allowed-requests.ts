import { z } from "zod";
import type { Target } from "../../../fixtures/config/target.ts";
import type { Answer } from "../../../fixtures/http/answer.ts";
import { parseJson } from "../../../fixtures/http/body.ts";
import { textSent } from "../../../fixtures/http/sent.ts";
import { isReadable } from "../judged-answers.ts";

/** Answers that were judged, and the schemas that allow no other fields: both are needed several times in a run. */
const judged = new WeakMap<Answer, boolean>();
const strictOnes = new WeakMap<z.ZodObject, z.ZodObject>();
const NO_FIELDS = z.object({});

/** Whether the specification allows the request of a recorded answer: names and types of all parameters are documented. */
export function isAllowed(answer: Answer, target: Target): boolean {
  const known = judged.get(answer) ?? judge(answer, target);
  judged.set(answer, known);
  return known;
}

function judge(answer: Answer, target: Target): boolean {
  const { operation, request } = answer;
  if (!isReadable(answer, target)) return false;
  const { pathname, searchParams } = new URL(request.path, request.origin);
  const route = new RegExp(`${operation.route.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);
  return (
    fits(operation.path, Object.entries(route.exec(pathname)?.groups ?? {})) &&
    fits(operation.query, [...searchParams]) &&
    hasAllowedBody(answer)
  );
}

function hasAllowedBody(answer: Answer): boolean {
  const { body, multipart, fieldProbes } = answer.operation;
  if (!body || fieldProbes === "none") return true;
  if (multipart) return fits(body, partsOf(answer, body));
  const parsed = parseJson(Buffer.from(textSent(answer)));
  return "value" in parsed && strictly(body).safeParse(parsed.value).success;
}

/** The parts of a form that hold a single text; files and arrays may hold anything. */
function partsOf(answer: Answer, { shape }: z.ZodObject): [string, string][] {
  const parts = [...textSent(answer).matchAll(/name="([^"]+)"\r\n\r\n(.*?)\r\n--/gs)];
  return parts.flatMap(([, name = "", text = ""]): [string, string][] =>
    shape[name] && z.safeParse(shape[name], [text]).success ? [] : [[name, text]],
  );
}

/** Whether each parameter is documented and comes once, with a text that writes a value of its type. */
function fits(schema: z.ZodObject = NO_FIELDS, texts: readonly (readonly [string, string])[]): boolean {
  const values = new Map(texts.map(([name, text]) => [name, writtenIn(schema.shape[name], text)]));
  return values.size === texts.length && strictly(schema).safeParse(Object.fromEntries(values)).success;
}

function strictly(schema: z.ZodObject): z.ZodObject {
  const strict = strictOnes.get(schema) ?? schema.strict();
  strictOnes.set(schema, strict);
  return strict;
}

/** A text as the value that it writes: itself where a text is documented, or else the number or boolean. */
function writtenIn(field: z.core.$ZodType | undefined, text: string): unknown {
  if (field && z.safeParse(field, text).success) return text;
  const parsed = parseJson(Buffer.from(text));
  return "value" in parsed ? parsed.value : text;
}
