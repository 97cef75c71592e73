import type { ApiResponse } from "../../../fixtures/engine/vocabulary.ts";
import { groupBy } from "../../../reports/grouping.ts";

/** As many kinds as a check looks up. */
const MOST_KINDS = 10;

/** The first response to each kind of request: those with the same fields, which a service may store in one way. */
export function oneOfEachKind(responses: readonly ApiResponse[]): ApiResponse[] {
  const kinds = [...groupBy(responses, fieldsOf).values()];
  return kinds.flatMap(([first]) => first ?? []).slice(0, MOST_KINDS);
}

function fieldsOf(response: ApiResponse): string {
  const parts = [...response.textSent.matchAll(/form-data; name="([^"]+)"/g)].map(([, name]) => name);
  return [...new Set([...parts, ...Object.keys(response.bodySent)])].toSorted().join();
}
