import { expect, test } from "vitest";
import { COMMANDS } from "../../commands.ts";
import { invoke } from "../../fixtures/testing/invoke.ts";
import { npm } from "../testing/spawned.ts";

/** The lines of every help, and the commands below each. */
async function helpOf(words: readonly string[]): Promise<string> {
  const [name = "", ...argv] = words;
  const command = await COMMANDS[name]?.();
  if (!command) throw new Error(`no command is called ${name}`);
  const { code, stdout, stderr } = await invoke(command, [...argv, "--help"]);
  expect({ words, code, stderr }).toEqual({ words, code: 0, stderr: "" });
  const [, below = ""] = /^Commands[^\n]*:\n((?: {2}.*\n)+)/m.exec(stdout) ?? [];
  const further = [...below.matchAll(/^ {2}(\S+)/gm)].map(([, word = ""]) => helpOf([...words, word]));
  return [`$ ${words.join(" ")} --help\n${stdout}`, ...(await Promise.all(further))].join("\n");
}

test("every command shows its help", async () => {
  const helps: string[] = [];
  for (const name of Object.keys(COMMANDS)) helps.push(await helpOf([name]));

  await expect(helps.join("\n")).toMatchFileSnapshot("../proof/records/commands.txt");
});

test("an option without -- before it, which npm keeps, is refused with the line to type", async () => {
  const [kept, short] = await Promise.all([
    npm(["run", "certify", "--dry-rum"], {}),
    npm(["run", "certify", "-s", "getProfile"], {}),
  ]);

  expect(kept).toMatchObject({ code: 2, stderr: expect.stringContaining("npm run certify -- --dry-run.") });
  expect(short).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("npm run certify -- --select getProfile"),
  });
});
