import AllureReporter from "allure-vitest/reporter";
import { defineConfig } from "vitest/config";

const { ALLURE_RESULTS: resultsDir, BASE_URL: baseUrl, VITEST_VSCODE } = process.env;

/** A file of checks sends requests, and may move money: it runs only if it is named, or chosen in an editor's test panel. */
const choosesChecks = VITEST_VSCODE !== undefined || process.argv.some((word) => word.includes(".check"));

/** A run of checks waits for transfers to settle, and `--max-minutes` limits it. */
const LONGEST_RUN_MS = 60 * 60_000;

/** Runs the suite's own tests; ALLURE_RESULTS names the folder for their Allure results, if they are wanted. */
export default defineConfig({
  test: {
    reporters: ["default", ...(resultsDir ? [new AllureReporter({ resultsDir })] : [])],
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: "tests",
          include: ["{schemas,reports,fixtures,suites,load}/**/*.test.ts"],
          exclude: ["**/node_modules/**", "reports/out/**"],
          expect: { requireAssertions: true },
          testTimeout: 20_000,
          // Removing the thousands of files of a run folder takes long on a busy disk.
          hookTimeout: 60_000,
        },
      },
      ...(choosesChecks
        ? [
            {
              test: {
                name: "checks",
                include: ["suites/**/*.check.ts"],
                setupFiles: ["suites/vitest/as-certify.ts"],
                provide: { baseUrl: baseUrl === "/" ? undefined : baseUrl },
                // Two runs at the same time would move the lists that each of them judges.
                fileParallelism: false,
                hookTimeout: LONGEST_RUN_MS,
              },
            },
          ]
        : []),
    ],
  },
});
