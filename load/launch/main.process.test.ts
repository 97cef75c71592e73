import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { faults } from "../../fixtures/mutants/faults/faults.ts";
import { startSandbox } from "../../fixtures/sandbox/service/server.ts";
import { k6OrSkip } from "../testing/k6-present.ts";
import { latestFile, resultIn, startLoad } from "../testing/load-command.ts";

const LONG = { timeout: 60_000 };
/** 60 requests: a whole cycle of the transfer mix, repeats included. */
const SHORT = { RATE: "40", DURATION: "1500ms" };

describe("npm run load", () => {
  test("loads the embedded sandbox with transfers and looks up every reference", LONG, async (context) => {
    await k6OrSkip(context);
    const { folder, ended } = startLoad(["transfers", "--profile", "smoke"], SHORT);

    const { code, stdout, stderr } = await ended;

    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const lines = stdout.trim().split("\n");
    expect([lines[0], lines.at(-1)]).toEqual([
      expect.stringContaining("embedded sandbox"),
      expect.stringContaining("embedded sandbox"),
    ]);
    expect(stdout).toMatch(/createTransfer +48 +48 +0 +0 +0 +0 +\d+\.\d +\d+\.\d /);
    const result = resultIn(folder);
    expect(result).toMatchObject({ schema: "payments-conformance/load@2", exitCode: 0, reconciled: 44 });
    expect(result.invariants.map(({ id, state }) => `${id} ${state}`)).toEqual(
      // The sandbox rejects no transfer and answers each.
      Array.from(
        { length: 13 },
        (_, index) => `L${index + 1} ${[5, 6].includes(index + 1) ? "unjudged" : "held"}`,
      ),
    );
    expect(readFileSync(latestFile(folder, "load.html"), "utf8")).toContain("<h1>Passed under load</h1>");
    expect(readFileSync(latestFile(folder, "summary.md"), "utf8")).toContain("| createTransfer | 48 | 48 |");
    expect(readFileSync(latestFile(folder, "junit.xml"), "utf8")).toMatch(/ failures="0" errors="0"/);
  });

  test(
    "fails a deployment that pays a repeated reference twice, names L2, and writes no secret anywhere",
    LONG,
    async (context) => {
      await k6OrSkip(context);
      const fault = faults.find(({ id }) => id === "paid-twice");
      const sandbox = await startSandbox(fault ? { fault } : {});
      onTestFinished(() => sandbox.close());
      const consent = { ALLOW_PAYOUTS: "true", MAX_PAYOUTS: "100", MAX_PAYOUT_TOTAL: "100000000" };
      const variables: Record<string, string> = {
        ...sandbox.env,
        ...consent,
        SETTLE_SECONDS: "0.2",
        ...SHORT,
      };
      const { folder, ended } = startLoad(["transfers", "--profile", "smoke"], variables);

      const { code, stdout, stderr } = await ended;

      expect({ code, stdout }).toEqual({
        code: 1,
        stdout: expect.stringMatching(/FAILED.*L2 \(no reference is paid twice\)/),
      });
      expect(resultIn(folder).invariants.find(({ id }) => id === "L2")?.references.length).toBeGreaterThan(0);
      const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
        entry.isFile(),
      );
      const written = files.map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));
      for (const name of ["SECRET_KEY", "CARD_NUMBER", "ACCOUNT_NUMBER"])
        expect(`${written.join("\n")}${stdout}${stderr}`).not.toContain(variables[name]);
    },
  );
});
