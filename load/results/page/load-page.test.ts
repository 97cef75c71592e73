import { describe, expect, it } from "vitest";
import { exampleResult, loggedAnswer, recorded } from "../../testing/example-result.ts";
import { invariant } from "../invariant.ts";
import { renderLoadPage } from "./load-page.ts";

const HOSTILE = `</style><script>alert(1)</script><img src="http://127.0.0.1:9/x" onerror="alert(2)">`;

describe("load.html", () => {
  it("says the outcome in a sentence, with the table, the charts, the invariants and the validity", async () => {
    const page = await renderLoadPage(exampleResult());

    expect(page).toContain("<h1>Failed under load</h1>");
    expect(page).toContain("payments staging: broken invariant: L2 (no reference is paid twice)");
    for (const id of [
      "operations",
      "course",
      "distribution",
      "thresholds",
      "invariants",
      "validity",
      "money",
    ]) {
      expect(page).toContain(`<section id="${id}"`);
    }
    // Rate, latency, failures and distribution, each for a desk and for a phone.
    expect(page.match(/<svg /g)).toHaveLength(8);
    expect(page).toContain("the generator kept its schedule");
  });

  it("says first how much failed and that latency was not judged, and which limits were defaults", async () => {
    const page = await renderLoadPage(exampleResult());

    const text = page.replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ");
    expect(text).toContain("server errors 0 timeouts 0 lost connections 0 dropped iterations 0");
    expect(text).toContain("highest p95 (createTransfer; latency was not judged) 2008 ms");
    expect(text).toContain("0 of 1,200 requests failed (default limit: at most 1 %) ✓ held");
  });

  it("needs no script and asks no host, whatever the target returned", async () => {
    const page = await renderLoadPage(
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

  it("draws with no more digits than a screen shows: others may look like a number that is secret", async () => {
    expect(await renderLoadPage(exampleResult())).not.toMatch(/\d\.\d{5}/);
  });

  it("shows what is known of a run that k6 did not measure", async () => {
    const { measured: _, ...rest } = exampleResult({ outcome: "error", problems: ["k6 was killed"] });

    const page = await renderLoadPage(rest);

    expect(page).toContain("<h1>Error under load</h1>");
    expect(page).toContain("k6 was killed");
    expect(page).not.toContain("<svg");
  });

  it("says how many runners shared the load, and when it was prepared and merged", async () => {
    const page = await renderLoadPage(exampleResult({ runners: 4, generator: {} }));

    expect(page).toMatch(/Prepared[\s\S]*Merged[\s\S]*from the logs of 4 runners/);
    expect(page).toContain("unknown on the machines of the runners");
    expect(page).not.toContain("with the lookup of the transfers");
  });

  it("says why the load was stopped early", async () => {
    const page = await renderLoadPage(exampleResult({ stopped: "the API paid r1 twice" }));

    expect(page).toMatch(/Stopped early<.*the API paid r1 twice/s);
  });

  it("says where the target began to throttle", async () => {
    const lines = Array.from({ length: 200 }, (_, iteration) =>
      loggedAnswer({ iteration, outcome: iteration >= 100 && iteration % 2 ? "throttled" : "accepted" }),
    );
    const measured = recorded(lines).summary();

    const page = await renderLoadPage(exampleResult({ ...(measured && { measured }) }));

    expect(page).toContain(
      "began to throttle (429, or 503 with Retry-After) at 20.0 requests/s, 5 s into the load",
    );
  });
});
