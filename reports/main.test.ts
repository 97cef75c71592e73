import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { invoke } from "../fixtures/testing/invoke.ts";
import { report } from "./main.ts";
import { exampleCheck, exampleRun } from "./testing/examples.ts";
import { runFolder } from "./testing/run-folder.ts";

const events = exampleRun([exampleCheck("pass"), exampleCheck("fail", { message: "returned 500" })]);

describe("npm run report", () => {
  it("writes the same reports from the events each time, prints the result and exits with the code of the run", async () => {
    const directory = runFolder(events);
    const files = () =>
      readdirSync(directory, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => [name, readFileSync(join(parentPath, name), "utf8")] as const);

    const { code, stdout, stderr } = await invoke(report, [directory]);
    const first = files();
    await invoke(report, [directory]);

    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    expect(stdout).toContain("NOT CONFORMANT, exit code 1: 1 MUST check failed.");
    const [, names = ""] = /^Reports written to \S+: (.*)$/m.exec(stdout) ?? [];
    expect(names.split(", ").toSorted()).toEqual([
      "allure-results/",
      "attestation.json",
      "events.jsonl",
      "junit.xml",
      "report.html",
      "verdicts.json",
    ]);
    expect(readdirSync(directory)).toEqual(names.replace("results/", "results").split(", ").toSorted());
    expect(files()).toEqual(first);
  });

  it.each([
    ["no folder, and no run below reports/out", () => [], /^reports\/out\/latest is not a run folder/],
    ["events without a start", () => [runFolder([])], /^the events have no start of a run/],
  ])("exits 2 with one line if it gets %s", async (_case, args, problem) => {
    const { code, stdout, stderr } = await invoke(report, args());

    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(problem);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  });

  it("verifies a run, and exits with 1 and a line for each difference", async () => {
    const directory = runFolder(events);
    await invoke(report, [directory]);

    const untouched = await invoke(report, ["verify", directory]);
    writeFileSync(join(directory, "report.html"), "");
    const changed = await invoke(report, ["verify", directory]);

    expect(untouched).toMatchObject({
      code: 0,
      stderr: "",
      stdout: expect.stringMatching(/^Verified .*: 2 verdicts and 6 files are as/),
    });
    expect(changed).toMatchObject({
      code: 1,
      stdout: "",
      stderr: "report.html: was changed after the run\n",
    });
    expect(await invoke(report, ["verify", "does/not/exist"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("does/not/exist/verdicts.json cannot be read"),
    });
  });

  it("exits 70 if a report cannot be written", async () => {
    const directory = runFolder(events);
    // A folder with the name of the file makes the rename fail for every user, including root.
    mkdirSync(join(directory, "verdicts.json", "occupied"), { recursive: true });

    expect(await invoke(report, [directory])).toMatchObject({ code: 70, stdout: "" });
  });
});
