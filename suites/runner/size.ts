import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PROJECT_ROOT } from "../../fixtures/testing/scripts.ts";
import { sourceFiles } from "../../fixtures/testing/source-files.ts";

/**
 * How large this project may be. A check of a rare bug brings a helper, a fault that proves it and lines of a record, and
 * nothing but a limit ever takes something away. Who raises one says in the commit why the users gain more than they lose.
 */
const LIMITS = {
  "lines of source": 51_840,
  "lines of tests": 15_010,
  "lines of proof": 12_094,
  "names that checks import from the engine": 149,
  "checks that only observe": 196,
} as const;

const PROOF = /^(fixtures\/(mutants|deployments)|suites\/proof)\//;

const text = (file: string) => readFileSync(join(PROJECT_ROOT, file), "utf8");
const linesOf = (files: readonly string[]) =>
  files.reduce((sum, file) => sum + text(file).split("\n").length - 1, 0);

/** What a file imports by name from the engine. */
const namesFromEngine = (file: string): string[] =>
  [...text(file).matchAll(/import (?:type )?\{([^}]+)\} from "[^"]*fixtures\/engine\/[^"]+"/g)].flatMap(
    ([, names = ""]) => names.split(",").flatMap((name) => name.trim().replace(/^type /, "") || []),
  );

const all = sourceFiles();
const tests = all.filter((file) => /\.test\.ts$|\/testing\//.test(file));
const source = all.filter((file) => !tests.includes(file));
const names = new Set(source.filter((file) => file.endsWith(".check.ts")).flatMap(namesFromEngine));
const observing = text("suites/checks.txt")
  .split("\n")
  .filter((line) => line.split("\t")[1] === "OBSERVE");
const sizes: Readonly<Record<keyof typeof LIMITS, number>> = {
  "lines of source": linesOf(source),
  "lines of tests": linesOf(tests),
  "lines of proof": linesOf(source.filter((file) => PROOF.test(file))),
  "names that checks import from the engine": names.size,
  "checks that only observe": observing.length,
};
for (const [what, limit] of Object.entries(LIMITS) as [keyof typeof LIMITS, number][]) {
  const size = sizes[what];
  process.stdout.write(`${what}: ${size.toLocaleString("en")} of ${limit.toLocaleString("en")}\n`);
  if (size <= limit) continue;
  process.stderr.write(
    `too many ${what}: take something away, or raise the limit in suites/runner/size.ts\n`,
  );
  process.exitCode = 1;
}
