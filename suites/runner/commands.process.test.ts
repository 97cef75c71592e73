import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { type Deployment, deploy } from "../../fixtures/testing/deployment.ts";
import { invoke } from "../../fixtures/testing/invoke.ts";
import { certify } from "./certify.ts";

/** One response of the commands that were pasted. */
interface Response {
  readonly status: number;
  readonly body: string;
}

const idsIn = ({ body }: Response) => [...new Set(body.match(/"transactionId":"[^"]+"/g))];
const last = (responses: readonly Response[]) => responses.at(-1) ?? { status: 0, body: "" };
const listed = (responses: readonly Response[]) => idsIn(last(responses)).length;
/** Both lists have the same transfers. */
const isEqual = ([one, other]: readonly Response[]) =>
  one !== undefined && other !== undefined && idsIn(one).join() === idsIn(other).join();

/** A fault of the sandbox, the check that finds it, and how its responses to the printed commands show it. */
const DEFECTS: readonly [fault: string, check: string, shows: (responses: readonly Response[]) => boolean][] =
  [
    ["createDiscountCode/status-201", "createDiscountCode/accepted", ([one]) => one?.status === 201],
    [
      "createQrTransaction/body/transaction_id-missing",
      "createQrTransaction/accepted",
      ([one]) => one?.status === 200 && !one.body.includes("transaction_id"),
    ],
    ["listTransfers/auth-altered-key", "listTransfers/auth/altered-key", ([one]) => one?.status === 200],
    ["createTransfer/auth-unknown-key", "createTransfer/auth/unknown-key", ([one]) => one?.status === 200],
    [
      "createTransfer/bankCode/missing-accepted",
      "createTransfer/bankCode/missing",
      ([one]) => one?.status === 200,
    ],
    [
      "getDispute/refusal/errors-type",
      "getDispute/rejections/shape",
      (responses) => last(responses).body.includes('"errors":['),
    ],
    [
      "paid-twice",
      "createTransfer/idempotency/sequential",
      (responses) => responses.length > 2 && listed(responses) > 1,
    ],
    [
      "race-pays-twice",
      "createTransfer/idempotency/concurrent",
      (responses) => responses.length > 2 && listed(responses) > 1,
    ],
    [
      "accepted-is-lost",
      "createTransfer/accepted-is-listed",
      (responses) => responses[0]?.status === 200 && listed(responses) === 0,
    ],
    ["listTransfers-page-ignored", "listTransfers/paging/pages-differ", isEqual],
    [
      "status-filter-ignored",
      "listTransfers/status-sets-disjoint",
      (responses) => responses.length === 2 && isEqual(responses),
    ],
    [
      "listTransfers/connection-needs-one-key",
      "listTransfers/auth/after-valid-key",
      (responses) => responses.length === 2,
    ],
    [
      "createTransfer/transferNote-demanded",
      "createTransfer/accepted",
      ([one, other]) => one?.status !== 200 && other?.status === 200,
    ],
  ];

describe("the commands that npm run certify prints, pasted into bash", () => {
  test.each(DEFECTS)("show the defect again: %s", async (fault, check, shows) => {
    const { env } = await deploy({ fault, seed: 7 });
    const ended = await invoke(certify, ["--select", check], env);

    const commands = commandsOf(ended.stdout, check);
    const responses = await paste(commands, env);

    expect(ended.code).toBe(1);
    expect(ended.stdout).toContain(`{"check":"${check}","reason":"","owner":""`);
    expect(responses.length).toBeGreaterThan(0);
    expect(shows(responses), `${commands}\n${JSON.stringify(responses, null, 1)}`).toBe(true);
  });
});

/** What a reader would copy from the block of a failed check: its comments and commands. */
function commandsOf(stdout: string, check: string): string {
  const [, block = ""] = stdout.split(`\n  ${check} (`);
  const lines = block.split("\n");
  const first = lines.findIndex((line) => /^ {4}(# |RUN=|curl |printf )/.test(line));
  const end = lines.findIndex((line, index) => index > first && line.trim() === "");
  return lines.slice(first, end).join("\n");
}

/** Runs commands in bash with the variables of the deployment, and reads what curl prints. */
async function paste(commands: string, variables: Deployment["env"]): Promise<Response[]> {
  const { stdout } = await promisify(execFile)("bash", ["--norc", "-c", commands], {
    env: { PATH: process.env.PATH, ...variables },
  });
  return stdout
    .replaceAll("\r", "")
    .split(/^HTTP\/1\.1 /m)
    .slice(1)
    .map((text) => ({
      status: Number.parseInt(text, 10),
      body: text.slice(text.indexOf("\n\n") + 2).trim(),
    }));
}
