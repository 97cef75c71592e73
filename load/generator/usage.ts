import { readFileSync } from "node:fs";
import { cpus } from "node:os";

const TICKS_PER_SECOND = 100;
/** Where /proc/<pid>/stat has user and system time after the name, which is in parentheses and may hold spaces. */
const OWN = [11, 12] as const;
const OF_ENDED_CHILDREN = [13, 14] as const;

/** The CPU seconds of a process so far; `undefined` once it has ended, and on systems without /proc. */
export const cpuSecondsOf = (pid: number | undefined) => secondsIn(`/proc/${pid}/stat`, OWN);

/** The CPU seconds of those children of this process that have ended, to their very end. */
export const cpuSecondsOfEndedChildren = () => secondsIn("/proc/self/stat", OF_ENDED_CHILDREN);

/** The resident memory of a process in MB, now and at its highest; `undefined` as for {@link cpuSecondsOf}. */
export function memoryOf(pid: number | undefined) {
  const status = read(`/proc/${pid}/status`);
  const megabytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s*(\\d+) kB`, "m").exec(status ?? "")?.[1]) / 1024;
  const [current, peak] = [megabytes("VmRSS"), megabytes("VmHWM")];
  return current > 0 ? { current, peak } : undefined;
}

/** Watches all CPUs of this machine from now on; returns the share that programs have used since, where it is known. */
export function machineUsage(): () => { readonly machineShare?: number } {
  const before = cpuTimes();
  return () => {
    const { busy, all } = cpuTimes();
    return all > before.all ? { machineShare: (busy - before.busy) / (all - before.all) } : {};
  };
}

function cpuTimes() {
  const times = cpus().map((cpu) => cpu.times);
  const all = times.reduce((sum, one) => sum + one.user + one.nice + one.sys + one.irq + one.idle, 0);
  return { all, busy: all - times.reduce((sum, { idle }) => sum + idle, 0) };
}

function secondsIn(path: string, [user, system]: readonly [number, number]): number | undefined {
  const stat = read(path);
  if (stat === undefined) return undefined;
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[user]) + Number(fields[system])) / TICKS_PER_SECOND;
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
