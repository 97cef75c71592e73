import { defineConfig } from "vitest/config";
import { oneRun } from "./fixtures/runner/vitest-process.ts";

/** A run waits for transfers to settle. */
const LONGEST_RUN_MS = 60 * 60_000;

/**
 * `npx vitest run` checks the deployment that BASE_URL or .env names, or the embedded sandbox, as one run; see the README.
 * The tests of this project itself have vitest.own.config.ts, which `npm test` names.
 */
export default defineConfig({
  plugins: [oneRun({ ...process.env })],
  test: {
    include: ["suites/**/*.check.ts"],
    exclude: ["**/node_modules/**", "reports/out/**"],
    setupFiles: ["fixtures/runner/checks-as-tests.ts"],
    // All checks are one run, which has one thread.
    pool: "threads",
    isolate: false,
    fileParallelism: false,
    hookTimeout: LONGEST_RUN_MS,
    // An interrupted run looks up what may have been paid.
    teardownTimeout: 30_000,
  },
});
