import { createVitest } from "vitest/node";
import { openEvents } from "../events/events.ts";
import { VerdictReporter } from "../events/reporter.ts";
import { exampleStart } from "./examples.ts";

/**
 * Runs the check files of a folder as the launcher does, for the reporter's own test, and writes events into the
 * same folder: `example-launch.ts <folder> <planned ids, comma separated> [<last id>]`. It stops
 * waiting for vitest after the last id, as the launcher does when its time is over.
 */
const [root = "", plan = "", last = ""] = process.argv.slice(2);
const log = openEvents(root);
const start = exampleStart();
log.append(start);
let giveUp = () => {};
const patience = new Promise<void>((resolve) => {
  giveUp = resolve;
});
const reporter = new VerdictReporter({
  plan: plan.split(","),
  append: log.append,
  onProgress: (done, total, id) => {
    process.stdout.write(`${done}/${total} ${id}\n`);
    if (id === last) giveUp();
  },
  redact: (text) => text.replaceAll("sk_test_secret", "sk_test_…"),
});

const vitest = await createVitest(
  "test",
  {
    watch: false,
    config: false,
    root,
    include: ["*.check.ts"],
    pool: "threads",
    isolate: false,
    maxWorkers: 1,
    testTimeout: 500,
    testNamePattern: /^(?!.*deselected)/,
    expect: { requireAssertions: true },
    reporters: [reporter],
  },
  { server: { watch: null } },
);
await vitest.standalone();
const specifications = await vitest.globTestSpecifications();
// Errors of vitest itself reject here; those of the checks reach the reporter.
const run = vitest.runTestSpecifications(specifications, true);
await Promise.race([run, patience]);
reporter.finish();
log.append({ type: "end", finishedAt: start.startedAt });
log.close();
// vitest cannot close a worker whose import hangs.
process.exit(0);
