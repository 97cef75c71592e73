import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect } from "vitest";
import { pausedAt, throttledTo } from "../../fixtures/proof/variations/busy.ts";
import { variations } from "../../fixtures/proof/variations/variations.ts";
import { counter } from "../../fixtures/sandbox/points/conditions.ts";
import type { Call, Change } from "../../fixtures/sandbox/points/points.ts";
import { temporaryFolder } from "../../fixtures/testing/example-target.ts";
import { plantLeak } from "../../fixtures/testing/planted-leaks.ts";
import {
  deployment,
  invariantsIn,
  latestFile,
  latestText,
  loadDeployment,
  loadTest,
  resultIn,
  SHORT,
  startLoad,
  untilTrue,
} from "../testing/load-command.ts";

const TRANSFERS = "transfers --profile smoke";

describe("npm run load", () => {
  const LISTS = "listTransfers listCustomers listRecipients listDiscountCodes";

  loadTest.for([
    ["gateway", "createQrTransaction createTransfer listTransfers checkCustomLink listPageProducts"],
    [
      "everything",
      "createQrTransaction initializeVirtualAccount createTransfer refundTransaction getDispute",
    ],
    ["readers", LISTS],
  ] as const)("sends %s to a deployment that accepts only some page sizes", async ([workload, names]) => {
    const changes = variations.filter(({ id }) => id === "limit-from-a-set");

    const { code, stderr, result } = await loadDeployment(`${workload} --profile smoke`, {
      changes,
      DURATION: "2500ms",
    });

    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const { operations = {} } = result.measured ?? {};
    expect(Object.keys(operations)).toEqual(expect.arrayContaining(names.split(" ")));
    for (const { outcomes, requests } of LISTS.split(" ").flatMap((name) => operations[name] ?? []))
      expect(outcomes).toEqual({ accepted: requests });
  });

  loadTest("takes records from DATA, and a mix from a file", async () => {
    const folder = temporaryFolder();
    const steps = [
      { operation: "createTransfer", weight: 4 },
      { operation: "createQrTransaction", weight: 1 },
    ];
    const amounts = [{ amount: 1 }];
    const data = { createTransfer: amounts, createQrTransaction: amounts };
    writeFileSync(join(folder, "data.json"), JSON.stringify(data));
    writeFileSync(join(folder, "mine.json"), JSON.stringify(steps));
    const given = { ...SHORT, DATA: "data.json", TRANSFER_AMOUNT: "5", TRANSACTION_AMOUNT: "5" };

    const { code, stdout, result } = await loadDeployment("--mix mine.json --profile smoke", given, folder);

    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringContaining("Workload mine, profile smoke"),
    });
    // One request of each kind precedes the load, and one follows it.
    expect(result.money.kept).toEqual({ count: 60 + 4, total: 60 + 4 * 5 });
  });

  loadTest("stops on Ctrl-C, reconciles what it sent and exits with 130", async () => {
    const { folder, ended, process: sending } = startLoad("transfers --profile average");
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

  loadTest(
    "stops when it has proved a double payout, pays nothing more, and says so in every report",
    async () => {
      const calls = counter(() => "any transfer");
      const when = (call: Call) => calls(call) > 20;
      const later: Change = {
        id: "later",
        on: ["createTransfer"],
        when,
        points: { repeat: () => "pay-again" },
      };

      const { code, stdout, stderr, folder, result } = await loadDeployment("transfers --profile average", {
        changes: [later],
        RATE: "20",
        DURATION: "120s",
      });

      const { stopped = "", money, invariants } = result;
      expect(stopped).toMatch(/^the API paid load-[\da-f]{8}-\d{7} twice$/);
      expect(stderr).toContain(`Stopping the load and reconciling what was sent: ${stopped}.\n`);
      expect({ code, broken: invariantsIn(result, "broken") }).toEqual({ code: 1, broken: ["L2", "L3"] });
      expect(stdout).toMatch(/FAILED.*L2 \(.*; the load was stopped: the API paid load-\S+ twice/);
      expect(latestText(folder, "load.html")).toContain(stopped);
      expect(invariants.map(({ id }) => id)).toContain("L13");
      expect(money.kept.count).toBeLessThan(1000);
    },
  );

  loadTest("shows a server pause in the percentiles, since k6 went on sending in it", async () => {
    const given = { changes: [pausedAt(5_000)], RATE: "80", DURATION: "14s" };

    const { result } = await loadDeployment("qr --profile average", given);

    const { max, p95 } = result.measured?.operations.createQrTransaction?.latencyMs ?? {};
    expect(max).toBeGreaterThan(4_500);
    expect(max).toBeLessThan(6_500);
    expect(p95).toBeGreaterThan(2_000);
  });

  loadTest("finds the rate above which a deployment throttles", async () => {
    const given = { changes: [throttledTo(100, 30)], MAX_PAYOUTS: "10000", RATE: "200", DURATION: "20s" };

    const { code, stdout } = await loadDeployment("qr --profile breakpoint", {
      ...given,
      MAX_PAYOUT_TOTAL: "1000000000",
    });

    const [, rate] = /began to throttle .* at ([\d.]+) requests\/s/.exec(stdout) ?? [];
    expect(code).toBe(0);
    expect(Number(rate)).toBeGreaterThan(80);
    expect(Number(rate)).toBeLessThan(145);
  });

  loadTest("puts a run that shows a secret under quarantine, and keeps its verdict", async () => {
    const folder = temporaryFolder();
    const { variables } = await deployment();
    plantLeak(join(folder, "reports/out/latest-load"), variables.SECRET_KEY ?? "");

    const { code, stdout, stderr } = await startLoad(TRANSFERS, { ...variables, ...SHORT }, folder).ended;

    const [name = ""] = readdirSync(join(folder, "reports/out-quarantine"));
    expect({ code, stdout }).toEqual({ code: 70, stdout: expect.stringContaining("PASSED (exit code 0)") });
    expect(stdout).toContain(`Written to reports/out-quarantine/${name}`);
    expect(stderr).toContain("planted.txt shows the value of SECRET_KEY");
  });
});
