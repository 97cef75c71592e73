import type { Read } from "./requests.ts";
import { type Evidence, fieldOf, type HttpResponse, outcomeOf, type RequestRow } from "./responses.ts";

/** Requests in addition to those of the workload, to see whether the API keeps its rules while it is busy. */
export interface Probes {
  readonly every: number;
  readonly badKey: Read & { readonly row: RequestRow };
  /** A page of all transfers, and where its items are, if that is known. */
  readonly page?: Read & { readonly limit: number; readonly place: string };
}

/** The probe that goes with an iteration, if any. */
export function probeAt(iteration: number, { every }: Pick<Probes, "every">): "badKey" | "page" | undefined {
  const turn = iteration % every;
  if (turn === every - 1) return "badKey";
  return turn === Math.floor(every / 2) - 1 ? "page" : undefined;
}

/** What the response to a probe shows; nothing if the key was not checked, or a page has no items where they are expected. */
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
  const { status, body } = response;
  const size = page && status === 200 ? sizeAt(body, page.place.split("/").slice(1)) : undefined;
  if (page === undefined || size === undefined) return undefined;
  return size > page.limit ? "page-too-long" : "page-in-bounds";
}

/** The number of items at a place such as `/data/transfers`; some services write a list as an object with numbers as keys. */
function sizeAt(body: unknown, [step, ...rest]: readonly string[]): number | undefined {
  if (step !== undefined) return sizeAt(fieldOf(body, step), rest);
  return typeof body === "object" && body !== null ? Object.keys(body).length : undefined;
}
