import { cpuSecondsOf } from "../generator/usage.ts";
import type { Bench } from "./bench.ts";
import { median, written } from "./figures.ts";
import { type Service, withPrism } from "./prism.ts";
import { measure } from "./processes.ts";
import { withSandbox } from "./sandbox.ts";
import { prepareTransfers } from "./transfers.ts";

const PAIRS = 5;
const USERS = { vus: 32, seconds: 5 };
const WARMING_UP = { ...USERS, seconds: 3 };

/** The transfers per second that the sandbox handles, next to those of a mock of the same contract. */
export const sandboxRate: Bench = {
  about: "transfers per second that the sandbox and Prism's mock of the same contract handle, in turns",
  run: ({ k6, folder, say }) =>
    withSandbox((sandbox) =>
      withPrism(folder, async (prism) => {
        const { closed, release } = await prepareTransfers(sandbox, k6, folder);
        const loaded = async ({ pid, origin }: Service, users: typeof USERS) => {
          const before = cpuSecondsOf(pid) ?? Number.NaN;
          const { stdout } = await measure(closed(origin, users));
          const { count, rate, answered } = JSON.parse(stdout) as Readonly<Record<string, number>>;
          if (answered !== 1) throw new Error(`${origin} answered ${answered} of the transfers with 200`);
          return {
            rate: rate ?? 0,
            perCpuSecond: (count ?? 0) / ((cpuSecondsOf(pid) ?? Number.NaN) - before),
          };
        };
        const own = { pid: sandbox.pid, origin: sandbox.target.baseUrl };
        for (const service of [own, prism]) await loaded(service, WARMING_UP);
        const pairs: { readonly rate: number; readonly ratio: number }[] = [];
        for (let pair = 1; pair <= PAIRS; pair += 1) {
          const [ours, theirs] = [await loaded(own, USERS), await loaded(prism, USERS)];
          pairs.push({ rate: ours.rate, ratio: ours.rate / theirs.rate });
          const [perCpu, theirPerCpu] = [ours, theirs].map(({ perCpuSecond }) => written(perCpuSecond));
          say(
            `pair ${pair}: sandbox ${written(ours.rate)}/s, Prism ${written(theirs.rate)}/s: ${written(ours.rate / theirs.rate)} times (for a second of their CPU, ${perCpu} and ${theirPerCpu})`,
          );
        }
        release();
        return [
          {
            what: "rate of the sandbox",
            value: median(pairs.map(({ rate }) => rate)),
            unit: "transfers per second",
            least: 3000,
          },
          {
            what: "its lead",
            value: median(pairs.map(({ ratio }) => ratio)),
            unit: "times the rate of Prism",
            least: 10,
          },
        ];
      }),
    ),
};
