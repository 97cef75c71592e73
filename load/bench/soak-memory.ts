import type { Bench } from "./bench.ts";
import { growthAfter, written } from "./figures.ts";
import { withSandbox } from "./sandbox.ts";
import { watchLoad } from "./watched-load.ts";

const RATE = 200;
const MINUTES = 10;
/** What looking up all transfers may take afterwards. */
const MOST_AFTER_SECONDS = 180;

/** Whether the memory of a long run grows with its length. */
export const soakMemory: Bench = {
  about: `memory of k6 and of the launcher in a soak of ${MINUTES} minutes at ${RATE} requests/s`,
  run: (workshop) =>
    withSandbox(async (sandbox) => {
      const variables = { RATE: `${RATE}`, DURATION: `${MINUTES}m` };
      const seconds = MINUTES * 60 + MOST_AFTER_SECONDS;
      const args = ["transfers", "--profile", "soak"];
      const { code, result, k6, launcher, peakMb, secondsAfter } = await watchLoad(
        sandbox,
        workshop,
        args,
        variables,
        seconds,
      );
      for (const [name, samples] of Object.entries({ k6, launcher })) {
        const minutes = Array.from({ length: MINUTES }, (_, minute) =>
          written(samples.findLast(({ second }) => second < (minute + 1) * 60)?.value ?? Number.NaN),
        );
        workshop.say(`${name}, MB at the end of each minute: ${minutes.join(" ")}`);
      }
      workshop.say(
        `exit code ${code}; then ${result.reconciled} transfers looked up in ${written(secondsAfter)} s, with up to ${written(peakMb)} MB`,
      );
      return [
        { what: "growth of k6 after the first minute", value: growthAfter(k6, 60), unit: "MB", most: 10 },
        {
          what: "growth of the launcher after the first minute",
          value: growthAfter(launcher, 60),
          unit: "MB",
          most: 10,
        },
      ];
    }),
};
