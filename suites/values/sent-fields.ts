import type { Answer } from "../../fixtures/http/answer.ts";
import { bodySent, textSent } from "../../fixtures/http/sent.ts";

/** The fields of the body of an answer's request, whose parts are texts if it is a form. */
export function fieldsSent(answer: Answer): Readonly<Record<string, unknown>> {
  if (answer.operation.contentType !== "multipart/form-data") return bodySent(answer);
  const text = textSent(answer);
  const parts = [...text.matchAll(/; name="(\w+)"\r\n\r\n([\s\S]*?)\r\n--/g)];
  const fields: Record<string, unknown> = {};
  for (const [, name = "", value = ""] of parts) {
    const known = fields[name];
    fields[name] = known === undefined ? valueOfPart(value) : [known, valueOfPart(value)].flat();
  }
  return fields;
}

/** A form has no types: numbers and booleans are written as text. */
function valueOfPart(text: string): unknown {
  if (/^(true|false)$/.test(text)) return text === "true";
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}
