import type { Answer } from "../../fixtures/answer.ts";
import { judgeAnswered } from "../../fixtures/answered.ts";
import type { Bench } from "../../fixtures/bench.ts";
import { isStatus5xx, looksCarriedOut } from "../../fixtures/classify.ts";
import { check } from "../../fixtures/test.ts";
import { outcomeOf, violation } from "../../fixtures/wording.ts";
import { operations } from "../../schemas/contract.ts";
import { harmless } from "./ordinary.ts";

const BOUNDARY = "conformance-boundary";

// Section 4.12: the client sets the boundary; without it, or without the end, a form cannot be read.
for (const { id, contentType } of operations) {
  if (contentType !== "multipart/form-data") continue;

  const send = (bench: Bench, header: string, alter: (form: string) => string): Promise<Answer> => {
    const draft = harmless(bench, id);
    return bench.dispatch(id, draft, { contentType: header, bytes: alter(formOf(draft.body ?? {})) });
  };

  check(`${id}/http/no-boundary`, { level: "SHOULD", requirements: ["R069"] }, async (bench) =>
    judge(await send(bench, "multipart/form-data", (form) => form), "a form without its boundary"),
  );

  check(`${id}/http/truncated-form`, { level: "SHOULD", requirements: ["R069"] }, async (bench) =>
    judge(
      await send(bench, `multipart/form-data; boundary=${BOUNDARY}`, withoutEnd),
      "a form that ends within a part",
    ),
  );
}

function judge(answer: Answer, what: string) {
  judgeAnswered(answer);
  if (looksCarriedOut(answer) || isStatus5xx(answer) || answer.failure)
    throw violation(answer, `${outcomeOf(answer)} to ${what}`, "a refusal with 4xx");
}

function formOf(fields: Readonly<Record<string, unknown>>): string {
  const parts = Object.entries(fields).map(
    ([name, value]) =>
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${String(value)}\r\n`,
  );
  return `${parts.join("")}--${BOUNDARY}--\r\n`;
}

/** Cuts within the last part's value, so that neither it nor the form has an end. */
const withoutEnd = (form: string) => form.slice(0, form.length - `--${BOUNDARY}--\r\n`.length - 4);
