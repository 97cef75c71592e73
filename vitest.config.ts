import AllureReporter from "allure-vitest/reporter";
import { defineConfig } from "vitest/config";
import { certifyArguments, runAsCertify } from "./suites/vitest/check-files.ts";

// Checks need a target, a plan and a budget: `npx vitest run suites/transfers/list-transfers.check.ts` has them too.
const checks = certifyArguments(process.argv.slice(2));
if (checks) await runAsCertify(checks, process.env);

const { ALLURE_RESULTS: resultsDir } = process.env;

/** Runs the suite's own tests; ALLURE_RESULTS names the folder for their Allure results, if they are wanted. */
export default defineConfig({
  test: {
    reporters: ["default", ...(resultsDir ? [new AllureReporter({ resultsDir })] : [])],
    include: ["{schemas,reports,fixtures,suites,load}/**/*.test.ts"],
    exclude: ["**/node_modules/**", "reports/out/**"],
    expect: { requireAssertions: true },
    maxWorkers: 2,
    testTimeout: 20_000,
    // Removing the thousands of files of a run folder takes long on a busy disk.
    hookTimeout: 60_000,
  },
});
