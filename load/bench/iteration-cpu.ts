import type { Bench } from "./bench.ts";
import { type Figure, median, written } from "./figures.ts";
import { withSandbox } from "./sandbox.ts";
import { microsecondsEach, prepareTransfers } from "./transfers.ts";

const PAIRS = 5;
/** Long enough for the start of k6 to count little. */
const LOADS = [
  { rate: 100, seconds: 60, most: 1.3 },
  { rate: 500, seconds: 30, most: 1.5 },
] as const;

/** The CPU that k6 takes for a transfer, from its start to its end. */
export const iterationCpu: Bench = {
  about: "CPU of k6 for a transfer, with the scripts of this suite and with a minimal one, in turns",
  run: ({ k6, folder, say }) =>
    withSandbox(async (sandbox) => {
      const { ours, minimal, release } = await prepareTransfers(sandbox, k6, folder);
      const figures: Figure[] = [];
      for (const { most, ...load } of LOADS) {
        const ratios: number[] = [];
        for (let pair = 1; pair <= PAIRS; pair += 1) {
          const least = await microsecondsEach(sandbox, minimal(load));
          const own = await microsecondsEach(sandbox, ours(load));
          ratios.push(own / least);
          say(
            `${load.rate}/s, pair ${pair}: minimal ${written(least)} us, ours ${written(own)} us: ${written(own / least)} times`,
          );
        }
        const what = `CPU of an iteration at ${load.rate}/s`;
        figures.push({ what, value: median(ratios), unit: "times the minimal script", most });
      }
      release();
      return figures;
    }),
};
