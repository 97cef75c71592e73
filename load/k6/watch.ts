import { expectedStatuses, get } from "k6/http";
import { type Evidence, showsOtherAmount, showsOtherReference } from "./evidence.ts";
import { parseJson } from "./json.ts";
import type { Outcome } from "./outcome.ts";
import { probeAt, seenByBadKey, seenOnPage } from "./probes.ts";
import type { Settings } from "./settings.ts";

/** A response and its request. */
interface Seen {
  readonly text: string;
  readonly body: unknown;
  readonly url: string;
  readonly sent: string | null;
  readonly reference: string;
  readonly outcome: Outcome;
}

/**
 * Watches for what speaks for or against an invariant, in every response and in probes of its own. All references of the run
 * begin with `prefix`; `log` writes a line of responses.log.
 */
export function watchOf(
  { probes, runId, client }: Pick<Settings, "probes" | "runId" | "client">,
  prefix: string,
  log: (line: readonly unknown[]) => void,
) {
  const anyStatus = expectedStatuses({ min: 100, max: 599 });
  const saw = (evidence: Evidence, where: string) => log([evidence, where]);
  return {
    response({ text, body, url, sent, reference, outcome }: Seen): void {
      if (outcome === "malformed") saw("malformed", reference);
      const isAbout = url.includes(reference) || sent?.includes(reference);
      if (isAbout && showsOtherReference(text, prefix, reference)) saw("foreign-reference", reference);
      if (outcome === "accepted" && sent !== null && showsOtherAmount(body, sent))
        saw("other-amount", reference);
    },
    /** Sends the probe that is due in an iteration, if any. */
    probe(iteration: number): void {
      const due = probes && probeAt(iteration, probes);
      const template = due && probes[due];
      if (!template) return;
      const requestId = `${runId}-load.${due}-${iteration}`;
      const { status, error_code, headers, body } = get(template.url, {
        headers: { ...template.headers, "X-Request-Id": requestId },
        tags: { name: "probe" },
        timeout: client.timeoutMs,
        responseCallback: anyStatus,
      });
      const retryAfter = headers["Retry-After"] !== undefined;
      const response = { status, errorCode: error_code, retryAfter, body: parseJson(body) };
      const seen =
        due === "badKey" ? seenByBadKey(probes.badKey.row, response) : seenOnPage(response, probes.page);
      if (seen) saw(seen, requestId);
    },
  };
}
