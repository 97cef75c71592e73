import { defineConfig } from "vitest/config";

/** Runs the suite's own tests; the checks against a target (`*.check.ts`) are run by suites/certify.ts. */
export default defineConfig({
  test: {
    include: ["{schemas,reports,fixtures,suites,load}/**/*.test.ts"],
    exclude: ["**/node_modules/**", "reports/out/**"],
    expect: { requireAssertions: true },
    maxWorkers: 2,
    testTimeout: 20_000,
    // Removing the thousands of files of a run folder takes long on a busy disk.
    hookTimeout: 60_000,
  },
});
