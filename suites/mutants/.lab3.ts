import { appendFileSync } from "node:fs";
import { faults } from "/work/main/fixtures/sandbox/faults.ts";
import { Laboratory } from "/work/main/suites/mutants/laboratory.ts";
import { Trial } from "/work/main/suites/mutants/trial.ts";

const lab = await Laboratory.open(1);
const [from, step, out] = process.argv.slice(2);
const chosen = faults.filter((_, i) => i >= 340 && i % Number(step) === Number(from));
const t = new Trial(
  {
    fault: "*",
    variation: undefined,
    full: false,
    mixes: 0,
    packed: true,
    shard: { part: 1, parts: 1 },
    seed: 1,
    out: "/tmp/x",
    help: false,
  },
  lab,
  (e) => {
    appendFileSync(out!, `${e.id} ${e.durationMs} ${e.complaints.length} ${e.red.join(" ")}\n`);
    for (const c of e.complaints) appendFileSync(out!, `   NOT ${c.slice(0, 300)}\n`);
  },
);
await t.run({ faults: chosen, variations: [] });
await lab.close();
