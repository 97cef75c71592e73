import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { writeVerdicts } from "./artifacts.ts";
import { buildVerdicts } from "./build-verdicts.ts";
import { CommandError } from "./command-line/command.ts";
import { exampleCheck, exampleRun, exampleStart } from "./testing/examples.ts";

const passed = exampleCheck("pass");
const failed = exampleCheck("fail");

describe("buildVerdicts", () => {
  it("builds the file from a run: what was tested, what was found, and what decided", () => {
    const file = buildVerdicts(exampleRun([passed, failed]));

    expect(file).toMatchObject({
      schema: "payments-conformance/verdicts@1",
      target: { name: "staging", embedded: false },
      startedAt: "2026-03-01T10:00:00.000Z",
      finishedAt: "2026-03-01T10:05:00.000Z",
      outcome: "non-conformant",
      exitCode: 1,
      because: "1 MUST check failed",
      counts: { pass: 1, fail: 1 },
      problems: [],
      money: { kept: { count: 0, total: 0 } },
    });
  });

  it("builds the same file in whatever order the checks ended", () => {
    const first = exampleCheck("pass", { id: "getProfile/accepted", operation: "getProfile" });
    const checks = [failed, passed, first];

    const file = buildVerdicts(exampleRun(checks));

    expect(file.checks.map((check) => check.id)).toEqual([first.id, failed.id, passed.id]);
    expect(buildVerdicts(exampleRun(checks.toReversed(), { registered: [] }))).toEqual(file);
  });

  it("applies the waivers of the run, and reports stale ones", () => {
    const waiver = { reason: "known", owner: "payments", expires: "2026-03-31" };
    const waived = { ...waiver, check: failed.id };
    const stale = { ...waiver, check: passed.id };

    const forgiven = buildVerdicts(exampleRun([passed, failed], { waivers: [waived] }));
    const complaining = buildVerdicts(exampleRun([passed, failed], { waivers: [waived, stale] }));

    expect(forgiven).toMatchObject({ exitCode: 0, counts: { pass: 1, waived: 1 }, problems: [] });
    expect(complaining).toMatchObject({ exitCode: 5, problems: [expect.stringContaining(passed.id)] });
  });

  it("fails a critical check that warned if the run was hardened", () => {
    const warned = exampleCheck("warn", { level: "SHOULD", critical: true });

    const file = buildVerdicts(exampleRun([passed, warned], { hardened: true }));

    expect(file).toMatchObject({ exitCode: 1, counts: { pass: 1, fail: 1 } });
  });

  it("calls a run without an end killed, unless the operator interrupted it", () => {
    const cut = exampleRun([passed]).slice(0, -1);

    expect(buildVerdicts(cut)).toMatchObject({
      outcome: "error",
      exitCode: 70,
      problems: ["the run was killed before its last check"],
    });
    expect(buildVerdicts([...cut, { type: "interrupted" }])).toMatchObject({
      outcome: "interrupted",
      exitCode: 130,
    });
  });

  it("reports a check with two results as a fault of the suite", () => {
    const file = buildVerdicts(exampleRun([passed, passed]));

    expect(file).toMatchObject({
      exitCode: 70,
      problems: [`${passed.id} was reported twice`],
      checks: [passed],
    });
  });

  it.each([
    ["usage", "refused", 2],
    ["refused", "refused", 3],
    ["suite", "error", 70],
  ] as const)("keeps a %s problem that stopped the run", (kind, outcome, exitCode) => {
    const [start, end] = [exampleStart(), { type: "end", finishedAt: "2026-03-01T10:00:01.000Z" } as const];

    const file = buildVerdicts([start, { type: "problem", kind, text: "no key was accepted" }, end]);

    expect(file).toMatchObject({ outcome, exitCode, problems: ["no key was accepted"], checks: [] });
  });

  it("keeps an observation once, however often it was recorded", () => {
    const observation = { item: "N33", operation: "listTransfers", text: "A 401 is JSON." } as const;
    const [start, ...rest] = exampleRun([passed]);
    const seen = { type: "observation", observation } as const;

    const file = buildVerdicts([start ?? exampleStart(), seen, seen, ...rest]);

    expect(file.observations).toEqual([observation]);
  });

  it("rejects events without a start", () => {
    expect(() => buildVerdicts(exampleRun([passed]).slice(1))).toThrow(CommandError);
  });
});

describe("writeVerdicts", () => {
  function folder(): string {
    const directory = mkdtempSync(join(tmpdir(), "verdicts-"));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    return directory;
  }
  const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

  it("writes the file with the digest of every other file of the run", async () => {
    const directory = folder();
    mkdirSync(join(directory, "evidence"));
    writeFileSync(join(directory, "events.jsonl"), "events");
    writeFileSync(join(directory, "evidence", "1.json"), "{}");

    const file = await writeVerdicts(directory, buildVerdicts(exampleRun([passed])));

    expect(file.digests).toEqual({ "events.jsonl": sha256("events"), "evidence/1.json": sha256("{}") });
    expect(JSON.parse(readFileSync(join(directory, "verdicts.json"), "utf8"))).toEqual(file);
  });

  it("replaces an earlier file as a whole and leaves no draft behind", async () => {
    const directory = folder();
    const write = () => writeVerdicts(directory, buildVerdicts(exampleRun([passed])));

    const first = await write();
    const second = await write();

    expect(second).toEqual(first);
    expect(readdirSync(directory)).toEqual([
      "attestation.json",
      "certificate.html",
      "certificate.json",
      "verdicts.json",
    ]);
  });

  it("throws if it cannot write to the folder", async () => {
    const directory = folder();
    writeFileSync(join(directory, "file"), "");

    expect(() => writeVerdicts(join(directory, "file"), buildVerdicts(exampleRun([])))).toThrow(
      /EEXIST|ENOTDIR/,
    );
  });
});
