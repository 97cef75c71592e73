import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Bench } from "./bench.ts";
import { written } from "./figures.ts";
import { withSandbox } from "./sandbox.ts";
import { watchLoad } from "./watched-load.ts";

const TRANSFERS = 10_000;
const RATE = 500;
const MIX = [{ operation: "createTransfer", weight: 1 }];

/** What it takes to look up every transfer of a run. */
export const reconciliation: Bench = {
  about: `time and memory from the end of a load of ${TRANSFERS} transfers to its result`,
  run: (workshop) =>
    withSandbox(async (sandbox) => {
      const mix = join(workshop.folder, "transfers.json");
      writeFileSync(mix, JSON.stringify(MIX));
      const variables = { RATE: `${RATE}`, DURATION: `${TRANSFERS / RATE}s` };
      const args = ["--mix", mix, "--profile", "average"];
      const { code, result, peakMb, secondsAfter, cpuSecondsAfter } = await watchLoad(
        sandbox,
        workshop,
        args,
        variables,
        180,
      );
      const { reconciled, invariants } = result;
      const states = invariants.map(({ id, state }) => `${id} ${state}`);
      workshop.say(`exit code ${code}, ${written(reconciled)} transfers: ${states.join(", ")}`);
      workshop.say(`the launcher took ${written(cpuSecondsAfter)} s of CPU`);
      return [
        { what: "transfers looked up", value: reconciled, unit: "", least: TRANSFERS },
        { what: "time", value: secondsAfter, unit: "s", most: 30 },
        { what: "peak memory of the launcher", value: peakMb, unit: "MB", most: 300 },
      ];
    }),
};
