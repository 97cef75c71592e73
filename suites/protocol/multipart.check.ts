import type { Answer } from "../../fixtures/http/answer.ts";
import { outcomeOf } from "../../fixtures/http/wording.ts";
import { expectAnswered, expectThat } from "../../fixtures/judge/matchers.ts";
import { check } from "../../fixtures/run/check.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { operations } from "../../schemas/contract.ts";
import { harmless } from "./consent.ts";

const BOUNDARY = "conformance-boundary";

// Section 4.12: the client sets the boundary. Without it, or without its end, a form cannot be read.
for (const { id, noun, contentType } of operations) {
  if (contentType !== "multipart/form-data") continue;

  const send = (ctx: CheckContext, header: string, alter: (form: string) => string): Promise<Answer> => {
    const draft = harmless(ctx, id);
    return ctx.dispatch(id, draft, { contentType: header, bytes: alter(formOf(draft.body ?? {})) });
  };

  check(
    `${id}/http/no-boundary`,
    `refuses ${noun} as a form without boundary`,
    { should: ["R069"] },
    async (ctx) =>
      expect4xx(await send(ctx, "multipart/form-data", (form) => form), "the form has no boundary"),
  );

  check(
    `${id}/http/truncated-form`,
    `refuses ${noun} as a form that ends within a part`,
    { should: ["R069"] },
    async (ctx) =>
      expect4xx(
        await send(ctx, `multipart/form-data; boundary=${BOUNDARY}`, withoutEnd),
        "the form ends within a part",
      ),
  );
}

function expect4xx(answer: Answer, when: string) {
  expectAnswered(answer);
  const isRejected = !answer.looksAccepted && !answer.is5xx && !answer.failure;
  expectThat(isRejected, answer, `${outcomeOf(answer)} although ${when}`, "a 4xx rejection");
}

function formOf(fields: Readonly<Record<string, unknown>>): string {
  const parts = Object.entries(fields).map(
    ([name, value]) =>
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${String(value)}\r\n`,
  );
  return `${parts.join("")}--${BOUNDARY}--\r\n`;
}

/** Cuts within the last part's value, so that neither the part nor the form has an end. */
const withoutEnd = (form: string) => form.slice(0, form.length - `--${BOUNDARY}--\r\n`.length - 4);
