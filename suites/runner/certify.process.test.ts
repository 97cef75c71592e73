import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readEnvFile } from "../../fixtures/engine/config/env-file.ts";
import { findLeaks } from "../../fixtures/engine/redaction/leaks.ts";
import { Redactor } from "../../fixtures/engine/redaction/redaction.ts";
import { deploy, verdictsIn } from "../../fixtures/testing/deployment.ts";
import { exampleTarget, temporaryFolder } from "../../fixtures/testing/example-target.ts";
import { type Invoked, invoke } from "../../fixtures/testing/invoke.ts";
import type { Exchange } from "../../reports/verdicts/exchange.ts";
import type { Verdicts } from "../../reports/verdicts/run.ts";
import { operations } from "../../schemas/contract.ts";
import { setUp } from "../setup/setup.ts";
import { certify, gate } from "./certify.ts";
import { readChecklist } from "./checklist.ts";

const latest = ({ folder }: Invoked, file = "") => join(folder, "reports/out/latest", file);
const read = (run: Invoked, file: string) => readFileSync(latest(run, file), "utf8");

/** Every file of a run, as text. */
const textsOf = (run: Invoked) =>
  readdirSync(latest(run), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));

function expectEveryReport(run: Invoked, file: Verdicts) {
  expect(run).toMatchObject({ code: 0, stderr: "" });
  const [first, ...lines] = run.stdout.trim().split("\n");
  expect(first).toContain("the embedded sandbox, not a deployment of yours");
  expect(lines.at(-1)).toContain("this run tested the embedded sandbox, not your deployment");
  expect(run.stdout).toContain("CONFORMANT, exit code 0");
  expect(run.stdout).not.toContain("\u001b");
  for (const { id } of operations) expect(run.stdout).toMatch(new RegExp(`^(GET|POST|PUT) +${id} `, "m"));
  expect(file).toMatchObject({
    schema: "payments-conformance/verdicts@1",
    outcome: "conformant",
    exitCode: 0,
    seed: 7,
    command: "npm run certify -- --seed 7",
    problems: [],
    target: { embedded: true, environment: "sandbox" },
  });
  const ids = (checks: readonly { readonly id: string }[]) => checks.map(({ id }) => id).toSorted();
  expect(ids(file.checks)).toEqual(ids(readChecklist()));
  // The sandbox shows nothing of a QR transaction, nor what an NDD transaction or a transfer may leave out, nor a subscription.
  const doubtful = file.checks.filter(({ verdict }) => verdict !== "pass" && verdict !== "observed");
  expect(ids(doubtful)).toEqual([
    "createNddTransaction/values/only-its-own",
    "createQrTransaction/values/echoed",
    "createQrTransaction/values/only-its-own",
    "createTransfer/polled-status",
    "createTransfer/values/only-its-own",
    "updateSubscription/rejections/leave-nothing",
  ]);
  expect(Object.keys(file.target.pathForms)).toHaveLength(20);
  const { kept, least, needed } = file.money;
  for (const sum of ["count", "total"] as const) {
    expect(kept[sum], "what was announced").toBeGreaterThanOrEqual(least?.[sum] ?? 0);
    expect(kept[sum], "what was announced").toBeLessThanOrEqual(needed?.[sum] ?? 0);
  }
  expect(least?.count).toBeGreaterThan(0);
  expect(Object.keys(file.digests)).toEqual(expect.arrayContaining(["junit.xml", "created.csv"]));
}

/** Expects that each request which the deployment saw has a file of its own, and each file that a report shows exists. */
function expectEveryExchange(run: Invoked, file: Verdicts, log: readonly { readonly requestId: string }[]) {
  const files = readdirSync(latest(run, "exchanges"));
  const exchangeOf = (name: string) => JSON.parse(read(run, `exchanges/${name}`)) as Exchange;
  const seen = log.map(({ requestId }) => `${requestId}.json`);
  expect(seen.length).toBeGreaterThan(200);
  expect(new Set(seen.map((name) => name.toLowerCase())).size).toBe(seen.length);
  expect(seen.filter((name) => !files.includes(name))).toEqual([]);
  // The suite may give a request up before the deployment has read it.
  const unseen = files.filter((name) => !seen.includes(name));
  expect(unseen.filter((name) => exchangeOf(name).response !== undefined)).toEqual([]);
  expect(files.filter((name) => `${exchangeOf(name).requestId}.json` !== name)).toEqual([]);
  const shown = file.checks.flatMap(({ exchanges }) => exchanges);
  expect(shown.filter((path) => !files.includes(path.replace("exchanges/", "")))).toEqual([]);
}

function expectNoSecret(run: Invoked, variables: Readonly<Record<string, string>>) {
  const { secrets } = exampleTarget(variables);
  expect(secrets.length).toBeGreaterThan(5);
  expect(findLeaks(latest(run), new Redactor(secrets))).toEqual([]);
  const texts = [...textsOf(run), run.stdout, run.stderr];
  for (const { name, value } of secrets.filter((secret) => secret.value.length >= 8))
    expect(texts.filter((text) => text.includes(value)).length, name).toBe(0);
}

/** Answers the questions of the setup with the variables of a deployment; returns the env file. */
async function envFileFor(variables: Readonly<Record<string, string>>): Promise<string> {
  const path = join(temporaryFolder(), "env");
  const ask = async (question: string) => variables[/^\n([\w ,]+): /.exec(question)?.[1] ?? ""] ?? "";
  expect(await setUp({ ask, say: () => {} }, { ENV_FILE: path })).toBe(0);
  return path;
}

/** Two complete runs take half a minute on an idle machine. */
const LONG = { timeout: 300_000 };

test(
  "certify tests the embedded sandbox and leaves every report; the same sandbox as a deployment, set up question by question, gets the same verdicts",
  LONG,
  async () => {
    const { sandbox, env } = await deploy({ seed: 3 });
    const ENV_FILE = await envFileFor(env);
    const asked = sandbox.log.length;

    const embedded = await invoke(certify, ["--seed", "7"]);
    const real = await invoke(gate, ["--seed", "7", "--strict"], { ENV_FILE });

    const [file, other] = [verdictsIn(embedded), verdictsIn(real)];
    expectEveryReport(embedded, file);
    expect(real.code).toBe(0);
    expect(other).toMatchObject({ outcome: "conformant", target: { embedded: false } });
    expect(other.checks.filter(({ variables = [] }) => variables.length > 0)).toEqual([]);
    // A deployment has caps, which no probe with an enormous amount fits.
    const tooMuch = new Set(
      other.checks.flatMap(({ id, reason }) => (reason === "unaffordable" ? [id] : [])),
    );
    const verdictsOf = ({ checks }: Verdicts) =>
      checks.filter(({ id }) => !tooMuch.has(id)).map(({ id, verdict }) => `${id} ${verdict}`);
    expect([...tooMuch].filter((id) => !id.includes("/amount-"))).toEqual([]);
    expect(verdictsOf(other)).toEqual(verdictsOf(file));
    expect(readdirSync(join(real.folder, "reports/ledger"))).toHaveLength(1);
    expectEveryExchange(real, other, sandbox.log.slice(asked));
    expectNoSecret(real, readEnvFile(ENV_FILE)?.values ?? {});
  },
);
