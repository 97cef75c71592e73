import { readFileSync } from "node:fs";
import { cpus } from "node:os";

const TICKS_PER_SECOND = 100;
/** The CPU seconds of a process so far; `undefined` once it has ended, and on systems without /proc. */
export function cpuSecondsOf(pid: number | undefined): number | undefined {
  const stat = read(`/proc/${pid}/stat`);
  // After the name, which is in parentheses and may hold spaces.
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields && (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

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

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
