import type { Bench } from "./bench.ts";
import { median, written } from "./figures.ts";
import { measure } from "./processes.ts";
import { withSandbox } from "./sandbox.ts";
import { prepareTransfers } from "./transfers.ts";

const ROUNDS = 3;
const [FEW, MANY] = [200, 1000];
const TRANSFERS_EACH = 5;

/** The memory of k6 for each virtual user. */
export const vuMemory: Bench = {
  about: `peak memory of k6 for each virtual user (VU) more, from ${FEW} to ${MANY} of them`,
  run: ({ k6, folder, say }) =>
    withSandbox(async (sandbox) => {
      const { ours, release } = await prepareTransfers(sandbox, k6, folder);
      const peak = async (vus: number) => {
        const users = ["--vus", `${vus}`, "--iterations", `${vus * TRANSFERS_EACH}`];
        return (await measure(ours({ rate: vus, seconds: TRANSFERS_EACH }, vus, users))).peakMb;
      };
      const slopes: number[] = [];
      for (let round = 1; round <= ROUNDS; round += 1) {
        const [few, many] = [await peak(FEW), await peak(MANY)];
        slopes.push((many - few) / (MANY - FEW));
        say(`round ${round}: ${written(few)} MB with ${FEW} VUs, ${written(many)} MB with ${MANY}`);
      }
      release();
      return [{ what: "memory", value: median(slopes), unit: "MB per VU", most: 0.4 }];
    }),
};
