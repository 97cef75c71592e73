import { expect, it } from "vitest";
import { exampleResult, loggedResponse, recorded } from "../../testing/example-result.ts";
import { invariant } from "../result.ts";
import { renderLoadPage } from "./load-page.ts";

/** A run of which every second response from its fifth second on had this outcome. */
function limitedBy(outcome: string) {
  const lines = Array.from({ length: 200 }, (_, iteration) =>
    loggedResponse({ iteration, outcome: iteration >= 100 && iteration % 2 ? outcome : "accepted" }),
  );
  return { measured: recorded(lines) };
}

const HOSTILE = `</style><script>alert(1)</script><img src="http://127.0.0.1:9/x" onerror="alert(2)">`;

/** The text of a page as a reader sees it, with one space for each run of white space. */
const textOf = (...change: Parameters<typeof exampleResult>) =>
  renderLoadPage(exampleResult(...change))
    .replace(/<style>.*?<\/style>/s, "")
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/\s+/g, " ");

it.each<[string, Parameters<typeof exampleResult>[0], readonly (string | RegExp)[]]>([
  [
    "the outcome, how much failed, that latency was not judged, the limits, and the validity",
    {},
    [
      "Failed under load payments staging: broken invariant: L2 (no reference is paid twice)",
      "sent 1,200 accepted 1,190 as asked 10 rejected 0 throttled 0 errors 0 unknown 0 dropped 0",
      "highest p95 (createTransfer; latency was not judged) 2008 ms",
      "Operations Over time Thresholds Correctness Validity Money",
      "0 of 1,200 requests failed (limit: at most 1 % unless SLO says otherwise) ✓ held",
      "schedule lag 0 ms: valid.",
    ],
  ],
  [
    "how many runners shared the load, and when it was prepared and merged",
    { runners: 4 },
    [/Started .* Finished .* merged from the logs of 4 runners/],
  ],
  [
    "where the target began to throttle",
    limitedBy("throttled"),
    [/began to throttle .* at 20\.0 requests\/s, 5 s into the load, and served 10\.0\/s/],
  ],
  ["where the target began to fail", limitedBy("timeout"), [/began to fail at 20\.0 requests\/s, 5 s/]],
])("says %s", (_case, change, parts) => {
  const text = textOf(change);

  for (const part of parts) expect(text).toMatch(part);
});

it("draws rate, latency and failures, without secret-looking digits", () => {
  const page = renderLoadPage(exampleResult());

  expect(page.match(/<figure class="chart"/g)).toHaveLength(3);
  expect(page).not.toMatch(/\d\.\d{5}/);
});

it("needs no script and asks no host, whatever the target returned", () => {
  const page = renderLoadPage(
    exampleResult({
      because: HOSTILE,
      problems: [HOSTILE],
      target: { name: HOSTILE, baseUrl: `http://127.0.0.1/${HOSTILE}`, embedded: false },
      invariants: [{ ...invariant("L2", "broken", HOSTILE), references: [HOSTILE] }],
    }),
  );

  expect(page).not.toMatch(/<script|<img|<link (?!rel="icon" href="data:,")|@import|url\(/i);
  expect(page).toContain("&lt;script&gt;");
});

it("shows what is known of a run that k6 did not measure", () => {
  const { measured: _, ...rest } = exampleResult({ outcome: "error", problems: ["k6 was killed"] });

  const page = renderLoadPage(rest);

  expect(page).toContain("<h1>Error under load</h1>");
  expect(page).toContain("k6 was killed");
  expect(page).not.toContain("<svg");
});
