import { expectNoCrash } from "../../fixtures/engine/judge/matchers.ts";
import { sendVaried } from "../../fixtures/engine/judge/varied.ts";
import { type CheckOptions, check } from "../../fixtures/engine/run/check.ts";
import { operations } from "../../schemas/contract.ts";
import { consentToRepeat, needExpendable } from "./requests.ts";

const AWKWARD = `Ọláìtán Ñ "quoted" 'single' <b>&amp;</b> ;-- %00 \\`;
/** Longer than a text column of most databases. */
const LONG = 64 * 1024;

// Files are registered by name, so these checks come after those of http.check.ts: values of the catalogue that ride along
// with an odd code cannot be looked up in the list.
for (const { id, noun, body, freeText } of operations) {
  if (!freeText) continue;
  const survives = (name: string, what: string, options: CheckOptions, text: (fresh: string) => string) => {
    const title = `does not crash when ${freeText} of ${noun} holds ${what}`;
    check(`${id}/http/${name}`, title, { ...options, ...consentToRepeat(id) }, async (ctx) => {
      needExpendable(ctx, id);
      const odd = { [freeText]: text(ctx.run.builder.fresh()) };
      const answer = body
        ? await sendVaried(ctx, id, (values) => ctx.send(id, { body: { ...values.body, ...odd } }), freeText)
        : await ctx.send(id, { query: odd });
      expectNoCrash(answer, `${freeText} holds only ${what}`);
    });
  };

  const awkward = "text with quotes, markup and accented letters";
  survives("awkward-text", awkward, { should: "practice" }, (fresh) => `${AWKWARD} ${fresh}`);
  // Many servers reject a query of this length for its length alone.
  if (body)
    survives("long-text", "64 kB of text", { should: "N43", probe: true }, (fresh) =>
      `${fresh} `.padEnd(LONG, "a"),
    );
}
