import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { pausedAt } from "../../fixtures/mutants/variations/busy.ts";
import { variations } from "../../fixtures/mutants/variations/variations.ts";
import { temporaryFolder } from "../../fixtures/testing/example-target.ts";
import { forward } from "../../fixtures/testing/forward.ts";
import { listen } from "../../fixtures/testing/listener.ts";
import {
  deployment,
  faultCalled,
  invariantsIn,
  k6OrSkip,
  latestFile,
  loadDeployment,
  resultIn,
  startLoad,
  untilTrue,
} from "../testing/load-command.ts";

describe("npm run load", () => {
  const LISTS = "listTransfers listCustomers listRecipients listDiscountCodes";

  test.for([
    [
      "transactions",
      "createCardTransaction createNddTransaction createQrTransaction initializeVirtualAccount",
    ],
    ["gateway", "createQrTransaction createTransfer listTransfers checkCustomLink listPageProducts"],
    ["payroll", "createTransfer listTransfers listRecipients"],
    [
      "everything",
      "createQrTransaction initializeVirtualAccount createTransfer refundTransaction getDispute",
    ],
    ["readers", LISTS],
    ["safe", "checkCustomLink refundTransaction initializeVirtualAccount"],
  ] as const)(
    "sends %s to a deployment that accepts only some page sizes",
    async ([workload, names], context) => {
      const changes = variations.filter(({ id }) => id === "limit-from-a-set");
      const given = { changes, DURATION: "2500ms" };

      const { code, stderr, result } = await loadDeployment(context, [workload, "--profile", "smoke"], given);

      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      const { operations = {} } = result.measured ?? {};
      expect(Object.keys(operations)).toEqual(expect.arrayContaining(names.split(" ")));
      for (const name of LISTS.split(" "))
        if (operations[name])
          expect(operations[name].outcomes).toEqual({ accepted: operations[name].requests });
    },
  );

  test("moves no money with safe, and fails a deployment that refunds what does not exist", async (context) => {
    const { when: _, ...always } = faultCalled("refundTransaction/unknown-without-amount");
    const given = { changes: [always], DURATION: "3s", ALLOW_PAYOUTS: "false" };

    const { code, stdout, result } = await loadDeployment(context, ["safe", "--profile", "smoke"], given);

    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: expect.stringContaining("the API accepted a refundTransaction request that it must reject"),
    });
    expect(result.money.planned).toEqual({ count: 0, total: 0 });
  });

  test("takes records from DATA, a mix and a shape from files, and feeds outputs of k6", async (context) => {
    const folder = temporaryFolder();
    const { BANK_CODE, ACCOUNT_NUMBER, ACCOUNT_NAME, CUSTOMER_ID } = (await deployment()).variables;
    const payee = `beneficiaries,,${BANK_CODE},${ACCOUNT_NUMBER},${ACCOUNT_NAME}`;
    const csv = [
      "kind,customerId,bankCode,accountNumber,accountName,amount",
      `customers,${CUSTOMER_ID},,,,`,
      `${payee},1`,
      `${payee},2`,
    ];
    const stages = [
      { seconds: 0, rate: 5 },
      { seconds: 2, rate: 40 },
    ];
    const steps = [
      { operation: "createTransfer", weight: 4 },
      { operation: "createTransfer", weight: 1, creationsAgo: 2 },
      { operation: "createQrTransaction", weight: 1 },
    ];
    writeFileSync(join(folder, "data.csv"), csv.join("\n"));
    writeFileSync(join(folder, "ramp.json"), JSON.stringify({ stages, arrivals: "poisson" }));
    writeFileSync(join(folder, "mine.json"), JSON.stringify(steps));
    const args = ["--mix", "mine.json", "--shape", "ramp.json", "--k6-out", "json=metrics.json"];
    const given = { DATA: "data.csv", RATE: undefined, DURATION: undefined };

    const { code, stdout, stderr, result } = await loadDeployment(context, args, given, folder);

    // A busy machine may start a few of so few requests late.
    if (code === 4) expect(stdout).toMatch(/requests too late|too slow for this rate/);
    else expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(
      /Workload mine, profile ramp: \d+ requests in 2 s, up to 40 per second, at random times\./,
    );
    const { records, steps: kept, profile, money, measured, runId } = result;
    expect({ records, kept, name: profile.name }).toEqual({
      records: { customers: 1, beneficiaries: 1 },
      kept: steps,
      name: "ramp",
    });
    const { createTransfer, createQrTransaction } = measured?.operations ?? {};
    expect(money.kept.count).toBe(4 + (createTransfer?.requests ?? 0) + (createQrTransaction?.requests ?? 0));
    const points = readFileSync(join(folder, "metrics.json"), "utf8").split("\n");
    const point = points.find(
      (one) => one.includes('"metric":"http_req_duration"') && one.includes('"Point"'),
    );
    const tags = {
      run: runId,
      workload: "mine",
      profile: "ramp",
      operation: expect.stringMatching(/^create/),
    };
    expect(JSON.parse(point ?? "")).toMatchObject({ data: { tags } });
  });

  test("accounts for all that an impatient client sends again", async (context) => {
    const { url } = (await deployment()).sandbox;
    const seen = new Map<string, number>();
    // Keeps back the first response to every fourth transfer for 2.5 seconds.
    const slow = await listen(async (incoming, outgoing) => {
      const { sent, response, answer } = await forward(url, incoming);
      const [, reference = ""] = /"transferReference":"(load-\w+-00000\d\d)"/.exec(sent) ?? [];
      const isLate = reference !== "" && !seen.has(reference) && seen.set(reference, 1).size % 4 === 0;
      if (isLate) await new Promise((resolve) => setTimeout(resolve, 2_500));
      outgoing.writeHead(response.statusCode ?? 0, response.rawHeaders).end(answer);
    });
    const given = { RATE: "20", DURATION: "2s", REQUEST_TIMEOUT_MS: "10000", BASE_URL: slow.url };
    const args = ["transfers", "--profile", "smoke", "--client", "impatient"];

    const { stdout, result } = await loadDeployment(context, args, given);

    expect(stdout).toContain("what takes longer than 2 s is sent again, up to 3 times");
    const { measured, money, iterations } = result;
    const { requests = 0, outcomes = {} } = measured?.operations.createTransfer ?? {};
    // One of four transfers got its response too late, and the second time in time.
    expect(outcomes.timeout).toBeGreaterThan(3);
    expect((outcomes.accepted ?? 0) + (outcomes.timeout ?? 0)).toBe(requests);
    expect(requests).toBeGreaterThan(32);
    expect(iterations).toBe(40);
    expect(money).toMatchObject({ planned: { count: 2 + 4 * 32 }, kept: { count: 2 + requests } });
    expect(invariantsIn(result, "held")).toEqual(expect.arrayContaining(["L1", "L2", "L3", "L6"]));
  });

  test("stops on Ctrl-C, reconciles what it sent and exits with 130", async (context) => {
    await k6OrSkip(context);
    const { folder, ended, process: sending } = startLoad(["transfers", "--profile", "average"]);
    const log = latestFile(folder, "responses.log");
    await untilTrue(() => existsSync(log) && readFileSync(log, "utf8").split("\n").length > 20);

    sending.kill("SIGINT");
    const { code, stderr } = await ended;

    expect({ code, stderr }).toEqual({ code: 130, stderr: expect.stringContaining("Stopping the load") });
    const { outcome, invariants, reconciled } = resultIn(folder);
    expect(outcome).toBe("interrupted");
    expect(invariants.filter(({ state }) => state !== "held" && state !== "unjudged")).toEqual([]);
    expect(reconciled).toBeGreaterThan(10);
  });

  test("shows a server pause in the percentiles of an open-model run, and not in those of a closed one", async (context) => {
    const given = { changes: [pausedAt(5_000)], RATE: "80", DURATION: "14s" };
    const through = (profile: string) => loadDeployment(context, ["qr", "--profile", profile], given);

    const [open, closed] = await Promise.all([through("average"), through("smoke")]);

    const { measured } = open.result;
    const { max = 0, p95 = 0 } = measured?.operations.createQrTransaction?.latencyMs ?? {};
    // A third of the requests were due in the pause, and waited for its end.
    expect(max).toBeGreaterThan(4_500);
    expect(max).toBeLessThan(6_500);
    expect(p95).toBeGreaterThan(2_000);
    expect(closed.result.measured?.operations.createQrTransaction?.latencyMs.p95).toBeLessThan(500);
    const seconds = (measured?.series.slices ?? []).flatMap(({ operations }) =>
      Object.values(operations).map(({ histogram }) => histogram),
    );
    const slow = seconds.filter((histogram) => histogram.max > 2_000);
    expect(slow.length).toBeGreaterThanOrEqual(2);
    expect(slow.length).toBeLessThanOrEqual(5);
    const medians = seconds.filter(({ count }) => count > 0).map((histogram) => histogram.percentile(0.5));
    expect(Math.max(...medians)).toBeGreaterThan(3_000);
    expect(Math.min(...medians)).toBeLessThan(200);
    expect(readFileSync(latestFile(open.folder, "load.html"), "utf8")).toContain(
      "Latency percentiles over time",
    );
  });
});
