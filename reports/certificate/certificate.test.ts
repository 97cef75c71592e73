import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { writeVerdicts } from "../artifacts.ts";
import { buildVerdicts } from "../build-verdicts.ts";
import { openEvents, type RunEvent } from "../events/events.ts";
import { exampleCheck, exampleRun, exampleStart } from "../testing/examples.ts";
import type { RunStarted } from "../verdicts/run.ts";
import type { CheckResult } from "../verdicts/verdict.ts";
import { sha256, writeSealedFiles } from "./certificate.ts";

const target = exampleStart().target;

/** Writes the verdicts of a run into a new folder; returns a function that reads a file of it. */
async function sealed(events: readonly RunEvent[]) {
  const directory = mkdtempSync(join(tmpdir(), "sealed-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const log = openEvents(directory);
  for (const event of events) log.append(event);
  log.close();
  await writeVerdicts(directory, buildVerdicts(events));
  const read = (name: string) => {
    try {
      return readFileSync(join(directory, name), "utf8");
    } catch {
      return undefined;
    }
  };
  return { directory, read };
}

const certified = (checks: readonly CheckResult[], start: Partial<RunStarted> = {}) =>
  sealed(exampleRun(checks, start));

describe("the certificate", () => {
  it("says what was proved for whom, until when, and by which files", async () => {
    const { read } = await certified([exampleCheck("pass"), exampleCheck("warn", { level: "SHOULD" })], {
      validDays: 30,
    });

    expect(JSON.parse(read("certificate.json") ?? "")).toMatchObject({
      schema: "payments-conformance/certificate@1",
      kind: "conformance",
      statement: "staging 2.4: conformant. Every MUST check passed (1).",
      target: {
        name: "staging",
        version: "2.4",
        baseUrl: "https://sandbox.example.com",
        environment: "sandbox",
      },
      issuedAt: "2026-03-01T10:05:00.000Z",
      validUntil: "2026-03-31",
      suite: { version: "0.1.0", commit: "6a51d58" },
      operations: ["listTransfers"],
      requirements: { proven: ["R054"] },
      digests: {
        "verdicts.json": sha256(read("verdicts.json") ?? ""),
        "events.jsonl": sha256(read("events.jsonl") ?? ""),
      },
    });
    for (const words of [
      "Certificate of conformance",
      "staging 2.4",
      "2026-03-31",
      sha256(read("verdicts.json") ?? ""),
    ])
      expect(read("certificate.html")).toContain(words);
  });

  it("is headed Demonstration on the embedded sandbox, and Environment separation only on a live host", async () => {
    const embedded = await certified([exampleCheck("pass")], { target: { ...target, embedded: true } });
    const live = await certified([exampleCheck("pass", { basis: "mandate" })], {
      target: { ...target, environment: "live" },
    });

    expect(embedded.read("certificate.html")).toContain("<h1>Demonstration</h1>");
    expect(embedded.read("certificate.html")).toContain("It certifies no deployment.");
    expect(live.read("certificate.html")).toContain("<h1>Environment separation only</h1>");
    expect(live.read("certificate.html")).toContain("Nothing else was tested.");
  });

  it("names what is out of scope in its first sentence", async () => {
    const { read } = await certified([exampleCheck("pass")], { outOfScope: ["getProfile", "paging"] });

    expect(JSON.parse(read("certificate.json") ?? "")).toMatchObject({
      statement:
        "staging 2.4: conformant for 19 of 20 operations. Every MUST check passed (1); out of scope: getProfile, paging.",
      outOfScope: ["getProfile", "paging"],
    });
    expect(read("certificate.html")).toContain("except for what is out of scope: getProfile, paging.");
  });

  const waiver = { check: "listTransfers/fail", reason: "known", owner: "Ada", expires: "2026-04-01" };
  it.each<[string, CheckResult[], Partial<RunStarted>]>([
    ["failed", [exampleCheck("pass"), exampleCheck("fail")], {}],
    ["narrowed", [exampleCheck("pass")], { selected: true }],
    [
      "partial",
      [exampleCheck("pass"), exampleCheck("not-tested", { reason: "variable", variables: ["PLAN_ID"] })],
      { command: "gate" },
    ],
    ["waived", [exampleCheck("pass"), exampleCheck("fail")], { waivers: [waiver] }],
    ["empty", [], {}],
  ])("is not given to a %s run, and an older one is removed", async (_case, checks, start) => {
    const { directory, read } = await certified([exampleCheck("pass")]);
    expect(read("certificate.json")).toBeDefined();

    await writeSealedFiles(directory, buildVerdicts(exampleRun(checks, start)));

    expect([read("certificate.json"), read("certificate.html")]).toEqual([undefined, undefined]);
    expect(JSON.parse(read("attestation.json") ?? "")).toMatchObject({ predicate: { result: "FAILED" } });
  });

  it("is not given to a run that was interrupted", async () => {
    const { read } = await sealed([...exampleRun([exampleCheck("pass")]), { type: "interrupted" }]);

    expect(read("certificate.json")).toBeUndefined();
  });
});

/** An in-toto resource descriptor: it needs a URI, a digest or a content. */
const Descriptor = z
  .strictObject({
    name: z.string().exactOptional(),
    uri: z.string().exactOptional(),
    digest: z
      .record(
        z.enum(["sha256", "gitCommit"]),
        z
          .string()
          .regex(/^([0-9a-f]{40}|[0-9a-f]{64})$/)
          .optional(),
      )
      .exactOptional(),
    annotations: z.record(z.string(), z.unknown()).exactOptional(),
  })
  .refine(({ uri, digest }) => uri !== undefined || digest !== undefined);

/** An in-toto statement v1 with the test-result predicate v0.1, written down from their specifications. */
const Statement = z.strictObject({
  _type: z.literal("https://in-toto.io/Statement/v1"),
  subject: z
    .array(
      z.strictObject({
        name: z.string(),
        digest: z.strictObject({ sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
      }),
    )
    .min(1),
  predicateType: z.literal("https://in-toto.io/attestation/test-result/v0.1"),
  predicate: z.strictObject({
    result: z.enum(["PASSED", "WARNED", "FAILED"]),
    configuration: z.array(Descriptor),
    url: z.url().exactOptional(),
    passedTests: z.array(z.string()),
    warnedTests: z.array(z.string()),
    failedTests: z.array(z.string()),
  }),
});

describe("attestation.json", () => {
  it("is an in-toto statement about the verdicts and the certificate", async () => {
    const { read } = await certified([exampleCheck("pass")], {
      suite: { version: "1.0.0", commit: "a".repeat(40) },
    });
    const statement = Statement.parse(JSON.parse(read("attestation.json") ?? ""));

    expect(statement.subject).toEqual(
      ["verdicts.json", "certificate.json", "certificate.html"].map((name) => ({
        name,
        digest: { sha256: sha256(read(name) ?? "") },
      })),
    );
    expect(statement.predicate).toMatchObject({ result: "PASSED", passedTests: ["listTransfers/pass"] });
    expect(statement.predicate.configuration[0]).toMatchObject({ digest: { gitCommit: "a".repeat(40) } });
  });

  it.each<["PASSED" | "WARNED" | "FAILED", CheckResult[]]>([
    ["PASSED", [exampleCheck("pass"), exampleCheck("observed", { level: "OBSERVE" })]],
    ["WARNED", [exampleCheck("pass"), exampleCheck("warn", { level: "SHOULD" })]],
    ["FAILED", [exampleCheck("pass"), exampleCheck("fail")]],
    ["FAILED", [exampleCheck("pass"), exampleCheck("inconclusive")]],
    ["FAILED", []],
  ])("has the result %s", async (result, checks) => {
    const { read } = await certified(checks);

    expect(Statement.parse(JSON.parse(read("attestation.json") ?? "")).predicate.result).toBe(result);
  });
});
