import type { Evidence } from "./evidence.ts";
import { fieldOf, type HttpResponse, outcomeOf, type RequestRow } from "./outcome.ts";
import type { Template } from "./templates/template.ts";

/** Requests in addition to those of the workload, to see whether the API keeps its rules while it is busy. */
export interface Probes {
  /** The number of iterations with one probe of each kind. */
  readonly every: number;
  /** A request for the list of transfers with a key that was never issued. */
  readonly badKey: Template & { readonly row: RequestRow };
  /** A page of all transfers, and where its items are, if that is known. */
  readonly page?: Template & { readonly limit: number; readonly place: string };
}

/** The probe that goes with an iteration, if any. */
export function probeAt(iteration: number, { every }: Pick<Probes, "every">): "badKey" | "page" | undefined {
  const turn = iteration % every;
  if (turn === every - 1) return "badKey";
  return turn === Math.floor(every / 2) - 1 ? "page" : undefined;
}

/** What the response to a request with a bad key shows; nothing if the API was too busy to check the key. */
export function seenByBadKey(row: RequestRow, response: HttpResponse): Evidence | undefined {
  const outcome = outcomeOf(row, response);
  if (outcome === "accepted") return "bad-key-accepted";
  return outcome === "auth-error" ? "bad-key-rejected" : undefined;
}

/** What a page of a list shows; nothing if it has no items where they are expected. */
export function seenOnPage({ status, body }: HttpResponse, page: Probes["page"]): Evidence | undefined {
  const size = page && status === 200 ? sizeAt(body, page.place.split("/").slice(1)) : undefined;
  if (page === undefined || size === undefined) return undefined;
  return size > page.limit ? "page-too-long" : "page-in-bounds";
}

/** The number of items at a place such as `/data/transfers`; some services write a list as an object with numbers as keys. */
function sizeAt(body: unknown, [step, ...rest]: readonly string[]): number | undefined {
  if (step !== undefined) return sizeAt(fieldOf(body, step), rest);
  return typeof body === "object" && body !== null ? Object.keys(body).length : undefined;
}
