import type { CheckResult } from "./verdict.ts";

/** What checks are about, by the second part of their ids. */
const TOPICS: Readonly<Record<string, string>> = {
  answers: "every answer",
  auth: "authentication",
  environment: "test and live",
  http: "HTTP",
  idempotency: "idempotency",
  paging: "pages",
  rejections: "rejections",
  values: "values",
};

/** What a check is about, in a word or two. */
export function topicOf({ id }: Pick<CheckResult, "id">): string {
  const [, part = "", ...rest] = id.split("/");
  if (/merchant/.test(id)) return "ownership";
  if (rest.length === 0) return "basics";
  return TOPICS[part] ?? "fields";
}
