import type { Bench } from "./bench.ts";
import { type Figure, median, written } from "./figures.ts";
import type { Program } from "./processes.ts";
import { withSandbox } from "./sandbox.ts";
import { type Load, microsecondsEach, prepareTransfers } from "./transfers.ts";

const PAIRS = 5;
const LOADS = [
  { rate: 100, seconds: 60, most: 1.3 },
  { rate: 500, seconds: 30, most: 1.5 },
] as const;

/** A run so short that nearly all of its CPU is the start of k6, which is taken off. */
const SHORT_SECONDS = 1;

/** The CPU that k6 takes for a transfer, without its start. */
export const iterationCpu: Bench = {
  about: "CPU of k6 for a transfer, with the scripts of this suite and with a minimal one, in turns",
  run: ({ k6, folder, say }) =>
    withSandbox(async (sandbox) => {
      const { ours, minimal, release } = await prepareTransfers(sandbox, k6, folder);
      const figures: Figure[] = [];
      for (const { most, ...load } of LOADS) {
        const ratios: number[] = [];
        for (let pair = 1; pair <= PAIRS; pair += 1) {
          const each = (program: (load: Load) => Program) =>
            microsecondsEach(sandbox, program(load), program({ ...load, seconds: SHORT_SECONDS }));
          const least = await each(minimal);
          const own = await each((one) => ours(one));
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
