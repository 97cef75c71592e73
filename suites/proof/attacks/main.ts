import { print, runCommand } from "../../../reports/command-line/command.ts";
import { writeRecord } from "../records/record.ts";
import { AREAS, type Attack } from "./attack.ts";
import { ATTACKS } from "./attacks.ts";
import { attackUsage, readAttackOptions, selectAttacks } from "./options.ts";
import { type Outcome, tryAttack } from "./try-attack.ts";

const RECORD = new URL("../records/attacks.txt", import.meta.url);

await runCommand(attacks);

/** Runs `npm run attacks`; prints a line for each attack and returns the exit code. */
async function attacks(): Promise<number> {
  const options = readAttackOptions();
  if (options.help) return print(attackUsage());
  const selected = selectAttacks(ATTACKS, options.select);
  if (options.list) return print(selected.map(({ name, area }) => `${name}  ${AREAS[area]}`).join("\n"));
  const waiting = [...selected];
  const outcomes: Outcome[] = [];
  const work = async () => {
    for (let attack = waiting.shift(); attack; attack = waiting.shift()) outcomes.push(await shown(attack));
  };
  await Promise.all(Array.from({ length: options.jobs }, work));
  if (options.record) {
    const lines = outcomes.map(({ name, code, verdict, complaints }) => ({
      key: name,
      found: [code ?? "-", verdict, ...complaints].join("\t"),
    }));
    const head = "The exit code and the outcome of each attack. Written by npm run attacks -- --record.";
    writeRecord(RECORD, head, lines, { complete: selected.length === ATTACKS.length });
  }
  const broken = outcomes.filter(({ complaints }) => complaints.length > 0);
  print(`${outcomes.length} attacks, ${broken.length} not held off${broken.length > 0 ? ":" : "."}`);
  for (const { name } of broken) print(`  ${name}`);
  return broken.length > 0 ? 1 : 0;
}

async function shown(attack: Attack): Promise<Outcome> {
  const outcome = await tryAttack(attack);
  const { name, code, verdict, seconds, megabytes, complaints } = outcome;
  const figures = [
    complaints.length === 0 ? "held" : "BROKE",
    name.padEnd(48),
    String(code ?? "-").padStart(3),
    verdict.padEnd(18),
    `${seconds.toFixed(1).padStart(5)} s`,
    `${megabytes.toFixed(0).padStart(4)} MB`,
  ];
  print([figures.join("  "), ...complaints.map((complaint) => `       ${complaint}`)].join("\n"));
  return outcome;
}
