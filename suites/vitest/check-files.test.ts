import { describe, expect, test, vi } from "vitest";
import { DEPLOYMENT } from "../../fixtures/testing/example-target.ts";
import { listenRaw } from "../../fixtures/testing/listener.ts";
import { verdictsIn, vitest } from "../testing/spawned.ts";
import { certifyArguments } from "./check-files.ts";

vi.setConfig({ testTimeout: 60_000 });

const FILE = "suites/transfers/create-transfer.check.ts";

describe("certifyArguments", () => {
  test.each([
    [
      ["run", FILE],
      ["--file", FILE],
    ],
    [[FILE], ["--file", FILE]],
    [
      ["watch", `${FILE}:12`],
      ["--file", FILE],
    ],
    [
      ["run", FILE, "-t", "accepted", "get-dispute.check"],
      ["--file", FILE, "--file", "get-dispute.check", "--title=accepted"],
    ],
    [
      ["run", "--testNamePattern=a b", FILE],
      ["--file", FILE, "--title=a b"],
    ],
    [
      ["--reporter", "verbose", FILE],
      ["--file", FILE],
    ],
  ])("of vitest %j are %j", (argv, expected) => {
    expect(certifyArguments(argv)).toEqual(expected);
  });

  test.each([[[]], [["run"]], [["run", "suites/runner"]], [["run", "-t", "accepted"]], [["list", FILE]]])(
    "leaves vitest %j alone",
    (argv) => {
      expect(certifyArguments(argv)).toBeUndefined();
    },
  );
});

describe("vitest run with a file of checks", () => {
  test("runs its checks against the embedded sandbox and leaves the reports of a run", async () => {
    const ended = await vitest(["run", "suites/disputes/get-dispute.check.ts", "-t", "accepted|unknown"], {});

    const file = verdictsIn(ended);
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain("the embedded sandbox, not a deployment of yours");
    expect(file.checks.length).toBeGreaterThan(0);
    expect(new Set(file.checks.map(({ operation }) => operation))).toEqual(new Set(["getDispute"]));
  });

  test("is refused beyond the caps, before anything is sent", async () => {
    const server = await listenRaw((socket) => socket.destroy());
    const beneficiary = {
      BANK_CODE: "058",
      ACCOUNT_NUMBER: "0123456789",
      ACCOUNT_NAME: "Test Beneficiary",
      EMAIL_ADDRESS: "qa@example.com",
      TRANSFER_AMOUNT: "70",
    };
    const caps = { ALLOW_PAYOUTS: "true", MAX_PAYOUTS: "1", MAX_PAYOUT_TOTAL: "1" };

    const ended = await vitest(["run", FILE], {
      ...DEPLOYMENT,
      ...beneficiary,
      ...caps,
      BASE_URL: server.url,
    });

    expect(ended.code).toBe(3);
    expect(ended.stderr).toContain("exceeds MAX_PAYOUTS=1");
    expect(server.heard).toEqual([]);
  });
});
