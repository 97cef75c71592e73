import { readFileSync } from "node:fs";
import { join } from "node:path";
import { XMLValidator } from "fast-xml-parser";
import { expect, test } from "vitest";
import { temporaryFolder } from "../fixtures/testing/example-target.ts";
import { buildVerdicts } from "./build-verdicts.ts";
import { sealedFiles } from "./certificate/certificate.ts";
import { appendJobSummary } from "./ci/github.ts";
import { renderResult } from "./console/console.ts";
import { allureResult } from "./formats/allure.ts";
import { renderChecksJunit } from "./formats/junit.ts";
import { renderReport } from "./pages/report.ts";
import { EXAMPLE_RUNS } from "./testing/example-runs.ts";
import { exampleCheck, exampleRun, exampleStart } from "./testing/examples.ts";
import type { Exchange } from "./verdicts/exchange.ts";
import { detailsIn } from "./verdicts/findings.ts";
import type { Verdicts } from "./verdicts/verdict.ts";
import { inertJson } from "./wording.ts";

const EXCHANGE: Exchange = {
  request: { method: "GET", url: "http://127.0.0.1/list", headers: [["Accept", "*/*"]], body: "" },
  response: { status: 500, headers: [["Server", "x"]], body: "<b>down</b>" },
  durationMs: 3,
};
const read = (path: string) => (path === "exchanges/missing.json" ? undefined : EXCHANGE);

const DIRECTORY = "reports/out/1";
const digests = { "junit.xml": "0".repeat(64), "allure-results/1.json": "1".repeat(64) };
const sealed = (file: Verdicts, name: string) => sealedFiles({ ...file, digests }, "{}")[name] ?? "none\n";

/** The text of a page as a reader sees it: a line for each block, and an empty one before each heading. */
const textOf = (page: string) =>
  page
    .replace(/<style>.*?<\/style>/s, "")
    .replace(/<(h\d|section)/g, "\n<$1")
    .replace(/<\/(p|h\d|li|dd|tr|summary|pre|title|header)>/g, "\n")
    .replace(/<[^>]+>/g, " ")
    .replace(/[ \t]+/g, " ")
    .replace(/\n\s*\n\s*/g, "\n\n");

const FORMATS: Readonly<Record<string, (file: Verdicts) => string>> = {
  "console.txt": (file) => renderResult({ ...file, digests }, { color: false, directory: DIRECTORY }),
  "report.txt": (file) => textOf(renderReport(file, read)),
  "junit.xml": (file) => renderChecksJunit(file).replaceAll("><", ">\n<"),
  "allure.jsonl": (file) =>
    file.checks
      .map((check) => `${inertJson(allureResult(check, detailsIn(file)(check), file.startedAt))}\n`)
      .join(""),
  "certificate.txt": (file) => textOf(sealed(file, "certificate.html")),
  "certificate.json": (file) => sealed(file, "certificate.json"),
  "attestation.json": (file) => sealed(file, "attestation.json"),
};

const ALL = Object.keys(FORMATS);
const CASES: Readonly<Record<keyof typeof EXAMPLE_RUNS, readonly string[]>> = {
  failing: ALL.filter((name) => !/^(certificate|attestation)/.test(name)),
  gate: ["console.txt", "report.txt", "junit.xml", "allure.jsonl", "certificate.txt", "attestation.json"],
  certified: ["console.txt", "certificate.txt", "certificate.json", "attestation.json"],
  demonstration: ["console.txt", "certificate.txt", "attestation.json"],
  unfit: ["console.txt", "report.txt", "junit.xml", "allure.jsonl", "attestation.json"],
  letter: ["console.txt", "report.txt", "certificate.txt", "certificate.json"],
  tolerated: ["console.txt"],
  open: ["console.txt"],
  live: ["console.txt", "certificate.txt"],
  broken: ["console.txt", "report.txt", "junit.xml", "allure.jsonl"],
  refused: ["console.txt", "junit.xml"],
};

test.each(
  Object.entries(CASES).flatMap(([run, names]) =>
    names.map((name) => [run as keyof typeof CASES, name] as const),
  ),
)("of a %s run, %s says what it said when it was reviewed", async (run, name) => {
  const text = FORMATS[name]?.(buildVerdicts(EXAMPLE_RUNS[run]));

  await expect(text).toMatchFileSnapshot(`testing/golden/${run}.${name}`);
});

test("the console says the same with and without colours", () => {
  const file = buildVerdicts(EXAMPLE_RUNS.failing);
  const colored = renderResult(file, { color: true });

  expect(colored).toContain("\u001b[31mNOT CONFORMANT\u001b[39m");
  const escapes = new RegExp(`${"\u001b"}\\[\\d+m`, "g");
  expect(colored.replaceAll(escapes, "")).toBe(renderResult(file, { color: false }));
});

const HOSTILE = `"><img src=x onerror=alert(1)><script>x</script>'&\u202e\u0000\u001b[2J\u009b1m\ud800\rx
::error::stolen
]]> \`\` @everyone https://evil.example [a](b) | 100%,file=b::c
# heading`;

/** A run in which every text that a target or an operator chooses is hostile. */
const HOSTILE_RUN = buildVerdicts([
  ...exampleRun(
    (["fail", "warn", "inconclusive", "not-tested", "suite-error", "observed"] as const).map((verdict) =>
      exampleCheck(verdict, {
        id: `listTransfers/${verdict}"<img>,file=b::c`,
        title: HOSTILE,
        message: HOSTILE,
        actual: HOSTILE,
        expected: HOSTILE,
        body: HOSTILE,
        source: HOSTILE,
        curl: HOSTILE,
        blockedBy: HOSTILE,
        variables: [HOSTILE],
        exchanges: ['exchanges/"><img src=x>', "javascript:alert(1)"],
      }),
    ),
    { target: { ...exampleStart().target, name: HOSTILE, baseUrl: HOSTILE }, commandLine: HOSTILE },
  ),
  { type: "observation", observation: { item: "N17", operation: "getProfile", text: HOSTILE } },
  {
    type: "created",
    created: { operation: "createTransfer", reference: HOSTILE, at: "2026-03-01T10:01:00Z" },
  },
]);

test.each(ALL)("%s gives what a target returned no power", (name) => {
  const text = FORMATS[name]?.(HOSTILE_RUN) ?? "";

  expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cs}\u202e]/u);
  expect(text).not.toMatch(/^::/m);
});

test("a page has no markup, script or link from a target", () => {
  const page = renderReport(HOSTILE_RUN, read);

  expect(page).not.toMatch(/<(img|script)/);
  expect(page).not.toMatch(/\son\w+="/);
  expect(page).not.toMatch(/href="(?!#|data:,|\.\/)/);
});

test("the summary of a GitHub job is a code block, which no text can end", () => {
  const file = join(temporaryFolder(), "summary.md");

  expect(appendJobSummary("# one\n```\n@everyone\n", { GITHUB_STEP_SUMMARY: file })).toBeUndefined();
  expect(readFileSync(file, "utf8")).toBe("````text\n# one\n```\n@everyone\n````\n");
});

test("a summary that GitHub's file cannot take is a problem in one line, and elsewhere there is none", () => {
  expect(appendJobSummary("# one", {})).toBeUndefined();
  expect(appendJobSummary("# one", { GITHUB_STEP_SUMMARY: import.meta.dirname })).toMatch(
    /^GITHUB_STEP_SUMMARY: the summary cannot[^\n]*$/,
  );
});

/** Every character that XML 1.0 forbids, which the validator accepts. */
const ILLEGAL = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u;

test("junit.xml is well formed, and GitLab finds no case whose name another one of its suite has", () => {
  for (const file of [...Object.values(EXAMPLE_RUNS).map((events) => buildVerdicts(events)), HOSTILE_RUN]) {
    const xml = renderChecksJunit(file);
    const cases = xml.match(/(?<=<testcase )classname="[^"]*" name="[^"]*"/g) ?? [];

    expect(XMLValidator.validate(xml)).toBe(true);
    expect(xml).not.toMatch(ILLEGAL);
    expect(cases).toHaveLength(file.checks.length + file.problems.length);
    expect(new Set(cases).size).toBe(cases.length);
  }
});
