import { expect, it } from "vitest";
import type { Steps } from "../k6/requests.ts";
import { loggedResponse, recorded } from "../testing/example-result.ts";
import type { Limits, Planned } from "./result.ts";
import { judgeThresholds } from "./thresholds.ts";

const IN_TURN: Steps = [
  { operation: "createTransfer", weight: 1 },
  { operation: "listTransfers", weight: 1 },
];

/** `count` transfers, of which these outcomes and latencies are not ordinary. */
const measured = (count: number, change: (iteration: number) => object = () => ({}), steps?: Steps) => ({
  ...recorded(
    Array.from({ length: count }, (_, iteration) => loggedResponse({ iteration, ...change(iteration) })),
    steps,
  ),
  iterations: count,
  dropped: 0,
});

/** The thresholds of responses and latencies that were judged: `true` and `false` say whether they are kept. */
const judged = (...given: Parameters<typeof judgeThresholds>) =>
  judgeThresholds(...given)
    .filter(({ kind, isJudged }) => (kind === "latency" || kind === "responses") && isJudged !== false)
    .map(({ text, ok }) => `${text}: ${ok}`);

const latency = { createTransfer: { p50: 100, p95: 200, p99: 300 } };

it("judges no latency without objectives, and failures and drops by the default limits", () => {
  expect(judgeThresholds(measured(1000)).map(({ text, ok }) => `${text}: ${ok}`)).toEqual([
    "0 of 1,000 requests failed (limit: at most 1 % unless SLO says otherwise): true",
    "0 of 1,000 requests were rejected, although they were valid (limit: at most 1 % unless SLO says otherwise): true",
    "k6 dropped 0 of 1,000 iterations (limit: at most 1 % unless SLO says otherwise): true",
  ]);
});

it.each<[boolean, number, Limits]>([
  [true, 10, {}],
  [false, 11, {}],
  [true, 11, { dropped: 0.1 }],
  [false, 2, { dropped: 0.001 }],
])("says %s if k6 dropped %i of 1,000 iterations and the limits are %j", (kept, dropped, limits) => {
  const found = judgeThresholds({ ...measured(1000), iterations: 1000 - dropped, dropped }, limits);

  expect(found.find(({ kind }) => kind === "dropped")?.ok).toBe(kept);
});

it.each([
  [19, []],
  [20, ["p50 true"]],
  [200, ["p50 true", "p95 true"]],
  [1000, ["p50 true", "p95 true", "p99 true"]],
])("judges the percentiles for which %i responses are enough: %j", (count, percentiles) => {
  const found = judged(measured(count), { latency });

  expect(found.map((text) => text.replace(/.*(p\d+).*: (\w+)$/, "$1 $2"))).toEqual(percentiles);
});

it("says what was measured and what the objective is, for the latency furthest above it first", () => {
  const slow = measured(100, () => ({ latencyMs: 611.7 }), IN_TURN);

  expect(judged(slow, { latency: { createTransfer: { p50: 100 }, listTransfers: { p50: 50 } } })).toEqual([
    "listTransfers took 611.7 ms at p50 (objective: at most 50 ms): false",
    "createTransfer took 611.7 ms at p50 (objective: at most 100 ms): false",
  ]);
});

it.each([
  ["keeps", 99.5, true],
  ["breaks", 101, false],
])(
  "%s an objective of 100 ms with latencies from %d ms: a percentile is only known to 1.6 %",
  (_, from, ok) => {
    const near = measured(100, (iteration) => ({ latencyMs: from + (iteration % 10) / 20 }));

    expect(judged(near, { latency })).toEqual([expect.stringMatching(`: ${ok}$`)]);
  },
);

const rejecting = (count: number) => (iteration: number) =>
  iteration < count ? { outcome: "business-refused" } : {};
const LOOKUP = loggedResponse({ iteration: 1 });
const ACCEPTED_NONE = "no createTransfer request was accepted: false";
const TOO_FEW = "the API accepted a createTransfer request that it must reject: false";

it.each<[string, ReturnType<typeof recorded>, Planned, string[]]>([
  ["was not sent", recorded([LOOKUP], IN_TURN), {}, ["k6 sent no createTransfer request: false"]],
  ["was only throttled", measured(5, () => ({ outcome: "throttled" })), {}, [ACCEPTED_NONE]],
  ["was rejected as asked", measured(1200, rejecting(300)), { createTransfer: 300 }, []],
  ["was accepted too often", measured(1200, rejecting(299)), { createTransfer: 300 }, [TOO_FEW]],
  ["was always rejected", measured(1200, rejecting(1200)), { createTransfer: 300 }, [ACCEPTED_NONE]],
])("judges the responses of an operation that %s", (_, found, refusals, texts) => {
  expect(judged(found, {}, refusals)).toEqual(texts);
});

/** Transfers and lists in turn, each of which failed this often. */
const failing = (requests: number, transfers: number, lists: number, outcome = "server-error") =>
  measured(
    requests,
    (iteration) => (Math.floor(iteration / 2) < (iteration % 2 ? lists : transfers) ? { outcome } : {}),
    IN_TURN,
  );

const REJECTED = "2 of 100 createTransfer requests were rejected, although they were valid: false";
const NONE = "0 of 200 requests failed: true";

it.each<[string, ReturnType<typeof measured>, Limits, string]>([
  ["2 of 100", failing(200, 2, 1), {}, "2 of 100 createTransfer requests failed: 2 server errors: false"],
  ["2 of 200", failing(400, 2, 1), {}, "3 of 400 requests failed: 3 server errors: true"],
  ["one of each", failing(100, 1, 1), {}, "2 of 100 requests failed: 2 server errors: false"],
  ["1 of 50", failing(100, 1, 0), {}, "1 of 100 requests failed: 1 server error: true"],
  ["half, as throttled", failing(200, 50, 50, "throttled"), {}, NONE],
  [
    "one that SLO forbids",
    failing(200, 1, 0),
    { technicalFailures: 0 },
    "1 of 100 createTransfer requests failed: 1 server error: false",
  ],
  [
    "half, as SLO permits",
    failing(200, 50, 50, "timeout"),
    { technicalFailures: 0.5 },
    "100 of 200 requests failed: 100 timeouts: true",
  ],
  ["2 of 100, rejected though valid", failing(200, 2, 0, "valid-refused"), {}, REJECTED],
  [
    "rejections as SLO permits",
    failing(200, 2, 0, "valid-refused"),
    { rejections: 0.1 },
    "2 of 200 requests were rejected, although they were valid: true",
  ],
  [
    "what the machine of k6 could not send",
    failing(200, 50, 50, "unsent"),
    {},
    "0 of 100 requests failed: true",
  ],
  [
    "rejections of all from some moment on, which may have used up a balance",
    measured(200, (one) => (one < 150 ? {} : { outcome: "valid-refused" })),
    {},
    "0 of 200 requests were rejected, although they were valid: true",
  ],
])("judges failures: %s", (_, found, limits, text) => {
  const failures = judgeThresholds(found, limits).filter(({ kind }) => kind === "failures");

  expect(failures.map(({ text, ok }) => `${text.replace(/ \(.*\)$/, "")}: ${ok}`)).toContain(text);
});
