import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../fixtures/testing/example-target.ts";
import { CommandError } from "../command-line/command.ts";
import { EXAMPLE_RUNS } from "../testing/example-runs.ts";
import { runFolder } from "../testing/run-folder.ts";
import { EVENTS_FILE, openEvents, type RunEvent, readEvents } from "./events.ts";

const events: readonly RunEvent[] = [...EXAMPLE_RUNS.failing, { type: "interrupted" }];

it("are read as they were written, one line each, as soon as each is appended", () => {
  const directory = temporaryFolder();
  const log = openEvents(directory);

  for (const event of events.slice(0, 2)) log.append(event);
  expect(readEvents(directory)).toEqual(events.slice(0, 2));
  for (const event of events.slice(2)) log.append(event);
  log.close();

  expect(readEvents(directory)).toEqual(events);
  expect(readFileSync(join(directory, EVENTS_FILE), "utf8").split("\n")).toHaveLength(events.length + 1);
});

it("lose only the last line if a crash cut it, wherever the cut is", () => {
  const directory = runFolder(EXAMPLE_RUNS.broken);
  const path = join(directory, EVENTS_FILE);
  const line = JSON.stringify(events[1]);
  const whole = readFileSync(path);

  for (let length = 1; length <= line.length; length += 1) {
    writeFileSync(path, whole);
    appendFileSync(path, line.slice(0, length));
    expect(readEvents(directory)).toEqual(EXAMPLE_RUNS.broken);
  }
});

it("do not grow after the log is closed, and never mix with those of another run", () => {
  const directory = temporaryFolder();
  const log = openEvents(directory);
  log.close();
  log.append({ type: "interrupted" });

  expect(readEvents(directory)).toEqual([]);
  expect(() => openEvents(directory)).toThrow(/EEXIST/);
});

it.each([
  ['{"type":', /:2 is not valid JSON/],
  ['{"type":"check","result":{"id":"x","title":"lists"}}', /:2 at result\.operation: .*of another version/],
  ['{"type":"else"}', CommandError],
])("are rejected with the number of the line if one is broken or unknown: %s", (line, problem) => {
  const directory = runFolder(events);
  const path = join(directory, EVENTS_FILE);
  const [first, ...others] = readFileSync(path, "utf8").split("\n");
  writeFileSync(path, [first, line, ...others].join("\n"));

  expect(() => readEvents(directory)).toThrow(problem);
});
