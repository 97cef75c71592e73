import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { writeArtifacts } from "./artifacts.ts";
import { openEvents } from "./events/events.ts";
import { exampleCheck, exampleRun } from "./testing/examples.ts";
import { readXml } from "./testing/xml-reader.ts";

const MAIN = fileURLToPath(new URL("./main.ts", import.meta.url));
const events = exampleRun([exampleCheck("pass"), exampleCheck("fail", { message: "returned 500" })]);

function folder(): string {
  const directory = mkdtempSync(join(tmpdir(), "run-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return directory;
}

function runFolder(): string {
  const directory = folder();
  const log = openEvents(directory);
  for (const event of events) log.append(event);
  log.close();
  return directory;
}

function report(...args: string[]) {
  const cwd = folder();
  return spawnSync(process.execPath, ["--import", import.meta.resolve("tsx"), MAIN, ...args], {
    encoding: "utf8",
    cwd,
  });
}

describe("npm run report", () => {
  it("writes all reports from the events, prints the result and exits with the code of the run", async () => {
    const directory = runFolder();

    const { status, stdout, stderr } = report(directory);

    expect({ status, stderr }).toEqual({ status: 1, stderr: "" });
    expect(stdout).toContain("NOT CONFORMANT, exit code 1: 1 MUST check failed.");
    expect(stdout).toContain(
      `Reports written to ${directory}: verdicts.json, allure-results/, created.csv, events.jsonl, exchanges.har, junit.xml, observations.md, report.html, summary.md, attestation.json`,
    );
    expect(readdirSync(directory)).toEqual([
      "allure-results",
      "attestation.json",
      "created.csv",
      "events.jsonl",
      "exchanges.har",
      "junit.xml",
      "observations.md",
      "report.html",
      "summary.md",
      "verdicts.json",
    ]);
    expect(JSON.parse(readFileSync(join(directory, "verdicts.json"), "utf8"))).toEqual(
      await writeArtifacts(directory),
    );
    expect(readXml(readFileSync(join(directory, "junit.xml"), "utf8")).attributes.failures).toBe("1");
  });

  it("writes the same reports again", () => {
    const directory = runFolder();
    const contents = () =>
      readdirSync(directory, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name), "utf8")]);

    report(directory);
    const first = contents();
    report(directory);

    expect(contents()).toEqual(first);
  });

  it.each([
    ["no folder, and no run below reports/out", () => [], /^usage: npm run report -- <run folder>/],
    ["two folders", () => ["a", "b"], /^usage:/],
    ["an unknown option", () => ["--select"], /^Unknown option '--select'/],
    ["a folder that does not exist", () => ["does/not/exist"], /^does\/not\/exist is not a run folder/],
    ["a folder without events", () => [folder()], /is not a run folder: it has no readable events\.jsonl/],
  ])("exits 2 with one line if it gets %s", (_case, args, problem) => {
    const { status, stdout, stderr } = report(...args());

    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toMatch(problem);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  });

  it("exits 2 if the events have no start, and 70 if a report cannot be written", () => {
    const empty = folder();
    writeFileSync(join(empty, "events.jsonl"), "");
    const blocked = runFolder();
    // A folder with the name of the file makes the rename fail for every user, including root.
    const verdicts = join(blocked, "verdicts.json");
    mkdirSync(join(verdicts, "occupied"), { recursive: true });

    expect(report(empty)).toMatchObject({ status: 2, stderr: expect.stringContaining("no start of a run") });
    expect(report(blocked)).toMatchObject({ status: 70, stdout: "" });
  });
});
