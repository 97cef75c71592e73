import { judgeAnswered } from "../../fixtures/answered.ts";
import { isStatus2xx, isStatus5xx, isSuccess } from "../../fixtures/classify.ts";
import { sameItems, shared } from "../../fixtures/identity.ts";
import { identityOf, locate, readPage, widestWindow } from "../../fixtures/listing.ts";
import { itemsAt } from "../../fixtures/pointer.ts";
import { sendPatiently } from "../../fixtures/positive.ts";
import { check } from "../../fixtures/test.ts";
import { outcomeOf, violation } from "../../fixtures/wording.ts";
import { operations } from "../../schemas/contract.ts";
import { atLeast, windowOf } from "./enough.ts";

const FAR_PAGE = 1_000_000;
const scope = "paging";

for (const { id, list } of operations) {
  if (!list?.paged) continue;
  const { limit } = list.requirements;

  check(`${id}/paging/far-page-is-bounded`, { level: "MUST", requirements: limit, scope }, async (bench) => {
    await atLeast(bench, id, 2);
    const answer = await sendPatiently(bench, id, { query: { limit: 1, page: FAR_PAGE } });
    judgeAnswered(answer);
    if (!isSuccess(answer)) return;
    const { length } = itemsAt(answer.json, (await locate(bench, id)).pointer);
    if (length > 1)
      throw violation(answer, `answered ${length} items to limit=1 far beyond the end`, "at most 1");
  });

  check(`${id}/paging/far-page`, { level: "SHOULD", source: "G03", scope }, async (bench) => {
    const size = await windowOf(bench, id, 2);
    const known = await readPage(bench, id, await widestWindow(bench, id));
    const answer = await sendPatiently(bench, id, { query: { limit: size, page: FAR_PAGE } });
    judgeAnswered(answer);
    if (isStatus5xx(answer))
      throw violation(answer, `${outcomeOf(answer)} to page=${FAR_PAGE}`, "an empty page, 400 or 404");
    const items = isStatus2xx(answer) ? itemsAt(answer.json, (await locate(bench, id)).pointer) : [];
    const again = shared(known.items, items, await identityOf(bench, id));
    if (again > 0) {
      throw violation(
        answer,
        `answered ${again} items of the first page again to page=${FAR_PAGE}`,
        "an empty page, 400 or 404",
      );
    }
  });

  check(`${id}/paging/beyond-the-end`, { level: "OBSERVE", source: "G03", scope }, async (bench) => {
    const answer = await sendPatiently(bench, id, { query: { limit: 5, page: FAR_PAGE } });
    const items = isSuccess(answer) ? itemsAt(answer.json, (await locate(bench, id)).pointer).length : 0;
    bench.observe(
      "G03",
      `a page beyond the end ${outcomeOf(answer)}${isSuccess(answer) ? (items > 0 ? " with items" : " without items") : ""}`,
    );
  });

  check(`${id}/paging/origin`, { level: "OBSERVE", source: "G03", scope }, async (bench) => {
    const identity = await identityOf(bench, id);
    const zero = await sendPatiently(bench, id, { query: { limit: 2, page: 0 } });
    const one = await readPage(bench, id, { limit: 2, page: 1 });
    const items = isSuccess(zero) ? itemsAt(zero.json, (await locate(bench, id)).pointer) : [];
    const what =
      items.length === 0
        ? "no items"
        : sameItems(items, one.items, identity)
          ? "the items of page=1"
          : "items of its own";
    bench.observe("G03", `page=0 ${outcomeOf(zero)} with ${what}`);
  });

  for (const [name, query] of [
    ["limit-0", { limit: 0 }],
    ["limit-negative", { limit: -1 }],
    ["page-negative", { page: -1 }],
  ] as const) {
    check(`${id}/${name}`, { level: "SHOULD", source: "G03" }, async (bench) => {
      const answer = await sendPatiently(bench, id, { query });
      judgeAnswered(answer);
      if (isStatus5xx(answer)) throw violation(answer, outcomeOf(answer), "400, or no items");
      if (!isSuccess(answer)) return;
      const { length } = itemsAt(answer.json, (await locate(bench, id)).pointer);
      if (length > 0) throw violation(answer, `answered ${length} items`, "400, or no items");
    });
  }

  check(`${id}/paging/number-forms`, { level: "OBSERVE", source: "G08", scope }, async (bench) => {
    for (const form of ["05", "+5", "5.0"]) {
      const answer = await sendPatiently(
        bench,
        id,
        {},
        { rawQuery: `limit=${encodeURIComponent(form)}&page=1` },
      );
      bench.observe("G08", `limit=${form} ${outcomeOf(answer)}`);
    }
  });
}
