import { expectedStatuses, get } from "k6/http";
import { type Evidence, showsOtherAmount, showsOtherReference } from "./evidence.ts";
import { parseJson } from "./json.ts";
import type { Answer, Outcome } from "./outcome.ts";
import { probeAt, seenByBadKey, seenOnPage } from "./probes.ts";
import type { Settings } from "./settings.ts";

/** What was sent to get a response. */
interface Sent {
  readonly url: string;
  readonly body: string | null;
}

/** Watches for what speaks for or against an invariant, in every response and in probes of its own. */
export class Watch {
  readonly #settings: Pick<Settings, "probes" | "runId" | "client">;
  readonly #prefix: string;
  readonly #log: (line: readonly unknown[]) => void;
  readonly #anyStatus = expectedStatuses({ min: 100, max: 599 });

  /** All references of the run begin with `prefix`; `log` writes a line of answers.log. */
  constructor(
    settings: Pick<Settings, "probes" | "runId" | "client">,
    prefix: string,
    log: (line: readonly unknown[]) => void,
  ) {
    this.#settings = settings;
    this.#prefix = prefix;
    this.#log = log;
  }

  response(text: string, { url, body }: Sent, reference: string, outcome: Outcome): void {
    if (outcome === "malformed") this.#saw("malformed", reference);
    const isAbout = url.includes(reference) || body?.includes(reference);
    if (isAbout && showsOtherReference(text, this.#prefix, reference))
      this.#saw("foreign-reference", reference);
    if (outcome === "accepted" && showsOtherAmount(text, body ?? "")) this.#saw("other-amount", reference);
  }

  /** Sends the probe that is due in an iteration, if any. */
  probe(iteration: number): void {
    const { probes, runId, client } = this.#settings;
    const due = probes && probeAt(iteration, probes);
    const template = due && probes[due];
    if (!template) return;
    const requestId = `${runId}-load.${due}-${iteration}`;
    const response = get(template.url, {
      headers: { ...template.headers, "X-Request-Id": requestId },
      tags: { name: "probe" },
      timeout: client.timeoutMs,
      responseCallback: this.#anyStatus,
    });
    const answer: Answer = {
      status: response.status,
      errorCode: response.error_code,
      retryAfter: response.headers["Retry-After"] !== undefined,
      body: parseJson(response.body),
    };
    const seen =
      due === "badKey"
        ? seenByBadKey(probes.badKey.row, answer)
        : probes.page && answer.status === 200
          ? seenOnPage(answer.body, probes.page)
          : undefined;
    if (seen) this.#saw(seen, requestId);
  }

  #saw(evidence: Evidence, where: string): void {
    this.#log([evidence, where]);
  }
}
