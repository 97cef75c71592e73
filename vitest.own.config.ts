import AllureReporter from "allure-vitest/reporter";
import { defineConfig } from "vitest/config";

const { ALLURE_RESULTS: resultsDir } = process.env;

/** Starting a command takes 2 s on an idle machine, and a minute on one that is busy with other work. */
const LONGEST_COMMAND_MS = 120_000;

/** The tests of this project whose file names match `include`. */
const ownTests = (
  name: string,
  {
    include = "*.test.ts",
    exclude = [],
    isolate = true,
    testTimeout = 20_000,
    maxWorkers = 2,
  }: {
    include?: string;
    exclude?: string[];
    isolate?: boolean;
    testTimeout?: number;
    maxWorkers?: number;
  },
) => ({
  test: {
    name,
    include: [`{schemas,reports,fixtures,suites,load}/**/${include}`],
    exclude: ["**/node_modules/**", "reports/out/**", ...exclude],
    isolate,
    expect: { requireAssertions: true },
    testTimeout,
    maxWorkers,
    // One project after the other: what takes a time that a test measures shares the machine with no command.
    sequence: { groupOrder: maxWorkers },
    // Removing the thousands of files of a run folder takes long on a busy disk.
    hookTimeout: 60_000,
  },
});

/** Runs the suite's own tests; ALLURE_RESULTS names the folder for their Allure results, if they are wanted. */
export default defineConfig({
  test: {
    reporters: ["default", ...(resultsDir ? [new AllureReporter({ resultsDir })] : [])],
    projects: [
      // Files that start no process and leave nothing behind share their workers, so each module is loaded once.
      ownTests("unit", { exclude: ["**/*.{process,nightly}.test.ts"], isolate: false }),
      // They mostly wait: for an interrupt to settle, a deadline or a port.
      ownTests("process", { include: "*.process.test.ts", testTimeout: LONGEST_COMMAND_MS, maxWorkers: 4 }),
      ...(process.argv.includes("nightly")
        ? [ownTests("nightly", { include: "*.nightly.test.ts", testTimeout: LONGEST_COMMAND_MS })]
        : []),
    ],
  },
});
