import type { ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { CONSENT } from "../../../fixtures/sandbox/data/environment.ts";
import type { Sandbox } from "../../../fixtures/sandbox/service/server.ts";
import { nodeArguments, spawnProgram } from "../../../fixtures/testing/scripts.ts";
import type { Environment } from "../../../reports/command-line/command.ts";
import type { Verdicts } from "../../../reports/verdicts/run.ts";
import { contract } from "../../../schemas/contract.ts";
import { type Attack, selectionOf } from "./attack.ts";
import { type Passing, startHostileTarget, TRAP, UNDAMAGED } from "./hostile-target.ts";
import { judge, type Paid } from "./judge.ts";

/** A command that has ended, and what it took. */
export interface Ended {
  /** `null` if it was killed. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly seconds: number;
  /** The most memory that the process held at any time, in MB; 0 where the system does not say it. */
  readonly megabytes: number;
  /** It was killed because it did not end in time. */
  readonly overdue: boolean;
}

/** What became of an attack. */
export interface Outcome extends Pick<Ended, "code" | "seconds" | "megabytes"> {
  readonly name: string;
  /** The outcome that `verdicts.json` names, if the command came so far. */
  readonly verdict: string;
  /** What failed, one line each. */
  readonly complaints: readonly string[];
}

/** A command that does not end in this time hangs, unless its attack says otherwise. */
const SECONDS = 120;
const POLL_MS = 10;
/** How often the memory of a process is read; its system keeps the highest value. */
const MEMORY_POLL_MS = 50;
/** A command that was killed sends nothing more once it was silent for this long. */
const QUIET_MS = 1000;

/** Carries out one attack in a folder of its own, and judges what the command did. */
export async function tryAttack(attack: Attack): Promise<Outcome> {
  const { command = "certify", damage = () => {}, files = {}, killedAfter } = attack;
  const folder = mkdtempSync(join(tmpdir(), "attack-"));
  const target = await startHostileTarget((passing) => isHit(attack, passing), damage);
  try {
    const before = await paidBy(target);
    const variables = {
      ...target.env,
      ...CONSENT,
      REQUEST_TIMEOUT_MS: "5000",
      ...attack.variables,
    };
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
    const select = command === "certify" ? ["--select", selectionOf(attack)] : [];
    const words = nodeArguments(command, [...select, ...(attack.args ?? [])]);
    const surroundings = { folder, variables, seconds: attack.seconds ?? SECONDS };
    if (killedAfter !== undefined) {
      await run(words, surroundings, (child) => killAfterPayment(child, target, killedAfter));
      for (let seen = -1; seen !== target.log.length; await pause(QUIET_MS)) seen = target.log.length;
    }
    const ended = await run(words, surroundings);
    const verdicts = verdictsIn(folder);
    const after = await paidBy(target);
    const paid = { count: after.count - before.count, total: after.total - before.total };
    const followed = target.log.flatMap(({ path }) => (path.startsWith(TRAP) ? [path] : []));
    const complaints = judge({ attack, ended, folder, verdicts, paid, variables, followed });
    const { code, seconds, megabytes } = ended;
    return { name: attack.name, code, verdict: verdicts?.outcome ?? "none", seconds, megabytes, complaints };
  } finally {
    await target.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const isHit = ({ victim = "getDispute", when, damage }: Attack, passing: Passing) =>
  damage !== undefined &&
  (victim === "every" || passing.operation === victim) &&
  (when ? when(passing) : passing.status >= 200 && passing.status < 300);

/** What a sandbox has paid by transfers since it was seeded, as its own list says. */
async function paidBy({ url, env }: Sandbox): Promise<Paid> {
  const response = await fetch(`${url}${contract.listTransfers.route}?limit=100000&page=1`, {
    headers: { Authorization: `Bearer ${env.SECRET_KEY}`, [UNDAMAGED]: "yes" },
  });
  const { data } = (await response.json()) as { data: Record<string, unknown> };
  const rows = Object.values(data).find(Array.isArray) as readonly { readonly amount: unknown }[];
  return { count: rows.length, total: rows.reduce((sum, { amount }) => sum + Number(amount), 0) };
}

/** Kills a process, which cannot prevent it, this many milliseconds after a sandbox got its first transfer. */
async function killAfterPayment(child: ChildProcess, { log }: Sandbox, milliseconds: number) {
  const isPaying = () => log.some(({ operation, bytes }) => operation === "createTransfer" && bytes > 0);
  while (child.exitCode === null && !isPaying()) await pause(POLL_MS);
  await pause(milliseconds);
  child.kill("SIGKILL");
}

/** Runs node with these variables and nothing else around it, to its end or for this many seconds. */
async function run(
  words: readonly string[],
  { folder, variables, seconds }: { folder: string; variables: Environment; seconds: number },
  onStart: (child: ChildProcess) => void = () => {},
): Promise<Ended> {
  const start = performance.now();
  const { child, printed, code } = spawnProgram(process.execPath, words, { folder, variables });
  child.stdin.end();
  onStart(child);
  let megabytes = 0;
  const poll = setInterval(() => {
    megabytes = Math.max(megabytes, peakOf(child));
  }, MEMORY_POLL_MS);
  let overdue = false;
  const limit = setTimeout(() => {
    overdue = true;
    child.kill("SIGKILL");
  }, seconds * 1000);
  try {
    const ended = { code: await code, ...printed };
    return { ...ended, seconds: (performance.now() - start) / 1000, megabytes, overdue };
  } finally {
    clearInterval(poll);
    clearTimeout(limit);
  }
}

/** The peak of the resident memory in MB, as Linux has it. */
function peakOf({ pid }: ChildProcess): number {
  try {
    const [, kilobytes = "0"] = /VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return Number(kilobytes) / 1024;
  } catch {
    return 0;
  }
}

function verdictsIn(folder: string): Verdicts | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, "reports/out/latest/verdicts.json"), "utf8")) as Verdicts;
  } catch {
    return undefined;
  }
}
