import type { Bench } from "./bench.ts";
import { median, written } from "./figures.ts";
import { withSandbox } from "./sandbox.ts";
import { microsecondsEach, prepareTransfers } from "./transfers.ts";

const ROUNDS = 3;
const LOAD = { rate: 500, seconds: 12 };
const LATENCY_MS = 2000;

/** A slow target keeps many virtual users busy, more than k6 began with; a generator that suffers from it would be blamed. */
export const slowTarget: Bench = {
  about: `CPU of k6 for a transfer if each takes ${LATENCY_MS / 1000} s, and if it takes next to nothing, in turns`,
  run: async ({ k6, folder, say }) => {
    const costOf = (latencyMs: number) =>
      withSandbox(async (sandbox) => {
        const { ours, release } = await prepareTransfers(sandbox, k6, folder);
        return microsecondsEach(sandbox, ours(LOAD)).finally(release);
      }, latencyMs);
    const ratios: number[] = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      const [fast, slow] = [await costOf(0), await costOf(LATENCY_MS)];
      ratios.push(slow / fast);
      say(
        `round ${round}: fast ${written(fast)} us, slow ${written(slow)} us: ${written(slow / fast)} times`,
      );
    }
    return [
      { what: "CPU of a slow iteration", value: median(ratios), unit: "times that of a fast one", most: 3 },
    ];
  },
};
