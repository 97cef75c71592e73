import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { readEnvFile } from "../../fixtures/engine/config/env-file.ts";
import { findLeaks } from "../../fixtures/engine/redaction/leaks.ts";
import { Redactor } from "../../fixtures/engine/redaction/redaction.ts";
import { exampleTarget, temporaryFolder } from "../../fixtures/testing/example-target.ts";
import { operations } from "../../schemas/contract.ts";
import { type Ended, execute, start, verdictsIn } from "../testing/spawned.ts";
import { readChecklist } from "./checklist.ts";

vi.setConfig({ testTimeout: 120_000 });

/** Starts `npm run sandbox` and keeps what it prints as an env file; fails when it is not up within 20 s. */
async function sandboxProcess(): Promise<string> {
  const sandbox = start("sandbox");
  const deadline = Date.now() + 20_000;
  while (!sandbox.printed().includes("Ctrl-C stops it")) {
    if (Date.now() > deadline) throw new Error(`the sandbox is not up: ${sandbox.printed()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const path = join(temporaryFolder(), "env");
  const lines = sandbox.printed().split("\n");
  writeFileSync(path, lines.filter((line) => !line.startsWith("Sandbox listens")).join("\n"));
  return path;
}

const latest = ({ folder }: Ended, file = "") => join(folder, "reports/out/latest", file);

describe("npm run certify without a deployment", () => {
  test("tests the embedded sandbox and leaves every report; a real one gets the same verdicts", async () => {
    const ENV_FILE = await sandboxProcess();
    const [embedded, real] = await Promise.all([
      execute("certify", ["--seed", "7"]),
      execute("gate", ["--seed", "7", "--strict"], { ENV_FILE }),
    ]);
    const file = verdictsIn(embedded);

    // What people read.
    expect(embedded.stdout + embedded.stderr).toContain("CONFORMANT, exit code 0");
    expect([embedded.code, real.code]).toEqual([0, 0]);
    const [first, ...lines] = embedded.stdout.trim().split("\n");
    expect(first).toContain("the embedded sandbox, not a deployment of yours");
    expect(lines.at(-1)).toContain("this run tested the embedded sandbox, not your deployment");
    for (const { id } of operations)
      expect(embedded.stdout).toMatch(new RegExp(`^(GET|POST|PUT) +${id} `, "m"));
    expect(embedded.stdout + embedded.stderr).not.toContain("\u001b");
    expect(embedded.stderr).toBe("");

    // What programs read.
    expect(file).toMatchObject({
      schema: "payments-conformance/verdicts@1",
      outcome: "conformant",
      exitCode: 0,
      seed: 7,
      command: "npm run certify -- --seed 7",
      problems: [],
      target: { embedded: true, environment: "sandbox" },
    });
    expect(file.checks.map(({ id }) => id).toSorted()).toEqual(
      readChecklist()
        .map(({ id }) => id)
        .toSorted(),
    );
    expect(new Set(file.checks.map(({ operation }) => operation)).size).toBe(20);
    expect(Object.keys(file.target.pathForms)).toHaveLength(20);
    const { kept, least, needed } = file.money;
    for (const sum of ["count", "total"] as const) {
      expect(kept[sum], "what was announced").toBeGreaterThanOrEqual(least?.[sum] ?? 0);
      expect(kept[sum], "what was announced").toBeLessThanOrEqual(needed?.[sum] ?? 0);
    }
    expect(least?.count).toBeGreaterThan(0);
    const [check] = file.checks.filter(({ exchanges }) => exchanges.length > 0);
    expect(() => JSON.parse(readFileSync(latest(embedded, check?.exchanges[0]), "utf8"))).not.toThrow();

    // The projections.
    const junit = readFileSync(latest(embedded, "junit.xml"), "utf8");
    expect(junit.match(/<testcase /g)).toHaveLength(file.checks.length);
    expect(junit).not.toContain("<failure");
    expect(readFileSync(latest(embedded, "created.csv"), "utf8").trim().split("\n")).toHaveLength(
      file.created.length + 1,
    );
    const allure = readdirSync(latest(embedded, "allure-results"));
    expect(allure.filter((name) => name.endsWith("-result.json"))).toHaveLength(file.checks.length);
    expect(Object.keys(file.digests)).toEqual(expect.arrayContaining(["junit.xml", "created.csv"]));

    // The same sandbox behind a real port.
    const other = verdictsIn(real);
    // A deployment has caps, which no probe with an enormous amount fits.
    const tooMuch = new Set(
      other.checks.flatMap(({ id, reason }) => (reason === "unaffordable" ? [id] : [])),
    );
    const verdictsOf = ({ checks }: typeof file) =>
      checks.filter(({ id }) => !tooMuch.has(id)).map(({ id, verdict }) => `${id} ${verdict}`);
    expect([...tooMuch].filter((id) => !id.includes("/amount-"))).toEqual([]);
    expect(verdictsOf(other)).toEqual(verdictsOf(file));
    expect(other).toMatchObject({ outcome: "conformant", target: { embedded: false } });
    expect(readdirSync(join(real.folder, "reports/ledger"))).toEqual([
      `${other.target.name?.toLowerCase().replaceAll(" ", "-")}.jsonl`,
    ]);

    // No secret of the configuration is in any file.
    const { secrets } = exampleTarget(ours(readEnvFile(ENV_FILE)?.values ?? {}));
    expect(secrets.length).toBeGreaterThan(5);
    const known = secrets.filter(({ value }) => value.length >= 8);
    expect(findLeaks(latest(real), new Redactor(secrets))).toEqual([]);
    const texts = readdirSync(latest(real), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));
    for (const { name, value } of known) {
      expect([...texts, real.stdout, real.stderr].filter((text) => text.includes(value)).length, name).toBe(
        0,
      );
    }
  });
});

/** The variables of an env file, without those of the sandbox's own comments. */
const ours = (values: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(values).filter(([name]) => /^[A-Z_]+$/.test(name)));
