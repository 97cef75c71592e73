import { utimesSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { PROJECT_ROOT } from "../../fixtures/testing/scripts.ts";
import { startProgram, startVitest } from "../../fixtures/testing/spawned.ts";

vi.setConfig({ testTimeout: 240_000 });

const FILE = "suites/disputes/get-dispute.check.ts";

test("watch mode runs the checks again when their file changes", async () => {
  const { process: watch, printed } = startVitest(["watch", FILE, "-t", "unknown"]);
  const runs = () => printed().match(/^Reports written to/gm)?.length ?? 0;
  const isWaiting = () => /Waiting for file changes/.test(printed());
  await vi.waitFor(() => expect([runs(), isWaiting()]).toEqual([1, true]), 100_000);

  utimesSync(FILE, new Date(), new Date());
  await vi.waitFor(() => expect(runs()).toBe(2), 100_000);

  expect(printed()).not.toContain("FAIL");
  watch.kill();
});

test("an editor's test panel runs the checks, and again, and they pass or fail one by one", async () => {
  // An editor's extension says who it is, keeps vitest open and asks it for one file after the other.
  const panel = `
    import { createVitest } from "vitest/node";
    const vitest = await createVitest("test", { watch: true, reporters: [{}] });
    await vitest.standalone();
    const specifications = await vitest.globTestSpecifications([${JSON.stringify(FILE)}]);
    for (const pattern of [/unknown/, /record:/]) {
      vitest.setGlobalTestNamePattern(pattern);
      const { testModules } = await vitest.runTestSpecifications(specifications);
      for (const module of testModules)
        for (const test of module.children.allTests())
          console.error(test.result().state, test.name);
    }
    await vitest.close();
    process.exit(0);`;
  const run = startProgram(process.execPath, ["--input-type=module", "--eval", panel], {
    folder: PROJECT_ROOT,
  });

  const { stderr } = await run.ended;

  expect(stderr).toContain("passed getDispute/transaction-unknown/shape: ");
  expect(stderr).toContain("passed getDispute/record: ");
  expect(stderr).not.toMatch(/^failed/m);
});
