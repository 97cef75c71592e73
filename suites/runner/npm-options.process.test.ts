import { expect, test } from "vitest";
import { COMMANDS } from "../../commands.ts";
import { invoke } from "../../fixtures/testing/invoke.ts";
import { PROJECT_ROOT } from "../../fixtures/testing/scripts.ts";
import { startNpm, startProgram } from "../../fixtures/testing/spawned.ts";

/** The help of a command, and of the commands below it. */
async function helpOf([name = "", ...argv]: readonly string[]): Promise<string> {
  const command = await COMMANDS[name]?.();
  if (!command) throw new Error(`no command is called ${name}`);
  const { code, stdout, stderr } = await invoke(command, [...argv, "--help"]);
  expect({ name, argv, code, stderr }).toEqual({ name, argv, code: 0, stderr: "" });
  const [, below = ""] = /^Commands[^\n]*:\n((?: {2}.*\n)+)/m.exec(stdout) ?? [];
  const helps = [`$ ${[name, ...argv].join(" ")} --help\n${stdout}`];
  for (const [, word = ""] of below.matchAll(/^ {2}(\S+)/gm)) helps.push(await helpOf([name, ...argv, word]));
  return helps.join("\n");
}

test("every command shows its help", async () => {
  const helps: string[] = [];
  for (const name of Object.keys(COMMANDS)) helps.push(await helpOf([name]));

  await expect(helps.join("\n")).toMatchFileSnapshot("../proof/records/commands.txt");
});

test.each([
  ["a misspelt option that npm kept", ["certify", "--dry-rum"], 2, "npm run certify -- --dry-run."],
  [
    "what is left of an option that npm understood",
    ["certify", "-s", "getProfile"],
    2,
    "npm run certify -- --select getProfile",
  ],
  ["an option after --", ["certify", "--", "--list"], 0, "createTransfer/accepted  MUST"],
])("npm run passes on %s", async (_, words, code, text) => {
  const run = startNpm(words);

  expect((await run.ended).code).toBe(code);
  expect(run.printed()).toContain(text);
});

test.skipIf(process.platform === "win32").each([
  ["prints what a closed pipe still takes", "certify --list | head -1", 0, /MUST|SHOULD/],
  ["names the commands", "--help", 0, /setup, certify, gate, load/],
  ["refuses an unknown command", "certfy", 2, /^unknown command certfy\n/],
])("the executable %s", async (_, line, code, text) => {
  const run = startProgram("bash", ["-o", "pipefail", "-c", `${PROJECT_ROOT}/conformance ${line}`]);

  expect((await run.ended).code).toBe(code);
  expect(run.printed()).toMatch(text);
});
