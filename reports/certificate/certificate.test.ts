import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeArtifacts } from "../artifacts.ts";
import { buildVerdicts } from "../build-verdicts.ts";
import { sha256 } from "../digest.ts";
import type { RunEvent } from "../events/events.ts";
import { EXAMPLE_RUNS } from "../testing/example-runs.ts";
import { exampleCheck, exampleRun } from "../testing/examples.ts";
import { runFolder } from "../testing/run-folder.ts";
import { type attestationOf, sealedFiles } from "./certificate.ts";
import { differencesOf } from "./verify.ts";

const { certified, gate, failing, unfit, broken, open, tolerated, refused } = EXAMPLE_RUNS;
const sealed = (events: readonly RunEvent[]) => sealedFiles(buildVerdicts(events), "{}");
const attestation = (events: readonly RunEvent[]) =>
  JSON.parse(sealed(events)["attestation.json"] ?? "") as ReturnType<typeof attestationOf>;

it("attests the verdicts and the certificate by their digests", () => {
  const { "attestation.json": _, ...files } = sealed(certified);

  expect(attestation(certified).subject).toEqual(
    Object.entries({ "verdicts.json": "{}", ...files }).map(([name, content]) => ({
      name,
      digest: { sha256: sha256(content) },
    })),
  );
});

it.each<[string, readonly RunEvent[]]>([
  ["failed", failing],
  ["critical", unfit],
  ["narrowed", exampleRun([exampleCheck("pass")], { selected: true })],
  ["partial", tolerated],
  ["open", open],
  ["waived", gate],
  ["broken", broken],
  ["refused", refused],
  ["empty", exampleRun([])],
  ["interrupted", [...certified, { type: "interrupted" }]],
])("gives a %s run no certificate, and attests that it failed", (_case, events) => {
  expect(Object.keys(sealed(events))).toEqual(["attestation.json"]);
  expect(attestation(events).predicate.result).toBe("FAILED");
});

it("removes the certificate of an earlier run", () => {
  const directory = runFolder(certified);
  writeArtifacts(directory);
  expect(existsSync(join(directory, "certificate.html"))).toBe(true);

  appendFileSync(join(directory, "events.jsonl"), '{"type":"interrupted"}\n');
  writeArtifacts(directory);

  expect(existsSync(join(directory, "certificate.html"))).toBe(false);
  expect(existsSync(join(directory, "certificate.json"))).toBe(false);
});

describe("differencesOf", () => {
  const EXCHANGE = "exchanges/1.json";

  /** A finished run with one exchange. */
  function finishedRun(): string {
    const directory = runFolder(
      exampleRun([
        exampleCheck("pass", { exchanges: [EXCHANGE] }),
        exampleCheck("fail", { actual: "returned 500" }),
      ]),
    );
    mkdirSync(join(directory, "exchanges"));
    writeFileSync(join(directory, EXCHANGE), '{"request":"GET"}');
    writeArtifacts(directory);
    return directory;
  }

  const edit = (directory: string, name: string, change: (text: string) => string) =>
    writeFileSync(join(directory, name), change(readFileSync(join(directory, name), "utf8")));

  /** Changes `verdicts.json` as somebody would who wants another result. */
  const forge = (directory: string, change: (file: Record<string, unknown>) => object) =>
    edit(directory, "verdicts.json", (text) => {
      const file = JSON.parse(text);
      return `${JSON.stringify({ ...file, ...change(file) }, null, 2)}\n`;
    });

  it("finds none in a run as it was left", () => {
    expect(differencesOf(finishedRun()).differences).toEqual([]);
  });

  it.each<[string, (directory: string) => void, readonly string[]]>([
    [
      "a verdict that was flipped, and a changed outcome",
      (run) =>
        forge(run, ({ checks }) => ({
          outcome: "conformant",
          exitCode: 0,
          checks: (checks as object[]).map((check) => ({ ...check, verdict: "pass" })),
        })),
      [
        "verdicts.json: listTransfers/fail is not what the events give",
        "verdicts.json: outcome is not what the events give",
        "attestation.json: was changed after the run",
      ],
    ],
    [
      "a check that was left out",
      (run) => forge(run, () => ({ checks: [] })),
      ["verdicts.json: listTransfers/fail is not what the events give"],
    ],
    [
      "evidence without a digest",
      (run) => forge(run, () => ({ digests: {} })),
      [`${EXCHANGE}: verdicts.json does not vouch for it`],
    ],
    [
      "a changed log",
      (run) => edit(run, "events.jsonl", (text) => text.replace("500", "501")),
      ["events.jsonl: was changed after the run"],
    ],
    ["a missing exchange", (run) => rmSync(join(run, EXCHANGE)), [`${EXCHANGE}: is missing`]],
    [
      "a certificate that was made up",
      (run) => writeFileSync(join(run, "certificate.html"), "Conformant"),
      ["certificate.html: verdicts.json does not vouch for it"],
    ],
  ])("names %s", (_case, tamper, differences) => {
    const directory = finishedRun();

    tamper(directory);

    expect(differencesOf(directory).differences).toEqual(expect.arrayContaining([...differences]));
  });
});
