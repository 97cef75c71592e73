import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../fixtures/testing/example-target.ts";
import { invoke } from "../../fixtures/testing/invoke.ts";
import { writeArtifacts } from "../artifacts.ts";
import { openEvents } from "../events/events.ts";
import { report } from "../main.ts";
import { exampleCheck, exampleRun } from "../testing/examples.ts";
import { differencesOf } from "./verify.ts";

const EXCHANGE = "exchanges/1.json";

/** A finished run with one exchange. */
async function finishedRun(): Promise<string> {
  const directory = temporaryFolder();
  const log = openEvents(directory);
  for (const event of exampleRun([
    exampleCheck("pass", { exchanges: [EXCHANGE] }),
    exampleCheck("fail", { actual: "returned 500" }),
  ]))
    log.append(event);
  log.close();
  mkdirSync(join(directory, "exchanges"));
  writeFileSync(join(directory, EXCHANGE), '{"request":"GET"}');
  await writeArtifacts(directory);
  return directory;
}

const edit = (directory: string, name: string, change: (text: string) => string) =>
  writeFileSync(join(directory, name), change(readFileSync(join(directory, name), "utf8")));

/** Changes `verdicts.json` as somebody would who wants another result. */
const forge = (directory: string, change: (file: Record<string, unknown>) => unknown) =>
  edit(directory, "verdicts.json", (text) => `${JSON.stringify(change(JSON.parse(text)), null, 2)}\n`);

describe("npm run report -- verify", () => {
  it("exits 0 if everything is as the run left it, and 1 with a line for each difference", async () => {
    const directory = await finishedRun();

    const untouched = await invoke(report, ["verify", directory]);
    edit(directory, EXCHANGE, (text) => text.replace("GET", "PUT"));
    const changed = await invoke(report, ["verify", directory]);

    expect(untouched).toMatchObject({ code: 0, stderr: "" });
    expect(untouched.stdout).toMatch(
      /^Verified .*: 2 verdicts, outcome, counts and exit code, and the digests of 12 files/,
    );
    expect(changed).toMatchObject({
      code: 1,
      stdout: "",
      stderr: `${EXCHANGE}: was changed after the run\n`,
    });
  });

  it("exits 2 without a folder, or for a folder that is no run", async () => {
    expect(await invoke(report, ["verify"])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^usage: npm run report -- verify/),
    });
    expect(await invoke(report, ["verify", "does/not/exist"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("does/not/exist cannot be read"),
    });
  });
});

describe("differencesOf", () => {
  it("names a verdict that was flipped", async () => {
    const directory = await finishedRun();
    forge(directory, (file) => ({
      ...file,
      checks: (file.checks as { verdict: string }[]).map((check) => ({ ...check, verdict: "pass" })),
    }));

    expect(differencesOf(directory).differences).toEqual([
      "verdicts.json: listTransfers/fail is pass, but the events say fail",
      "attestation.json: differs from what verdicts.json gives",
    ]);
  });

  it("names an outcome, an exit code and counts that were changed", async () => {
    const directory = await finishedRun();
    forge(directory, (file) => ({ ...file, outcome: "conformant", exitCode: 0, counts: { pass: 2 } }));

    expect(differencesOf(directory).differences).toEqual([
      'verdicts.json: outcome is "conformant", but the events give "non-conformant"',
      "verdicts.json: exitCode is 0, but the events give 1",
      'verdicts.json: counts is {"pass":2}, but the events give {"fail":1,"pass":1}',
      "certificate.json: is missing",
      "certificate.html: is missing",
      "attestation.json: differs from what verdicts.json gives",
    ]);
  });

  it.each<[string, (directory: string) => void, string]>([
    [
      "a changed log",
      (run) => edit(run, "events.jsonl", (text) => text.replace("500", "501")),
      "events.jsonl: was changed",
    ],
    [
      "a changed report",
      (run) => edit(run, "report.html", (text) => text.replace("failed", "passed")),
      "report.html: was changed",
    ],
    ["a missing exchange", (run) => rmSync(join(run, EXCHANGE)), `${EXCHANGE}: is missing`],
    [
      "a changed attestation",
      (run) => edit(run, "attestation.json", (text) => text.replace("FAILED", "PASSED")),
      "attestation.json: differs",
    ],
    [
      "a certificate that was made up",
      (run) => writeFileSync(join(run, "certificate.html"), "Conformant"),
      "certificate.html: exists, but this run deserves no certificate",
    ],
    [
      "a check that was left out",
      (run) => forge(run, (file) => ({ ...file, checks: [] })),
      "verdicts.json: listTransfers/fail is missing; the events say fail",
    ],
    [
      "evidence without a digest",
      (run) => forge(run, (file) => ({ ...file, digests: {} })),
      `${EXCHANGE}: is evidence of a check, but verdicts.json has no digest of it`,
    ],
  ])("names %s", async (_case, tamper, difference) => {
    const directory = await finishedRun();

    tamper(directory);

    expect(differencesOf(directory).differences).toContainEqual(expect.stringContaining(difference));
  });
});
