import { expectAnswered, expectOutcome } from "../../fixtures/judge/matchers.ts";
import { check } from "../../fixtures/run/check.ts";
import { operations } from "../../schemas/contract.ts";
import { harmless } from "./consent.ts";

const BOUNDARY = "conformance-boundary";
const END = `--${BOUNDARY}--\r\n`;

/** Forms that cannot be read. The second is cut within the last part's value, so neither part nor form has an end. */
const UNREADABLE = [
  ["no-boundary", "has no boundary", "multipart/form-data", (form: string) => form],
  [
    "truncated-form",
    "ends within a part",
    `multipart/form-data; boundary=${BOUNDARY}`,
    (form: string) => form.slice(0, -END.length - 4),
  ],
] as const;

// Section 4.12: the client sets the boundary.
for (const { id, noun } of operations.filter(({ contentType }) => contentType === "multipart/form-data")) {
  for (const [name, what, contentType, alter] of UNREADABLE) {
    const title = `refuses ${noun} as a form that ${what}`;
    check(`${id}/http/${name}`, title, { should: ["R069"] }, async (ctx) => {
      const draft = harmless(ctx, id);
      const bytes = alter(formOf(draft.body ?? {}));
      const answer = await ctx.dispatch(id, draft, { contentType, bytes });
      expectAnswered(answer);
      const isRejected = !answer.looksAccepted && !answer.is5xx && !answer.failure;
      expectOutcome(isRejected, answer, `the form ${what}`, "a 4xx rejection");
    });
  }
}

function formOf(fields: Readonly<Record<string, unknown>>): string {
  const parts = Object.entries(fields).map(
    ([name, value]) =>
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${String(value)}\r\n`,
  );
  return `${parts.join("")}${END}`;
}
