import { check } from "../../fixtures/run/check.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { answersOf } from "./recorded-answers.ts";

check(
  "getProfile/answers/server-headers",
  "names its software in headers, or does not",
  { observe: "G09" },
  async (ctx) => {
    const seen = await headersSeen(ctx, /^(server|via|x-(powered-by|aspnet\S*|runtime|generator|version))$/i);
    const found =
      seen.length > 0 ? `headers name the software: ${seen.join("; ")}` : "no header names the software";
    ctx.observe("G09", found);
  },
);

check(
  "getProfile/answers/request-id",
  "returns a request id, or does not",
  { observe: "G09" },
  async (ctx) => {
    const answers = await answersOf(ctx, "getProfile");
    const names = /^(x-)?(request|correlation|trace)-?id$|^traceparent$/i;
    const found = answers.flatMap(({ headers, requestId }) =>
      headers
        .filter(([name]) => names.test(name))
        .map(([name, value]) => `${name.toLowerCase()} ${value === requestId ? "as sent" : "of its own"}`),
    );
    const distinct = [...new Set(found)].toSorted().join(", ");
    ctx.observe("G09", distinct ? `responses carry ${distinct}` : "responses carry no request id");
  },
);

/** Distinct headers of these names in all answers of the run. */
async function headersSeen(ctx: CheckContext, names: RegExp): Promise<string[]> {
  await answersOf(ctx, "getProfile");
  const all = [...ctx.run.answers.values()].flat().flatMap(({ headers }) => headers);
  const found = all
    .filter(([name]) => names.test(name))
    .map(([name, value]) => `${name.toLowerCase()}: ${value}`);
  return [...new Set(found)].toSorted();
}
