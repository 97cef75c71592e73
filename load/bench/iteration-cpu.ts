import type { Bench } from "./bench.ts";
import { median, written } from "./figures.ts";
import { withSandbox } from "./sandbox.ts";
import { microsecondsEach, prepareTransfers } from "./transfers.ts";

const PAIRS = 5;
/** Long enough for the start of k6 to count little. */
const LOAD = { rate: 500, seconds: 30 };

/** The CPU that k6 takes for a transfer, from its start to its end. */
export const iterationCpu: Bench = {
  about: "CPU of k6 for a transfer, with the scripts of this suite and with a minimal one, in turns",
  run: ({ k6, folder, say }) =>
    withSandbox(async (sandbox) => {
      const { ours, minimal, release } = await prepareTransfers(sandbox, k6, folder);
      const ratios: number[] = [];
      for (let pair = 1; pair <= PAIRS; pair += 1) {
        const least = await microsecondsEach(sandbox, minimal(LOAD));
        const own = await microsecondsEach(sandbox, ours(LOAD));
        ratios.push(own / least);
        say(
          `pair ${pair}: minimal ${written(least)} us, ours ${written(own)} us: ${written(own / least)} times`,
        );
      }
      release();
      return [
        { what: "CPU of an iteration", value: median(ratios), unit: "times the minimal script", most: 1.3 },
      ];
    }),
};
