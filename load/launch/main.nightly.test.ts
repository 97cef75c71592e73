import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Fault } from "../../fixtures/mutants/faults/fault.ts";
import { faults } from "../../fixtures/mutants/faults/faults.ts";
import { startSandbox } from "../../fixtures/sandbox/service/server.ts";
import { temporaryFolder } from "../../fixtures/testing/example-target.ts";
import { forward } from "../../fixtures/testing/forward.ts";
import { listen } from "../../fixtures/testing/listener.ts";
import { k6OrSkip } from "../testing/k6-present.ts";
import { latestFile, resultIn, startLoad, untilTrue } from "../testing/load-command.ts";

const LONG = { timeout: 60_000 };
/** 60 requests: a whole cycle of the transfer mix, repeats included. */
const SHORT = { RATE: "40", DURATION: "1500ms" };

/** The variables of a deployment with this fault, as an operator would set them. */
async function deployment(fault: string | undefined): Promise<Record<string, string>> {
  return deploymentWith(fault === undefined ? undefined : faultCalled(fault));
}

function faultCalled(id: string): Fault {
  const found = faults.find((fault) => fault.id === id);
  if (!found) throw new Error(`there is no fault ${id}`);
  return found;
}

async function deploymentWith(fault: Fault | undefined): Promise<Record<string, string>> {
  const sandbox = await startSandbox(fault ? { fault } : {});
  onTestFinished(() => sandbox.close());
  const consent = { ALLOW_PAYOUTS: "true", MAX_PAYOUTS: "100", MAX_PAYOUT_TOTAL: "100000000" };
  return { ...sandbox.env, ...consent, SETTLE_SECONDS: "0.2", ...SHORT };
}

/** A proxy before a deployment, which keeps back the first answer to every fourth transfer for 2.5 seconds. */
async function slowAtFirst(deploymentUrl: string): Promise<string> {
  const seen = new Map<string, number>();
  const { url } = await listen(async (incoming, outgoing) => {
    const { sent, response, answer } = await forward(deploymentUrl, incoming);
    const [, reference] = /"transferReference":"(load-\w+-00000\d\d)"/.exec(sent) ?? [];
    const isLate =
      reference !== undefined && !seen.has(reference) && seen.set(reference, seen.size).size % 4 === 0;
    if (isLate) await new Promise((resolve) => setTimeout(resolve, 2_500));
    outgoing.writeHead(response.statusCode ?? 0, response.rawHeaders).end(answer);
  });
  return url;
}

describe("npm run load", () => {
  test.for([
    ["transactions", ["CardTransaction", "NddTransaction", "QrTransaction", "VirtualAccount"]],
    ["gateway", ["QrTransaction", "createTransfer", "listTransfers", "checkCustomLink", "listPageProducts"]],
    ["payroll", ["createTransfer", "listTransfers", "listRecipients"]],
    ["everything", ["QrTransaction", "VirtualAccount", "createTransfer", "refundTransaction", "getDispute"]],
    ["readers", ["listTransfers", "listCustomers", "listRecipients", "listDiscountCodes"]],
    ["safe", ["checkCustomLink", "refundTransaction", "VirtualAccount"]],
  ] as const)("loads the embedded sandbox with %s", LONG, async ([workload, operations], context) => {
    await k6OrSkip(context);
    const variables = { RATE: "40", DURATION: "2500ms" };
    const { folder, ended } = startLoad([workload, "--profile", "smoke"], variables);

    const { code, stderr } = await ended;

    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const sent = Object.keys(resultIn(folder).measured?.operations ?? {}).join(" ");
    for (const operation of operations) expect(sent).toContain(operation);
  });

  test(
    "moves no money with safe, and fails a deployment that refunds what does not exist",
    LONG,
    async (context) => {
      await k6OrSkip(context);
      const { when: _when, ...always } = faultCalled("refundTransaction/unknown-without-amount");
      const { ALLOW_PAYOUTS: _, ...variables } = await deploymentWith(always);
      const { folder, ended } = startLoad(["safe", "--profile", "smoke"], { ...variables, DURATION: "3s" });

      const { code, stdout } = await ended;

      expect({ code, stdout }).toEqual({
        code: 1,
        stdout: expect.stringContaining("the API accepted a refundTransaction request that it must reject"),
      });
      expect(resultIn(folder).money.planned).toEqual({ count: 0, total: 0 });
    },
  );

  test("takes customers and beneficiaries from DATA, a mix and a shape from files", LONG, async (context) => {
    await k6OrSkip(context);
    const variables = await deployment(undefined);
    const { BANK_CODE, ACCOUNT_NUMBER, ACCOUNT_NAME, CUSTOMER_ID } = variables;
    const folder = temporaryFolder();
    const payees = [ACCOUNT_NUMBER, ACCOUNT_NUMBER].map(
      (number, index) => `beneficiaries,,${BANK_CODE},${number},${ACCOUNT_NAME},${index + 1}`,
    );
    const csv = [
      "kind,customerId,bankCode,accountNumber,accountName,amount",
      `customers,${CUSTOMER_ID},,,,`,
      ...payees,
    ];
    writeFileSync(join(folder, "data.csv"), csv.join("\n"));
    const stages = [
      { seconds: 0, rate: 5 },
      { seconds: 2, rate: 40 },
    ];
    writeFileSync(join(folder, "ramp.json"), JSON.stringify({ stages, arrivals: "poisson" }));
    const steps = [
      { operation: "createTransfer", weight: 4 },
      { operation: "createTransfer", weight: 1, creationsAgo: 2 },
      { operation: "createQrTransaction", weight: 1 },
    ];
    writeFileSync(join(folder, "mine.json"), JSON.stringify(steps));
    const { RATE: _rate, DURATION: _duration, ...others } = variables;

    const args = ["--mix", "mine.json", "--shape", "ramp.json"];
    const { code, stdout, stderr } = await startLoad(args, { ...others, DATA: "data.csv" }, folder).ended;

    // A busy machine may start a few of so few requests late.
    if (code === 4) expect(stdout).toMatch(/requests too late|too slow for this rate/);
    else expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(
      /Workload mine, profile ramp: \d+ requests in 2 s, up to 40 per second, at random times\./,
    );
    const { records, steps: kept, profile, money, measured } = resultIn(folder);
    expect({ records, kept, name: profile.name }).toEqual({
      records: { customers: 1, beneficiaries: 1 },
      kept: steps,
      name: "ramp",
    });
    const { createTransfer, createQrTransaction } = measured?.operations ?? {};
    expect(money.kept.count).toBe(4 + (createTransfer?.requests ?? 0) + (createQrTransaction?.requests ?? 0));
  });

  test("accounts for all that an impatient client sends again", LONG, async (context) => {
    await k6OrSkip(context);
    const variables = await deployment(undefined);
    const slow = await slowAtFirst(variables.BASE_URL ?? "");
    const consent = { MAX_PAYOUTS: "400", RATE: "20", DURATION: "2s", REQUEST_TIMEOUT_MS: "10000" };
    const { folder, ended } = startLoad(["transfers", "--profile", "smoke", "--client", "impatient"], {
      ...variables,
      ...consent,
      BASE_URL: slow,
    });

    const { stdout } = await ended;

    expect(stdout).toContain("what takes longer than 2 s is sent again, up to 3 times");
    const { measured, money, invariants, iterations } = resultIn(folder);
    const { requests = 0, outcomes = {} } = measured?.operations.createTransfer ?? {};
    // One of four transfers got its answer too late, and the second time in time.
    expect(outcomes.timeout).toBeGreaterThan(3);
    expect((outcomes.accepted ?? 0) + (outcomes.timeout ?? 0)).toBe(requests);
    expect(requests).toBeGreaterThan(32);
    expect(iterations).toBe(40);
    expect(money).toMatchObject({ planned: { count: 2 + 4 * 32 }, kept: { count: 2 + requests } });
    const states = Object.fromEntries(invariants.map(({ id, state }) => [id, state]));
    expect(states).toMatchObject({ L1: "held", L2: "held", L3: "held", L6: "held" });
  });

  test(
    "feeds k6's own outputs, with tags for the run, the workload, the profile and the operation",
    LONG,
    async (context) => {
      await k6OrSkip(context);
      const args = [
        "qr",
        "--profile",
        "smoke",
        "--k6-out",
        "json=metrics.json",
        "--k6-out",
        "csv=metrics.csv",
      ];
      const { folder, ended } = startLoad(args, SHORT);

      const { code } = await ended;

      expect(code).toBe(0);
      const [line = ""] = readFileSync(join(folder, "metrics.json"), "utf8")
        .split("\n")
        .filter((text) => text.includes('"metric":"http_req_duration"') && text.includes('"Point"'));
      expect(JSON.parse(line)).toMatchObject({
        data: {
          tags: {
            run: resultIn(folder).runId,
            workload: "qr",
            profile: "smoke",
            operation: "createQrTransaction",
          },
        },
      });
      expect(readFileSync(join(folder, "metrics.csv"), "utf8")).toContain("http_req_duration");
    },
  );

  test("stops on Ctrl-C, reconciles what it sent and exits with 130", LONG, async (context) => {
    await k6OrSkip(context);
    const { folder, ended, kill } = startLoad(["transfers", "--profile", "average"]);
    const answers = () =>
      existsSync(latestFile(folder, "answers.log"))
        ? readFileSync(latestFile(folder, "answers.log"), "utf8")
        : "";
    await untilTrue(() => answers().split("\n").length > 20);

    kill("SIGINT");
    const { code, stderr } = await ended;

    expect({ code, stderr }).toEqual({ code: 130, stderr: expect.stringContaining("Stopping the load") });
    const { outcome, invariants, reconciled } = resultIn(folder);
    expect({ outcome, states: new Set(invariants.map(({ state }) => state)) }).toEqual({
      outcome: "interrupted",
      states: new Set(["held", "unjudged"]),
    });
    expect(reconciled).toBeGreaterThan(10);
  });
});
