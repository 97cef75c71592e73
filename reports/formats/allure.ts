import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { inertJson, printable, printableLines } from "../text/wording.ts";
import { pasteable } from "../verdicts/commands.ts";
import type { Verdicts } from "../verdicts/run.ts";
import type { CheckResult } from "../verdicts/verdict.ts";
import { type AllureResult, allureResult, CATEGORIES } from "./allure-result.ts";

/** The folder of Allure's results, below the run's folder. */
export const ALLURE_FOLDER = "allure-results";

/** Writes what Allure makes its report from; what an earlier call wrote is replaced. */
export function writeAllureResults(directory: string, file: Verdicts) {
  const folder = join(directory, ALLURE_FOLDER);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const write = (name: string, content: string) => writeFileSync(join(folder, name), content);
  write("categories.json", inertJson(CATEGORIES, 2));
  write("environment.properties", environmentOf(file));
  for (const check of file.checks) {
    const uuid = uuidOf(`${file.startedAt} ${check.id}`);
    const attachments = attach(check, uuid, directory, folder);
    const result: AllureResult = { uuid, ...allureResult(check, file.startedAt), attachments };
    write(`${uuid}-result.json`, inertJson(result));
  }
}

/** Writes the commands and the exchanges of a finding next to the results. */
function attach(check: CheckResult, uuid: string, directory: string, folder: string) {
  const { steps = [] } = check;
  if (steps.length === 0) return [];
  const commands = `${uuid}-attachment.txt`;
  writeFileSync(join(folder, commands), `${printableLines(pasteable(check).join("\n"))}\n`);
  const found = [...new Set(steps.map(({ exchange }) => exchange))].flatMap((path) =>
    copied(join(directory, path), folder),
  );
  return [{ name: "Commands that repeat it", type: "text/plain", source: commands }, ...found];
}

function copied(path: string, folder: string): AllureResult["attachments"] {
  if (!existsSync(path)) return [];
  const name = basename(path, ".json");
  const source = `${name}-attachment.json`;
  if (!existsSync(join(folder, source))) copyFileSync(path, join(folder, source));
  return [{ name: `Exchange ${name}`, type: "application/json", source }];
}

function environmentOf({ target, suite, seed }: Verdicts): string {
  const facts = {
    Target: target.embedded ? "embedded sandbox" : (target.name ?? target.baseUrl),
    Version: target.version,
    Environment: target.environment,
    Suite: suite.version,
    Seed: seed,
  };
  const lines = Object.entries(facts).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name} = ${printable(String(value).replaceAll(/\s+/g, " "))}`],
  );
  return `${lines.join("\n")}\n`;
}

/** A UUID that is the same whenever the results of one run are written. */
const uuidOf = (text: string) =>
  createHash("sha256")
    .update(text)
    .digest("hex")
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, (_, a, b, c, d, e) => `${a}-${b}-4${c}-8${d}-${e}`);
