import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { faultCalled, invariantsIn, latestFile, loadDeployment } from "../testing/load-command.ts";

const ARGS = ["transfers", "--profile", "smoke"];

describe("npm run load", () => {
  test("looks up every reference, writes every report, and no secret anywhere", async (context) => {
    const { code, stdout, stderr, folder, result, variables } = await loadDeployment(context, ARGS, {});

    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/createTransfer +48 +48 +0 +0 +0 +0 +\d+\.\d +\d+\.\d /);
    expect(result).toMatchObject({ schema: "payments-conformance/load@2", exitCode: 0, reconciled: 44 });
    // The sandbox rejects no transfer and answers each.
    expect(invariantsIn(result, "unjudged")).toEqual(["L5", "L6"]);
    expect(invariantsIn(result, "held")).toHaveLength(11);
    const textOf = (file: string) => readFileSync(latestFile(folder, file), "utf8");
    expect(textOf("load.html")).toContain("<h1>Passed under load</h1>");
    expect(textOf("summary.md")).toContain("| createTransfer | 48 | 48 |");
    expect(textOf("junit.xml")).toMatch(/ failures="0" errors="0"/);
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    const written = files.map((one) => readFileSync(join(one.parentPath, one.name), "utf8")).join("\n");
    for (const name of ["SECRET_KEY", "CARD_NUMBER", "ACCOUNT_NUMBER"])
      expect(`${written}${stdout}`).not.toContain(variables[name]);
  });

  test("fails a deployment that pays a repeated reference twice, and names L2", async (context) => {
    const { code, stdout, result } = await loadDeployment(context, ARGS, {
      changes: [faultCalled("paid-twice")],
    });

    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: expect.stringMatching(/FAILED.*L2 \(no reference is paid twice\)/),
    });
    expect(result.invariants.find(({ id }) => id === "L2")?.references.length).toBeGreaterThan(0);
  });
});
