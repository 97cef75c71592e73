import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { writeArtifacts } from "./artifacts.ts";
import { differencesOf } from "./certificate/verify.ts";
import { type Command, isAlive } from "./command-line/command.ts";
import { defineCommand } from "./command-line/define-command.ts";
import { renderResult } from "./console/console.ts";
import { showsColor } from "./console/layout.ts";
import { readEvents } from "./events/events.ts";
import { VERDICTS_FILE } from "./verdicts/verdict.ts";
import { plural } from "./wording.ts";

const LATEST = "reports/out/latest";

const verify: Command = defineCommand({
  name: "report verify",
  about: "Derives outcome, counts, exit code and digests of a run again; exits with 1 if anything differs.",
  takes: ["<run folder>"],
  options: {},
  run: ({ words: [directory = ""], stderr }) => {
    const { file, differences } = differencesOf(directory);
    if (differences.length === 0)
      return `Verified ${directory}: ${plural(file.checks.length, "verdict")} and ${plural(Object.keys(file.digests).length, "file")} are as the events and the digests give them.`;
    for (const difference of differences) stderr.write(`${difference}\n`);
    return 1;
  },
});

/** Writes the reports of a run again. */
export const report: Command = defineCommand({
  name: "report",
  about: `Writes the reports of a run again from its events, and exits with the exit code of that run.
Without a folder it takes the newest run of checks, ${LATEST}.`,
  takes: ["[run folder]"],
  options: {},
  commands: {
    verify: { about: "check that the reports of a run are what its events give", command: verify },
  },
  run: async ({ words: [directory = LATEST], stdout, env }) => {
    await untilEnded(directory);
    const file = await writeArtifacts(directory);
    stdout.write(renderResult(file, { color: showsColor(stdout, env), directory }));
    return file.exitCode;
  },
});

/** How long a run may take to write its own reports after its job was cancelled. */
const LONGEST_END_MS = 15_000;

/** Waits for the process of a run that has no verdicts yet, so that not two write its reports at the same time. */
async function untilEnded(directory: string) {
  const [started] = readEvents(directory);
  const pid = started?.type === "run" ? started.pid : undefined;
  const end = Date.now() + LONGEST_END_MS;
  const goesOn = () => pid !== undefined && pid !== process.pid && isAlive(pid) && Date.now() < end;
  while (!existsSync(join(directory, VERDICTS_FILE)) && goesOn()) await sleep(100);
}
