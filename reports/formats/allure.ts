import { hash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Stage, Status, TestResult } from "allure-js-commons";
import { uuidOf } from "../digest.ts";
import { pasteable } from "../verdicts/commands.ts";
import { actualOf, detailsIn } from "../verdicts/findings.ts";
import { factsOf } from "../verdicts/headline.ts";
import { topicOf } from "../verdicts/open.ts";
import { type CheckResult, stateOf, type Verdicts } from "../verdicts/verdict.ts";
import { escapeMarkdown, inertJson, linesOf, printable, printableLines, type Row } from "../wording.ts";

/** Writes what Allure makes its report from; what an earlier call wrote is replaced. */
export function writeAllureResults(directory: string, file: Verdicts) {
  const folder = join(directory, "allure-results");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const write = (name: string, content: string) => writeFileSync(join(folder, name), content);
  const facts = factsOf(file).map(
    ([label, text = ""]) => `${label.replace(" ", "-")} = ${printable(text)}\n`,
  );
  write("environment.properties", facts.join(""));
  const detailsOf = detailsIn(file);
  for (const check of file.checks) {
    const uuid = uuidOf(`${file.startedAt} ${check.id}`);
    const result = allureResult(check, detailsOf(check), file.startedAt);
    const attachments = attach(check, uuid, directory, folder);
    write(`${uuid}-result.json`, inertJson({ uuid, ...result, attachments }));
  }
}

/** Writes the commands and the exchanges of a finding next to the results. */
function attach(check: CheckResult, uuid: string, directory: string, folder: string) {
  const { steps = [] } = check;
  if (steps.length === 0) return [];
  const commands = `${uuid}-attachment.txt`;
  writeFileSync(join(folder, commands), `${printableLines(pasteable(check).join("\n"))}\n`);
  const exchanges = new Set(steps.map(({ exchange }) => exchange));
  const copied = [...exchanges].flatMap((path) => {
    if (!existsSync(join(directory, path))) return [];
    const name = basename(path, ".json");
    const source = `${name}-attachment.json`;
    copyFileSync(join(directory, path), join(folder, source));
    return [{ name: `Exchange ${name}`, type: "application/json", source }];
  });
  return [{ name: "Commands that repeat it", type: "text/plain", source: commands }, ...copied];
}

/** One result as Allure reads it. Its readers also know the status `unknown`, which its writers never need. */
type AllureResult = Omit<TestResult, "status" | "stage"> & {
  readonly status: `${Status}` | "unknown";
  readonly stage: `${Stage}`;
};

/** Allure has five statuses; a state without one of its own is named before the title and in the message. */
const STATES: Readonly<
  Record<ReturnType<typeof stateOf>, { readonly status: AllureResult["status"]; readonly word?: string }>
> = {
  pass: { status: "passed" },
  observed: { status: "passed" },
  "pass-weak": { status: "passed", word: "Passed without proof" },
  warn: { status: "passed", word: "Warned" },
  fail: { status: "failed" },
  critical: { status: "failed", word: "Critical finding" },
  waived: { status: "skipped", word: "Waived" },
  inconclusive: { status: "unknown", word: "Inconclusive" },
  "not-tested": { status: "skipped", word: "Not tested" },
  "suite-error": { status: "broken" },
};

/** Turns a check into a result of Allure, without its attachments; `details` describe it, `startedAt` is the start of the run. */
export function allureResult(
  check: CheckResult,
  details: readonly Row[],
  startedAt: string,
): Omit<AllureResult, "uuid" | "attachments"> {
  const { id, title, operation, verdict, level, critical, requirements, durationMs } = check;
  const { status, word } = STATES[stateOf(check)];
  const topic = topicOf(check);
  const historyId = hash("md5", id);
  const start = Date.parse(startedAt);
  const hasPassed = verdict === "pass" || verdict === "observed";
  const why = hasPassed ? check.message : (check.message ?? actualOf(check));
  const severity = { MUST: "critical", SHOULD: critical ? "critical" : "minor", OBSERVE: "trivial" }[level];
  return {
    name: word ? `[${word.toLowerCase()}] ${title}` : title,
    fullName: id,
    historyId,
    testCaseId: historyId,
    status,
    stage: "finished",
    statusDetails: why === undefined ? {} : { message: word ? `${word}: ${why}` : why },
    description: linesOf(details, escapeMarkdown).join("\n\n"),
    titlePath: [operation, topic],
    labels: [
      ["parentSuite", operation],
      ["suite", topic],
      ["feature", operation],
      ["story", topic],
      ["package", `${operation}.${topic}`],
      ["severity", severity],
      ["verdict", verdict],
      ...[level, verdict, ...requirements].map((value) => ["tag", value]),
    ].map(([name = "", value = ""]) => ({ name, value })),
    links: [],
    parameters: [],
    steps: [],
    // When a check started is not recorded, only how long it took.
    start,
    stop: start + durationMs,
  };
}
