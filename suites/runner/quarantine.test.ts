import { appendFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { extname, join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { findLeaks } from "../../fixtures/redaction/leaks.ts";
import { NOTICE } from "../../fixtures/redaction/quarantine.ts";
import { Redactor } from "../../fixtures/redaction/redaction.ts";
import { startSandbox } from "../../fixtures/sandbox/service/server.ts";
import { exampleTarget, temporaryFolder } from "../../fixtures/testing/example-target.ts";
import type { Verdicts } from "../../reports/verdicts/run.ts";
import { consented } from "../testing/consented.ts";
import { start } from "../testing/spawned.ts";

vi.setConfig({ testTimeout: 120_000 });

/** Writes a secret into the folder of the run as soon as there is one, as a defect of the suite would. */
const plant = (secret: string) => `
import { existsSync, writeFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";
const folder = "reports/out/latest";
const timer = isMainThread && setInterval(() => {
  if (!existsSync(folder)) return;
  writeFileSync(folder + "/planted.txt", ${JSON.stringify(secret)});
  clearInterval(timer);
}, 20);
if (timer) timer.unref();
`;

test("a run whose files show a secret keeps its verdict, and its folder goes under quarantine", async () => {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  const variables = consented(sandbox.env);
  const folder = temporaryFolder();
  const { SECRET_KEY = "" } = sandbox.env;
  writeFileSync(join(folder, "plant.mjs"), plant(Buffer.from(SECRET_KEY).toString("base64")));
  const hook = { NODE_OPTIONS: `--import=${join(folder, "plant.mjs")}` };
  const args = ["--select", "createTransfer/accepted,listTransfers/accepted"];

  const { code, stdout, stderr } = await start("certify", args, { ...variables, ...hook }, folder).ended;

  const [name = ""] = readdirSync(join(folder, "reports/out-quarantine"));
  const place = join(folder, "reports/out-quarantine", name);
  const file = JSON.parse(readFileSync(join(place, "verdicts.json"), "utf8")) as Verdicts;
  expect({ code, problems: file.problems }).toEqual({ code: 70, problems: [] });
  expect(file.checks.filter(({ verdict }) => verdict === "pass").length).toBeGreaterThanOrEqual(2);
  expect(stdout).toContain("NOT FULLY VERIFIED");
  expect(stderr).toContain("planted.txt shows the value of SECRET_KEY");
  expect(stderr).toContain(`under quarantine in reports/out-quarantine/${name}`);
  expect(existsSync(join(folder, "reports/out/latest"))).toBe(false);
  expect(statSync(place).mode & 0o077).toBe(0);
  expect(readFileSync(join(place, NOTICE), "utf8")).toContain("planted.txt");
  everyKindIsSearched(place, exampleTarget(variables).secrets);
});

/** Adds a secret to one file of each kind; the search finds it there, and only there. */
function everyKindIsSearched(place: string, secrets: ConstructorParameters<typeof Redactor>[0]) {
  const redactor = new Redactor(secrets);
  const found = () => findLeaks(place, redactor).map((line) => line.split(" ")[0]);
  const before = found();
  const files = readdirSync(place, { recursive: true, encoding: "utf8" });
  const kinds = new Map(files.map((path) => [path.replace(/[^/]*$/, "") + extname(path), path]));
  expect(kinds.size).toBeGreaterThan(8);
  for (const [kind, path] of kinds) {
    if (!statSync(join(place, path)).isFile()) continue;
    appendFileSync(join(place, path), `"${secrets[0]?.value}"`);
    expect(found(), kind).toEqual(expect.arrayContaining([...before, path]));
  }
}
