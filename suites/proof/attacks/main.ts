import { inParallel } from "../../../fixtures/engine/run/in-parallel.ts";
import type { Command } from "../../../reports/command-line/command.ts";
import { defineCommand, FLAG, wholeNumber } from "../../../reports/command-line/define-command.ts";
import { matching } from "../../runner/checklist.ts";
import { writeRecord } from "../records/record.ts";
import { ATTACKS } from "./attacks.ts";
import { type Outcome, tryAttack } from "./try-attack.ts";

const RECORD = new URL("../records/attacks.txt", import.meta.url);

/** Tries the attacks; prints a line for each. */
export const attacks: Command = defineCommand({
  name: "attacks",
  about: "Lets hostile deployments and damaged files attack certify and load, and says whether they hold.",
  unnamed: "select",
  options: {
    select: {
      type: "string",
      short: "s",
      multiple: true,
      about: "only these attacks: names or patterns like 'bomb/*', separated by commas",
    },
    list: { ...FLAG, about: "list the attacks; runs nothing" },
    record: { ...FLAG, about: "write exit codes and outcomes to suites/proof/records/attacks.txt" },
    jobs: { type: "string", about: "number of attacks at the same time (default 2)" },
  },
  tables: { "Exit codes": { 0: "all attacks held off", 1: "one was not", 2: "usage error" } },
  run: async ({ values, stdout }) => {
    const print = (text: string) => stdout.write(`${text}\n`);
    const problem = "names no attack; --list shows all";
    const selected = values.select
      ? matching("select", ATTACKS, ({ name }) => [name], values.select, problem)
      : ATTACKS;
    if (values.list) return selected.map(({ name }) => name).join("\n");
    const outcomes: Outcome[] = [];
    await inParallel(wholeNumber("jobs", values.jobs) ?? 2, selected, async (attack) => {
      const outcome = await tryAttack(attack);
      outcomes.push(outcome);
      print(described(outcome));
    });
    if (values.record) record(outcomes);
    const failed = outcomes.filter(({ complaints }) => complaints.length > 0);
    print(`${outcomes.length} attacks, ${failed.length} failed.`);
    for (const { name } of failed) print(`  ${name}`);
    return failed.length > 0 ? 1 : 0;
  },
});

function described({ name, code, verdict, seconds, megabytes, complaints }: Outcome): string {
  const figures = [
    complaints.length === 0 ? "ok    " : "FAILED",
    name.padEnd(48),
    String(code ?? "-").padStart(3),
    verdict.padEnd(18),
    `${seconds.toFixed(1).padStart(5)} s`,
    `${megabytes.toFixed(0).padStart(4)} MB`,
  ];
  return [figures.join("  "), ...complaints.map((complaint) => `        ${complaint}`)].join("\n");
}

/** Records what came of each attack; where several exit codes are right, it depends on the moment which one it is. */
function record(outcomes: readonly Outcome[]) {
  const allowed = new Map(ATTACKS.map(({ name, exit }) => [name, exit]));
  const lines = outcomes.map(({ name, code, verdict, complaints }) => {
    const { length = 0 } = allowed.get(name) ?? [];
    const end = length > 1 ? `one of ${allowed.get(name)?.join(", ")}` : `${code} ${verdict}`;
    return { key: name, found: [end, ...complaints].join("; ") };
  });
  const head = "What came of each attack. Written by npm run attacks -- --record.";
  writeRecord(RECORD, head, lines, { complete: outcomes.length === ATTACKS.length });
}
