import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { NOTICE } from "../../fixtures/engine/redaction/leaks.ts";
import type { Call } from "../../fixtures/sandbox/points/call.ts";
import { counter } from "../../fixtures/sandbox/points/conditions.ts";
import type { Change } from "../../fixtures/sandbox/points/points.ts";
import { exampleTarget, temporaryFolder } from "../../fixtures/testing/example-target.ts";
import { bytesOf, forward } from "../../fixtures/testing/forward.ts";
import { listen } from "../../fixtures/testing/listener.ts";
import { expectEveryKindSearched, plantLeak } from "../../fixtures/testing/planted-leaks.ts";
import type { LoadResult } from "../results/result.ts";
import {
  deployment,
  invariantsIn,
  k6OrSkip,
  latestFile,
  ledgerIn,
  loadDeployment,
  SHORT,
  startLoad,
} from "../testing/load-command.ts";

describe("npm run load stops by itself", () => {
  /** Makes transfers go wrong after the first twenty; a load of two minutes. */
  const later = (points: Change["points"]) => {
    const calls = counter(() => "any transfer");
    const change = {
      id: "later",
      on: ["createTransfer"],
      when: (call: Call) => calls(call) > 20,
      points,
    } as const;
    return { changes: [change], RATE: "20", DURATION: "120s" };
  };

  test("after 30 s in which more than half of the responses are server errors", async (context) => {
    const body = { status: "error", message: "Internal error" };
    const given = later({ gate: () => ({ status: 500, headers: {}, body }) });

    const { code, stderr, result } = await loadDeployment(
      context,
      ["transfers", "--profile", "average"],
      given,
    );

    expect(stderr).toMatch(/Stopping the load .*: \d+ of \d+ responses within 30 s were server errors\.\n/);
    // A fresh transfer still crashes after the load.
    expect({ code, because: result.because }).toEqual({
      code: 1,
      because: expect.stringContaining("L13 (the API recovers after the load): createTransfer returned 500"),
    });
    expect(result.measured?.durationMs).toBeLessThan(60_000);
  });

  test("when it has proved a double payout, and says so in every report", async (context) => {
    const given = later({ repeat: () => "pay-again" });

    const { code, stdout, stderr, folder, result } = await loadDeployment(
      context,
      ["transfers", "--profile", "average"],
      given,
    );

    const { stopped = "", money, invariants } = result;
    expect(stopped).toMatch(/^the API paid load-[\da-f]{8}-\d{7} twice$/);
    expect(stderr).toContain(`Stopping the load and reconciling what was sent: ${stopped}.\n`);
    expect({ code, broken: invariantsIn(result, "broken") }).toEqual({ code: 1, broken: ["L2"] });
    expect(stdout).toMatch(/FAILED.*L2 \(.*; the load was stopped: the API paid load-\S+ twice/);
    for (const file of ["load.html", "summary.md", "junit.xml"])
      expect(readFileSync(latestFile(folder, file), "utf8")).toContain(stopped);
    // Nothing more is paid, not even the one transfer after the load.
    expect(invariants.map(({ id }) => id)).toContain("L13");
    expect(money.kept.count).toBeLessThan(1000);
  });
});

test.for([
  [true, "keeps", /shows load-\S+ all the same, so it counts as paid in the ledger\. Check BANK_CODE/],
  [false, "releases", /\(.*invalid.*\)\. Check BANK_CODE/],
] as const)(
  "a rejected first transfer that was paid: %s; the ledger %s it",
  async ([isPaid, fate, says], context) => {
    await k6OrSkip(context);
    const { sandbox, variables } = await deployment();
    // Returns 400 to every transfer, and passes it on before if it is to be paid.
    const rejecting = await listen(async (incoming, outgoing) => {
      const body = await bytesOf(incoming);
      const isTransfer = body.includes('"transferReference"');
      const passed = isTransfer && !isPaid ? undefined : await forward(sandbox.url, incoming, body);
      if (!isTransfer && passed) {
        outgoing.writeHead(passed.response.statusCode ?? 0, passed.response.rawHeaders).end(passed.answer);
        return;
      }
      outgoing.writeHead(400, { "content-type": "application/json" });
      outgoing.end('{"status":"error","message":"invalid","errors":{}}');
    });
    const given = { ...variables, ...SHORT, BASE_URL: rejecting.url };

    const { folder, ended } = startLoad(["transfers", "--profile", "smoke"], given);
    const { code, stderr } = await ended;

    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringMatching(says) });
    expect(ledgerIn(folder).match(/"type":"keep"/g) ?? []).toHaveLength(fate === "keeps" ? 1 : 0);
  },
);

describe("the folder of a load run", () => {
  /** Runs a short load of transfers; one of its files shows the value of the variable that `leaked` names. */
  async function runLoad(change: Readonly<Record<string, string>>, leaked?: string) {
    const folder = temporaryFolder();
    const { variables } = await deployment();
    const given: Record<string, string> = { ...variables, ...SHORT, ...change };
    if (leaked) plantLeak(join(folder, "reports/out/latest-load"), given[leaked] ?? "");
    const { ended } = startLoad(["transfers", "--profile", "smoke"], given, folder);
    return { ...(await ended), given, folder };
  }

  test("goes under quarantine if it shows a secret, and the run keeps its verdict", async (context) => {
    await k6OrSkip(context);

    const { code, stdout, stderr, given, folder } = await runLoad({}, "SECRET_KEY");

    const [name = ""] = readdirSync(join(folder, "reports/out-quarantine"));
    const place = join(folder, "reports/out-quarantine", name);
    const result = JSON.parse(readFileSync(join(place, "result.json"), "utf8")) as LoadResult;
    expect({ code, outcome: result.outcome, problems: result.problems }).toEqual({
      code: 70,
      outcome: "passed",
      problems: [],
    });
    expect(stdout).toContain("PASSED (exit code 0)");
    expect(stdout).toContain(`Written to reports/out-quarantine/${name}`);
    expect(stderr).toContain("planted.txt shows the value of SECRET_KEY");
    expect(stderr).toContain(`under quarantine in reports/out-quarantine/${name}`);
    expect(existsSync(join(folder, "reports/out/latest-load"))).toBe(false);
    expect(statSync(place).mode & 0o077).toBe(0);
    expect(readFileSync(join(place, NOTICE), "utf8")).toContain("planted.txt");
    const kinds =
      "QUARANTINE.txt junit.xml k6.log k6/.js k6/traffic/.js load.html planted.txt responses.log result.json run.json summary.md";
    expect(expectEveryKindSearched(place, exampleTarget(given).secrets).toSorted()).toEqual(kinds.split(" "));
  });

  test("stays with the account number of the example file, unless it shows that", async (context) => {
    await k6OrSkip(context);
    const ACCOUNT_NUMBER = "0123456789";

    const [clean, leaking] = await Promise.all([
      runLoad({ ACCOUNT_NUMBER }),
      runLoad({ ACCOUNT_NUMBER }, "ACCOUNT_NUMBER"),
    ]);

    expect({ code: clean.code, stderr: clean.stderr }).toEqual({ code: 0, stderr: "" });
    expect(existsSync(join(clean.folder, "reports/out-quarantine"))).toBe(false);
    expect(leaking.code).toBe(70);
    expect(leaking.stderr).toMatch(/^planted\.txt shows the value of ACCOUNT_NUMBER/m);
  });
});
