import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { CommandError } from "../command-line/command.ts";
import { exampleCheck, exampleRun } from "../testing/examples.ts";
import { EVENTS_FILE, openEvents, type RunEvent, readEvents } from "./events.ts";

const check = exampleCheck("fail", {
  message: "GET …/get-transfer-list returned 500;\nexpected 200",
  actual: "returned 500",
  expected: "200",
  requirements: ["R054", "R058"],
  exchanges: ["evidence/1.json"],
  curl: "curl -sS -i 'http://127.0.0.1/'",
});
const events: readonly RunEvent[] = [
  ...exampleRun([check]).slice(0, -1),
  { type: "observation", observation: { item: "N33", operation: "listTransfers", text: "A 401 is JSON." } },
  { type: "created", created: { operation: "createTransfer", reference: "r-1", at: "2026-03-01T10:01:00Z" } },
  {
    type: "money",
    money: {
      planned: { count: 2, total: 200 },
      kept: { count: 1, total: 100 },
      released: { count: 1, total: 100 },
      limit: { count: null, total: 500 },
    },
  },
  { type: "problem", kind: "waiver", text: "the waiver of a/b expired" },
  { type: "interrupted" },
  { type: "end", finishedAt: "2026-03-01T10:05:00.000Z" },
];

function folder(): string {
  const directory = mkdtempSync(join(tmpdir(), "events-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return directory;
}

function written(directory = folder()): string {
  const log = openEvents(directory);
  for (const event of events) log.append(event);
  log.close();
  return directory;
}

describe("the events of a run", () => {
  it("are read as they were written, one line each", () => {
    const directory = written();

    expect(readEvents(directory)).toEqual(events);
    expect(readFileSync(join(directory, EVENTS_FILE), "utf8").split("\n")).toHaveLength(events.length + 1);
  });

  it("are on disk as soon as they are appended", () => {
    const directory = folder();
    const log = openEvents(directory);
    onTestFinished(() => log.close());
    for (const event of events.slice(0, 2)) log.append(event);

    expect(readEvents(directory)).toEqual(events.slice(0, 2));
  });

  it("lose only the last line if a crash cut it, wherever the cut is", () => {
    const directory = written();
    const path = join(directory, EVENTS_FILE);
    const line = JSON.stringify(events[1]);
    const whole = readFileSync(path);

    for (let length = 1; length <= line.length; length += 1) {
      writeFileSync(path, whole);
      appendFileSync(path, line.slice(0, length));
      expect(readEvents(directory)).toEqual(events);
    }
  });

  it("do not grow after the log is closed", () => {
    const directory = folder();
    const log = openEvents(directory);
    log.close();
    log.append({ type: "interrupted" });

    expect(readEvents(directory)).toEqual([]);
  });

  it("are rejected if a line in the middle is broken or unknown, with the number of the line", () => {
    const directory = written();
    const path = join(directory, EVENTS_FILE);
    const [first, ...others] = readFileSync(path, "utf8").split("\n");
    const broken = (line: string) => {
      writeFileSync(path, [first, line, ...others].join("\n"));
      return () => readEvents(directory);
    };

    expect(broken('{"type":')).toThrow(`${path}:2 is not valid JSON`);
    expect(broken('{"type":"check","result":{"id":"x","title":"lists"}}')).toThrow(
      /:2 is not an event of this version.*operation/,
    );
    expect(broken('{"type":"else"}')).toThrow(CommandError);
  });

  it("are rejected if the folder is not a run folder", () => {
    const directory = folder();

    expect(() => readEvents(directory)).toThrow(`${directory} is not a run folder`);
  });

  it("never mix with those of another run", () => {
    const directory = written();

    expect(() => openEvents(directory)).toThrow(/EEXIST/);
  });

  it("keep members that a later version adds to a result", () => {
    const directory = folder();
    const result = { ...check, added: "later" };
    writeFileSync(join(directory, EVENTS_FILE), `${JSON.stringify({ type: "check", result })}\n`);

    expect(readEvents(directory)).toEqual([{ type: "check", result }]);
  });
});
