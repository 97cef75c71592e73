import type { Answer } from "../../fixtures/http/answer.ts";
import { Inconclusive } from "../../fixtures/http/findings.ts";
import { expectThat } from "../../fixtures/judge/matchers.ts";
import { locate } from "../../fixtures/lists/locate.ts";
import { check } from "../../fixtures/run/check.ts";
import { plural } from "../../reports/text/wording.ts";
import { operations } from "../../schemas/contract.ts";
import { answersOf } from "./recorded-answers.ts";

// A cache that keeps a list for a while without regard to limit breaks the rule only when it was filled with a wide
// page, so every page of the run is judged, whatever it was asked for.
for (const { id, list } of operations) {
  if (!list?.paged) continue;
  const title = "returns at most limit items on every page of the run";
  check(`${id}/answers/limit`, title, { must: list.paged.limit, scope: "paging" }, async (ctx) => {
    const recorded = await answersOf(ctx, id);
    const { itemsIn } = await locate(ctx, id);
    const pages = recorded.flatMap((answer) => {
      const limit = limitAsked(answer);
      return limit === undefined ? [] : [{ answer, limit, count: itemsIn(answer.json).length }];
    });
    for (const { answer, limit, count } of pages) {
      if (count <= limit) continue;
      ctx.note(answer);
      const query = /\?.*/.exec(answer.request.path)?.[0];
      expectThat(false, answer, `returned ${plural(count, "item")} for ${query}`, `at most ${limit}`);
    }
    const most = Math.max(0, ...pages.map(({ count }) => count));
    if (most < 2)
      throw new Inconclusive(
        `no page of this run has more than ${plural(most, "item")}, but this check needs 2`,
      );
  });
}

/** The limit that a successful request asked for; `undefined` unless it is written once, as a plain whole number. */
function limitAsked({ isSuccess, jsonProblem, request }: Answer): number | undefined {
  if (!isSuccess || jsonProblem) return undefined;
  const [asked, ...more] = new URL(request.path, request.origin).searchParams.getAll("limit");
  return more.length === 0 && /^[1-9]\d*$/.test(asked ?? "") ? Number(asked) : undefined;
}
