import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Verdicts } from "../../../reports/verdicts/run.ts";
import { consented } from "../../testing/consented.ts";
import { type Attack, selectionOf } from "./attack.ts";
import { type HostileTarget, startHostileTarget } from "./hostile-target.ts";
import { judge } from "./judge.ts";
import { killAfterPayment, untilQuiet } from "./kill.ts";
import { runMeasured } from "./measured.ts";
import { paidBy } from "./paid.ts";

/** What became of an attack. */
export interface Outcome {
  readonly name: string;
  readonly code: number | null;
  /** The outcome that `verdicts.json` names, if the command came so far. */
  readonly verdict: string;
  readonly seconds: number;
  readonly megabytes: number;
  /** What did not hold, one line each. */
  readonly complaints: readonly string[];
}

/** A command that does not end in this time hangs, unless its attack says otherwise. */
const SECONDS = 120;

/** Carries out one attack in a folder of its own, and judges what the command did. */
export async function tryAttack(attack: Attack): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "attack-"));
  const target = await startHostileTarget((passing) => isHit(attack, passing), attack.damage ?? (() => {}));
  try {
    const before = await paidBy(target.sandbox);
    const variables = variablesFor(attack, target);
    for (const [path, content] of Object.entries(attack.files ?? {})) write(join(folder, path), content);
    const command = attack.command ?? "certify";
    const select = command === "load" ? [] : ["--select", selectionOf(attack)];
    const args = [...select, ...(attack.args ?? [])];
    const surroundings = { folder, variables, seconds: attack.seconds ?? SECONDS };
    if (attack.killedAfter !== undefined) {
      const after = attack.killedAfter;
      await runMeasured(command, args, surroundings, (child) =>
        killAfterPayment(child, target.sandbox, after),
      );
      await untilQuiet(target.sandbox);
    }
    const ended = await runMeasured(command, args, surroundings);
    const file = verdictsIn(folder);
    const after = await paidBy(target.sandbox);
    const paid = { count: after.count - before.count, total: after.total - before.total };
    const complaints = judge({ attack, ended, folder, file, paid, variables, followed: target.followed });
    const { code, seconds, megabytes } = ended;
    return { name: attack.name, code, verdict: file?.outcome ?? "none", seconds, megabytes, complaints };
  } finally {
    await target.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const isHit = ({ victim = "getDispute", when, damage }: Attack, passing: Parameters<HitTest>[0]) =>
  damage !== undefined &&
  (victim === "every" || passing.operation === victim) &&
  (when ? when(passing) : passing.status >= 200 && passing.status < 300);
type HitTest = Parameters<typeof startHostileTarget>[0];

function variablesFor(
  { variables = {}, bare }: Attack,
  { url, sandbox }: HostileTarget,
): Record<string, string> {
  const given = bare ? {} : { ...consented({ ...sandbox.env, BASE_URL: url }), REQUEST_TIMEOUT_MS: "5000" };
  const all: Attack["variables"] = { ...given, ...variables };
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

function write(path: string, content: string) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

function verdictsIn(folder: string): Verdicts | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, "reports/out/latest/verdicts.json"), "utf8")) as Verdicts;
  } catch {
    return undefined;
  }
}
