import { cpuSecondsOf } from "../generator/usage.ts";
import type { Bench } from "./bench.ts";
import { median, written } from "./figures.ts";
import { type Service, withPrism } from "./prism.ts";
import { measure } from "./processes.ts";
import { withSandbox } from "./sandbox.ts";
import { prepareTransfers } from "./transfers.ts";

const ROUNDS = 5;
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
        const services = [own, prism.plain, prism.silent];
        for (const service of services) await loaded(service, WARMING_UP);
        const rounds: (readonly number[])[] = [];
        for (let round = 1; round <= ROUNDS; round += 1) {
          const found: Awaited<ReturnType<typeof loaded>>[] = [];
          for (const service of services) found.push(await loaded(service, USERS));
          const [ours, plain, silent] = found.map(
            ({ rate, perCpuSecond }) =>
              `${written(rate)}/s (${written(perCpuSecond)} for a second of its CPU)`,
          );
          say(`round ${round}: sandbox ${ours}, Prism ${plain}, Prism without its log ${silent}`);
          rounds.push(found.map(({ rate }) => rate));
        }
        release();
        const lead = (service: number) =>
          median(rounds.map((rates) => (rates[0] ?? Number.NaN) / (rates[service] ?? Number.NaN)));
        return [
          {
            what: "rate of the sandbox",
            value: median(rounds.map(([ours = Number.NaN]) => ours)),
            unit: "transfers per second",
            least: 3000,
          },
          { what: "its lead", value: lead(1), unit: "times the rate of Prism", least: 10 },
          { what: "its lead", value: lead(2), unit: "times the rate of Prism without its log" },
        ];
      }),
    ),
};
