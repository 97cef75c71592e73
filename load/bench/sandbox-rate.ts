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
        for (const service of [own, prism.plain, prism.silent]) await loaded(service, WARMING_UP);
        const rounds: { readonly rate: number; readonly lead: number; readonly leadOverSilent: number }[] =
          [];
        for (let round = 1; round <= ROUNDS; round += 1) {
          const ours = await loaded(own, USERS);
          const plain = await loaded(prism.plain, USERS);
          const silent = await loaded(prism.silent, USERS);
          const { rate } = ours;
          rounds.push({ rate, lead: rate / plain.rate, leadOverSilent: rate / silent.rate });
          say(
            `round ${round}: sandbox ${told(ours)}, Prism ${told(plain)}, Prism without its log ${told(silent)}`,
          );
        }
        release();
        const middle = (name: "rate" | "lead" | "leadOverSilent") =>
          median(rounds.map((round) => round[name]));
        return [
          { what: "rate of the sandbox", value: middle("rate"), unit: "transfers per second", least: 3000 },
          { what: "its lead", value: middle("lead"), unit: "times the rate of Prism", least: 10 },
          {
            what: "its lead",
            value: middle("leadOverSilent"),
            unit: "times the rate of Prism without its log",
          },
        ];
      }),
    ),
};

const told = ({ rate, perCpuSecond }: { readonly rate: number; readonly perCpuSecond: number }) =>
  `${written(rate)}/s (${written(perCpuSecond)} for a second of its CPU)`;
