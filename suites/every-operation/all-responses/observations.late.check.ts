import type { Answer } from "../../../fixtures/engine/http/answer.ts";
import { membersOf } from "../../../fixtures/engine/http/wording.ts";
import { resolve, scalars } from "../../../fixtures/engine/lists/json-pointer.ts";
import { locate } from "../../../fixtures/engine/lists/locate.ts";
import { readWidest } from "../../../fixtures/engine/lists/pages.ts";
import { check, checksUnder } from "../../../fixtures/engine/run/check.ts";
import { documentsRejection, documentsSuccess, operations } from "../../../schemas/contract.ts";
import { answersIn, counted, type Direction, rarestSeen } from "./judged-answers.ts";
import { answersOf } from "./recorded-answers.ts";

/** Members whose values the specification does not list. */
const WORDS = ["status", "ReturnCode"];

// What the deployment does where the specification leaves it open, seen in the answers of the whole run.
for (const { id, list } of operations) {
  const check = checksUnder(`${id}/answers`);

  check("path-form", "answers under one path form or both", { observe: "N14" }, async (ctx) => {
    const { pathForms, bothForms } = ctx.run.settings;
    const usual = pathForms[id] === "bare" ? "directly below the base URL" : "below the prefix";
    ctx.observe("N14", `the operation answers ${bothForms.includes(id) ? "under both path forms" : usual}`);
  });

  check("words", "uses its own words for status and ReturnCode", { observe: "G22" }, async (ctx) => {
    const answers = await answersOf(ctx, id);
    for (const [what, those] of [
      ["a success", answers.filter(({ is2xx }) => is2xx)],
      ["a rejection", answers.filter(({ is4xx }) => is4xx)],
    ] as const) {
      for (const name of WORDS) {
        const words = distinct(those, (answer) => answer.field(name));
        if (words.length > 0) ctx.observe("G22", `${name} of ${what} is ${words.join(" or ")}`);
      }
    }
  });

  check("error-codes", "rejects with its own statuses and error codes", { observe: "N39" }, async (ctx) => {
    const rejections = (await answersOf(ctx, id)).filter(({ is4xx }) => is4xx);
    const statuses = distinct(rejections, ({ status }) => status).join(", ");
    if (statuses !== "") ctx.observe("N39", `requests are rejected with ${statuses}`);
    const codes = distinct(rejections, (answer) => answer.field("code"));
    if (codes.length > 0) ctx.observe("N39", `code of a rejection is ${codes.join(" or ")}`);
  });

  if (!list) continue;

  check("items", "lists items with fields of its choice", { observe: "N15" }, async (ctx) => {
    const { items } = await readWidest(ctx, id);
    const fields = new Set(items.flatMap((item) => scalars(item).map(([path]) => path)));
    ctx.observe("N15", `an item has the fields ${[...fields].toSorted().join(", ") || "(none)"}`);
  });

  check("beside-the-list", "returns metadata next to the list", { observe: "N16" }, async (ctx) => {
    const { pointer } = await locate(ctx, id);
    const { answer } = await readWidest(ctx, id);
    const above = pointer.slice(0, Math.max(0, pointer.lastIndexOf("/")));
    ctx.observe("N16", `the list is in ${membersOf(resolve(answer.json, above))}`);
  });

  check("dates", "writes dates in a format of its choice", { observe: "G16" }, async (ctx) => {
    const { items } = await readWidest(ctx, id);
    const dates = items
      .flatMap((item) => scalars(item))
      .map(([path, value]) => [path, dateForm(value)] as const)
      .filter(([, form]) => form);
    for (const [path, form] of new Map(dates)) ctx.observe("G16", `${path} of an item is written as ${form}`);
  });
}

/** The different scalars among some values of the answers, as JSON, in order. */
function distinct(answers: readonly Answer[], read: (answer: Answer) => unknown): string[] {
  const values = answers.map(read).filter((value) => /^(string|number|boolean)$/.test(typeof value));
  return [...new Set(values.map((value) => JSON.stringify(value)))].toSorted();
}

/** How a text writes a date, if it is one. */
function dateForm(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return "a date (YYYY-MM-DD)";
  if (/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(value)) return `a date and time ${zoneOf(value)}`;
  return /^\d{1,2}[/.-]\d{1,2}[/.-]\d{4}/.test(value)
    ? "a date that begins with the day or the month"
    : undefined;
}

function zoneOf(value: string): string {
  if (/Z$/.test(value)) return "in UTC";
  return /[+-]\d\d:?\d\d$/.test(value) ? "with an offset" : "without a time zone";
}

// A defect that shows only now and then may stay unseen; how rare it would have to be depends on the number of answers.
for (const operation of operations.filter(documentsSuccess)) {
  const { id } = operation;
  const title = "gives so many answers that a rare defect of their form would show";
  check(`${id}/answers/coverage`, title, { observe: "G19" }, async (ctx) => {
    await answersOf(ctx, id);
    const directions: readonly Direction[] = documentsRejection(operation)
      ? ["success", "rejection"]
      : ["success"];
    const counts = directions.map((direction) => ({
      direction,
      count: answersIn(ctx, id, direction).length,
    }));
    const judged = counts.map(({ direction, count }) => counted(count, direction)).join(" and ");
    const seen = counts.flatMap(({ direction, count }) => {
      const rarest = rarestSeen(count);
      if (rarest === undefined) return [];
      return rarest === 1 ? [`every ${direction}`] : [`1 of ${counted(rarest, direction)}`];
    });
    const share = seen.length > 0 ? seen.join(" or ") : "no answer";
    ctx.observe(
      "G19",
      `${judged} were judged; a defect in ${share} would have been seen with 95 % certainty`,
    );
  });
}
