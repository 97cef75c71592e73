import type { Read } from "./requests.ts";
import { type Evidence, type HttpResponse, outcomeOf, type RequestRow } from "./responses.ts";

/** Requests in addition to those of the workload, to see whether the API keeps its rules while it is busy. */
export interface Probes {
  readonly every: number;
  readonly badKey: Read & { readonly row: RequestRow };
  /** A page of all transfers, if its length is known. */
  readonly page?: Read & { readonly limit: number };
}

/** The probe that goes with an iteration, if any. */
export function probeAt(iteration: number, { every }: Pick<Probes, "every">): "badKey" | "page" | undefined {
  const turn = iteration % every;
  if (turn === every - 1) return "badKey";
  return turn === Math.floor(every / 2) - 1 ? "page" : undefined;
}

/** What the response to a probe shows; nothing if the key was not checked, or a page has no list. */
export function seenByProbe(
  due: "badKey" | "page",
  { badKey, page }: Probes,
  response: HttpResponse,
): Evidence | undefined {
  if (due === "badKey") {
    const outcome = outcomeOf(badKey.row, response);
    if (outcome === "accepted") return "bad-key-accepted";
    return outcome === "auth-error" ? "bad-key-rejected" : undefined;
  }
  const length = response.status === 200 ? longestList(response.body) : 0;
  if (page === undefined || length === 0) return undefined;
  return length > page.limit ? "page-too-long" : "page-in-bounds";
}

/** The length of the longest list in a body, whose layout is undocumented. */
export function longestList(body: unknown, depth = MOST_DEPTH): number {
  if (typeof body !== "object" || body === null || depth === 0) return 0;
  const own = Array.isArray(body) ? body.length : 0;
  return Object.values(body).reduce((most: number, one) => Math.max(most, longestList(one, depth - 1)), own);
}

/** No page nests its list deeper. */
const MOST_DEPTH = 6;
