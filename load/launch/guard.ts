import { setTimeout as delay } from "node:timers/promises";
import { onStopSignal } from "../../fixtures/engine/config/signals.ts";
import type { Client } from "../../fixtures/engine/http/client.ts";
import { isTransfer } from "../reconcile/evidence.ts";
import { type Listing, learnListing } from "../reconcile/listing.ts";
import type { Line } from "../results/recording/lines.ts";

/** Why a load must stop; the guard updates it until the run ends. */
export interface Stop {
  interrupted: boolean;
  reason?: string;
  /** Whether a double payout is proven, so that nothing more is paid. */
  hasPaidTwice?: boolean;
}

/** Stops a load at Ctrl-C, and when the target fails or pays twice; a second signal, two seconds later or more, ends the process. */
export function guardLoad(client: Client) {
  const stop: Stop = { interrupted: false };
  const sending = new AbortController();
  let hasEnded = false;
  const stopBecause = (reason: string) => {
    if (stop.reason !== undefined || hasEnded) return;
    stop.reason = reason;
    process.stderr.write(`\nStopping the load and reconciling what was sent: ${reason}.\n`);
    sending.abort();
  };
  const release = onStopSignal(
    () => {
      stop.interrupted = true;
      process.stderr.write(
        "\nStopping the load and reconciling what was sent. Press Ctrl-C again to exit at once.\n",
      );
      sending.abort();
    },
    () => process.exit(130),
  );
  const watchers = [
    watchServerErrors(stopBecause),
    watchDoublePayouts(
      () => learnListing(client),
      () => delay(client.target.settleMs),
      (reason) => {
        stop.hasPaidTwice = true;
        stopBecause(reason);
      },
    ),
  ];
  return {
    stop,
    add: (line: Line | undefined) => {
      for (const watch of watchers) watch(line);
    },
    /** Aborted when k6 must stop. */
    signal: sending.signal,
    onEnd: () => {
      hasEnded = true;
    },
    release,
  };
}

/** A target that fails this often for this long gets no further load. */
const WINDOW_SECONDS = 30;
const MOST_FAILING = 0.5;

/** Watches the share of server errors in the last half minute of a load; returns what reads the lines of its log. */
export function watchServerErrors(onTooMany: (reason: string) => void) {
  let current = { second: 0, responses: 0, errors: 0 };
  let earlier: (typeof current)[] = [];
  return (line: Line | undefined) => {
    if (line?.kind !== "response") return;
    const second = Math.floor((line.startedMs + line.tookMs) / 1000);
    if (second > current.second) {
      earlier = [...earlier, current].filter((one) => one.second >= second - WINDOW_SECONDS);
      current = { second, responses: 0, errors: 0 };
      const sum = (of: "responses" | "errors") => earlier.reduce((all, one) => all + one[of], 0);
      if (second >= WINDOW_SECONDS && sum("errors") > sum("responses") * MOST_FAILING)
        onTooMany(
          `${sum("errors")} of ${sum("responses")} responses within ${WINDOW_SECONDS} s were server errors`,
        );
    }
    current.responses += 1;
    if (line.outcome === "server-error") current.errors += 1;
  };
}

/** A reference is compared with the last ones only, so that memory does not grow with the run. */
const REMEMBERED = 10_000;
/** The most references that are looked up: an API may have an identifier for each request. */
const MOST_SUSPECTS = 20;

/** Reads the lines of a load's log, and looks up whether a reference that was accepted under two transactionIds was paid twice. */
export function watchDoublePayouts(
  learn: () => Promise<Pick<Listing, "control" | "payouts">>,
  settle: () => Promise<void>,
  onProven: (reason: string) => void,
) {
  const identifiers = new Map<string, string>();
  const suspects = new Set<string>();
  let listing: ReturnType<typeof learn> | undefined;
  let work: Promise<void> = Promise.resolve();
  /** In two readings, since a surplus row may still become a rejection. */
  const judge = async (reference: string) => {
    listing ??= learn();
    const { control, payouts } = await listing;
    if (!control) return;
    for (let reading = 0; reading < 2; reading += 1) {
      await settle();
      if (((await payouts(reference)) ?? 0) <= control) return;
    }
    onProven(`the API paid ${reference} twice`);
  };
  return (line: Line | undefined) => {
    if (line?.kind !== "response" || !isTransfer(line)) return;
    const { reference, identifier, outcome } = line;
    if (reference === null || outcome !== "accepted" || identifier === null) return;
    const known = identifiers.get(reference) ?? identifier;
    identifiers.set(reference, known);
    const [oldest] = identifiers.size > REMEMBERED ? identifiers.keys() : [];
    if (oldest !== undefined) identifiers.delete(oldest);
    if (known === identifier || suspects.has(reference) || suspects.size >= MOST_SUSPECTS) return;
    suspects.add(reference);
    // One after the other, so that the lookups are no load of their own.
    work = work.then(() => judge(reference)).catch(() => undefined);
  };
}
