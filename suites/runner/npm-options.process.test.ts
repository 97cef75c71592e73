import { describe, expect, test, vi } from "vitest";
import { DEPLOYMENT } from "../../fixtures/testing/example-target.ts";
import { listenRaw } from "../../fixtures/testing/listener.ts";
import { type Ended, npm } from "../testing/spawned.ts";

// Each case starts npm, and this machine may be busy.
vi.setConfig({ testTimeout: 90_000 });

/** A few at a time: npm is slow to start. */
const AT_ONCE = 3;
/** npm answers these itself. */
const NPMS_OWN = ["help", "version"];
const COMMANDS = [
  "certify",
  "gate",
  "load",
  "sandbox",
  "report",
  "clean",
  "setup",
  "mutants",
  "attacks",
  "bench",
] as const;
/** What `load` needs to know before it looks at its options. */
const WORKLOAD: Readonly<Record<string, readonly string[]>> = { load: ["transfers"] };

/** Runs lines through npm, against a deployment that only notices who connects. */
async function typed(lines: readonly (readonly string[])[]) {
  const server = await listenRaw((socket) => socket.destroy());
  const money = { ALLOW_PAYOUTS: "true", MAX_PAYOUTS: "99999", MAX_PAYOUT_TOTAL: "99999999" };
  const variables = { ...DEPLOYMENT, ...money, BASE_URL: server.url, npm_config_update_notifier: "false" };
  const ended: Ended[] = [];
  for (let first = 0; first < lines.length; first += AT_ONCE) {
    const some = lines.slice(first, first + AT_ONCE);
    ended.push(...(await Promise.all(some.map((line) => npm(["run", ...line], variables)))));
  }
  return { ended, heard: server.heard };
}

/** The options that a command's help lists, each with whether it takes a value. */
function optionsIn(help: string): { name: string; hasValue: boolean }[] {
  const lines = help.matchAll(/^ {2}(?:-\w, )?--([\w-]+)( <value>)? /gm);
  return [...lines]
    .map(([, name = "", value]) => ({ name, hasValue: value !== undefined }))
    .filter(({ name }) => !NPMS_OWN.includes(name));
}

describe("an option without -- before it", () => {
  test("is refused by every command, whichever option it is, and nothing is sent", async () => {
    const helps = await typed(COMMANDS.map((command) => [command, "--", "--help"]));
    expect(helps.ended.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
      COMMANDS.map(() => ({ code: 0, stderr: "" })),
    );
    const printed = COMMANDS.map(
      (command, index) => `$ npm run ${command} -- --help\n${helps.ended[index]?.stdout}`,
    );
    await expect(printed.join("\n")).toMatchFileSnapshot("../proof/records/commands.txt");
    const cases = COMMANDS.flatMap((command, index) => {
      const options = optionsIn(helps.ended[index]?.stdout ?? "");
      return options.length > 0 ? [{ command, options }] : [];
    });
    const lines = cases.map(({ command, options }) => [
      command,
      ...(WORKLOAD[command] ?? []),
      ...options.flatMap(({ name, hasValue }) => (hasValue ? [`--${name}`, "7"] : [`--${name}`])),
    ]);

    const { ended, heard } = await typed(lines);

    expect(cases.map(({ command }) => command)).toEqual(
      expect.arrayContaining(["certify", "gate", "load", "sandbox", "clean", "mutants"]),
    );
    for (const [index, { code, stderr, stdout }] of ended.entries()) {
      const { command, options } = cases[index] ?? { command: "", options: [] };
      expect({ command, code, stdout }).toEqual({ command, code: 2, stdout: "" });
      const line = new RegExp(`npm run ${command} -- (.*)\\. Nothing was sent`).exec(stderr)?.[1];
      const words = options.map(({ name, hasValue }) => (hasValue ? `--${name} <value>` : `--${name}`));
      expect(words.filter((word) => !line?.includes(word))).toEqual([]);
    }
    expect(heard).toEqual([]);
  });

  const LINES = [
    [["certify", "--select", "getProfile"], "npm run certify -- --select <value>."],
    [["certify", "--select=getProfile"], "npm run certify -- --select <value>."],
    [["certify", "--selec", "getProfile"], "npm run certify -- --select <value>."],
    [["certify", "-s", "getProfile"], "npm run certify -- --select getProfile."],
    [["certify", "--dry-run"], "npm run certify -- --dry-run."],
    [["certify", "--dry-rum"], "npm run certify -- --dry-run."],
    [["certify", "--seed", "7", "--", "--list"], "npm run certify -- --seed <value>."],
    [["certify", "getProfile"], "npm run certify -- --select getProfile."],
    [["load", "transfers", "--profile", "smoke"], "npm run load -- --profile <value>."],
    [["mutants", "--full"], "npm run mutants -- --full."],
  ] as const;

  test("is answered with the line to type", async () => {
    const { ended, heard } = await typed(LINES.map(([line]) => line));

    const answers = ended.map(({ code, stderr }) => ({ code, stderr: stderr.trim() }));
    expect(answers).toEqual(
      LINES.map(([, answer]) => ({ code: 2, stderr: expect.stringContaining(answer) })),
    );
    expect(answers.filter(({ stderr }) => stderr.includes("\n"))).toEqual([]);
    expect(heard).toEqual([]);
  });

  test("sends nothing if npm answers the option itself", async () => {
    const { ended, heard } = await typed([
      ["certify", "--help"],
      ["certify", "-h"],
      ["certify", "--version"],
    ]);

    expect(ended.map(({ stdout }) => stdout)).toEqual([
      expect.stringContaining("npm run"),
      expect.stringContaining("npm run"),
      expect.stringMatching(/^\d+\.\d+/),
    ]);
    expect(heard).toEqual([]);
  });
});
