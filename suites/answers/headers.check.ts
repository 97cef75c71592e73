import type { Answer } from "../../fixtures/http/answer.ts";
import { check } from "../../fixtures/run/check.ts";
import { answersOf } from "./recorded-answers.ts";

const SOFTWARE = /^(server|via|x-(powered-by|aspnet\S*|runtime|generator|version))$/i;
const REQUEST_ID = /^(x-)?(request|correlation|trace)-?id$|^traceparent$/i;

check(
  "getProfile/answers/server-headers",
  "names its software in headers, or does not",
  { observe: "G09" },
  async (ctx) => {
    await answersOf(ctx, "getProfile");
    const found = headersIn([...ctx.run.answers.values()].flat(), SOFTWARE, (value) => `: ${value}`);
    const seen = found.join("; ");
    ctx.observe("G09", seen ? `headers name the software: ${seen}` : "no header names the software");
  },
);

check("getProfile/answers/request-id", "returns a request id or not", { observe: "G09" }, async (ctx) => {
  const found = headersIn(await answersOf(ctx, "getProfile"), REQUEST_ID, (value, { requestId }) =>
    value === requestId ? " as sent" : " of its own",
  );
  const seen = found.join(", ");
  ctx.observe("G09", seen ? `responses carry ${seen}` : "responses carry no request id");
});

/** The different headers of these names; `say` makes words of a value, which follow the name. */
function headersIn(answers: readonly Answer[], names: RegExp, say: (value: string, of: Answer) => string) {
  const found = answers.flatMap((answer) =>
    answer.headers
      .filter(([name]) => names.test(name))
      .map(([name, value]) => name.toLowerCase() + say(value, answer)),
  );
  return [...new Set(found)].toSorted();
}
