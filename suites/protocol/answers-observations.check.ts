import type { Answer } from "../../fixtures/answer.ts";
import type { Bench } from "../../fixtures/bench.ts";
import { isStatus2xx, isStatus4xx } from "../../fixtures/classify.ts";
import { membersOf } from "../../fixtures/exchanged.ts";
import { locate, query, widestLimit } from "../../fixtures/listing.ts";
import { itemsAt, resolve, scalars } from "../../fixtures/pointer.ts";
import { check } from "../../fixtures/test.ts";
import { contract, type OperationId, operations } from "../../schemas/contract.ts";
import type { Operation } from "../../schemas/operation.ts";
import { answersOf } from "./recorded-answers.ts";

/** Members whose words the specification shows by example only. */
const WORDS = ["status", "ReturnCode"];

for (const { id, list } of operations) {
  check(`${id}/answers/path-form`, { level: "OBSERVE", source: "N14" }, async (bench) => {
    const { pathForms, bothForms } = bench.run.settings;
    const usual = pathForms[id] === "bare" ? "directly below the base URL" : "below the prefix";
    bench.observe("N14", `the operation answers ${bothForms.includes(id) ? "under both path forms" : usual}`);
  });

  check(`${id}/answers/words`, { level: "OBSERVE", source: "G22" }, async (bench) => {
    const answers = await answersOf(bench, id);
    for (const [what, those] of [
      ["a success", answers.filter(isStatus2xx)],
      ["a refusal", answers.filter(isStatus4xx)],
    ] as const) {
      for (const name of WORDS) {
        const words = distinct(those, (answer) => answer.field(name));
        if (words.length > 0) bench.observe("G22", `${name} of ${what} is ${words.join(" or ")}`);
      }
    }
  });

  check(`${id}/answers/error-codes`, { level: "OBSERVE", source: "N39" }, async (bench) => {
    const refusals = (await answersOf(bench, id)).filter((answer) => isStatus4xx(answer));
    const statuses = distinct(refusals, ({ status }) => status).join(", ");
    if (statuses !== "") bench.observe("N39", `requests are refused with ${statuses}`);
    const codes = distinct(refusals, (answer) => answer.field("code"));
    if (codes.length > 0) bench.observe("N39", `code of a refusal is ${codes.join(" or ")}`);
  });

  if (!list) continue;

  check(`${id}/answers/items`, { level: "OBSERVE", source: "N15" }, async (bench) => {
    const { items } = await widest(bench, id);
    const fields = new Set(items.flatMap((item) => scalars(item).map(([path]) => path)));
    bench.observe("N15", `an item has the fields ${[...fields].toSorted().join(", ") || "(none)"}`);
  });

  check(`${id}/answers/beside-the-list`, { level: "OBSERVE", source: "N16" }, async (bench) => {
    const { answer, pointer } = await widest(bench, id);
    const above = pointer.slice(0, Math.max(0, pointer.lastIndexOf("/")));
    bench.observe("N16", `the list stands in ${membersOf(resolve(answer.json, above))}`);
  });

  check(`${id}/answers/dates`, { level: "OBSERVE", source: "G16" }, async (bench) => {
    const { items } = await widest(bench, id);
    const forms = new Map(
      items.flatMap((item) =>
        scalars(item).flatMap(([path, value]) => {
          const form = dateForm(value);
          return form ? [[path, form] as const] : [];
        }),
      ),
    );
    for (const [path, form] of forms) bench.observe("G16", `${path} of an item is written as ${form}`);
  });
}

/** The list's widest page. */
async function widest(bench: Bench, id: OperationId) {
  const { pointer } = await locate(bench, id);
  const { list }: Operation = contract[id];
  const answer = await query(bench, id, list?.paged ? { limit: await widestLimit(bench, id), page: 1 } : {});
  return { answer, pointer, items: itemsAt(answer.json, pointer) };
}

/** The different scalars that the answers hold somewhere, as JSON, in order. */
function distinct(answers: readonly Answer[], read: (answer: Answer) => unknown): string[] {
  const values = answers.map(read).filter((value) => /^(string|number|boolean)$/.test(typeof value));
  return [...new Set(values.map((value) => JSON.stringify(value)))].toSorted();
}

/** How a text writes a date, if it is one. */
function dateForm(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return "a date (YYYY-MM-DD)";
  if (/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(value))
    return `a date and time ${/Z$/.test(value) ? "in UTC" : /[+-]\d\d:?\d\d$/.test(value) ? "with an offset" : "without a time zone"}`;
  return /^\d{1,2}[/.-]\d{1,2}[/.-]\d{4}/.test(value)
    ? "a date that begins with the day or the month"
    : undefined;
}
