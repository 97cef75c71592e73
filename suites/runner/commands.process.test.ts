import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
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

type Shows = (responses: readonly Response[]) => boolean;
const accepts: Shows = ([one]) => one?.status === 200;
const paysTwice: Shows = (responses) => responses.length > 2 && listed(responses) > 1;

/** Faults of a sandbox, the checks that find them, and how its responses to the printed commands show each. */
const DEFECTS: readonly [faults: readonly string[], shows: Readonly<Record<string, Shows>>][] = [
  [
    [
      "createDiscountCode/status-201",
      "createQrTransaction/body/transaction_id-missing",
      "listTransfers/auth-altered-key",
      "createTransfer/auth-unknown-key",
      "createTransfer/bankCode/missing-accepted",
      "getDispute/refusal/errors-type",
      "listTransfers-page-ignored",
      "status-filter-ignored",
    ],
    {
      "createDiscountCode/accepted": ([one]) => one?.status === 201,
      "createQrTransaction/accepted": ([one]) => one?.status === 200 && !one.body.includes("transaction_id"),
      "listTransfers/auth/altered-key": accepts,
      "createTransfer/auth/unknown-key": accepts,
      "createTransfer/bankCode/missing": accepts,
      "getDispute/rejections/shape": (responses) => last(responses).body.includes('"errors":['),
      "listTransfers/paging/pages-differ": isEqual,
      "listTransfers/status-sets-disjoint": (responses) => responses.length === 2 && isEqual(responses),
    },
  ],
  [
    ["paid-twice"],
    {
      "createTransfer/idempotency/sequential": paysTwice,
      "createTransfer/idempotency/concurrent": paysTwice,
    },
  ],
  [
    ["accepted-is-lost", "listTransfers/connection-needs-one-key"],
    {
      "createTransfer/accepted-is-listed": (responses) =>
        responses[0]?.status === 200 && listed(responses) === 0,
      "listTransfers/auth/after-valid-key": (responses) =>
        responses.length === 3 && last(responses).status === 200,
    },
  ],
  [
    ["createPaymentPage/absence-kept-by-other-instances"],
    {
      "createPaymentPage/fresh-after-write": (responses) => {
        const made = responses.findIndex(({ body }) => body.includes("Page created"));
        const statuses = responses.slice(made + 1).map(({ status }) => status);
        return made > 0 && statuses.includes(200) && statuses.includes(400);
      },
    },
  ],
  [
    ["listTransfers/merchants-mixed-up"],
    {
      "listTransfers/merchants-are-apart": ([own, ...others]) =>
        own !== undefined && others.filter(({ body }) => body === own.body).length > 1,
    },
  ],
  [
    ["getDispute/cache-ignores-transactionRef"],
    {
      "getDispute/transaction-unknown/no-other-record": ([known, unknown]) =>
        known?.status === 200 && known.body === unknown?.body,
    },
  ],
  [
    ["refundTransaction/rejections-leak"],
    {
      "refundTransaction/many-rejections": (responses) =>
        responses.length > 20 && last(responses).status === 500,
    },
  ],
  [
    ["createTransfer/transferNote-demanded"],
    { "createTransfer/accepted": ([one, other]) => one?.status !== 200 && other?.status === 200 },
  ],
];

test.each(DEFECTS)(
  "the commands that certify prints show the defect again in bash: %j",
  async (faults, shows) => {
    const { env } = await deploy({ changes: faults, seed: 7 });
    const ended = await invoke(certify, ["--select", Object.keys(shows).join()], env);

    expect(ended.code).toBe(1);
    for (const [check, isShown] of Object.entries(shows)) {
      const commands = commandsOf(ended.stdout, check);
      const responses = await paste(commands, env);

      expect(ended.stdout).toContain(`{"check":"${check}","reason":"","owner":""`);
      expect(responses.length, check).toBeGreaterThan(0);
      expect(isShown(responses), `${check}\n${commands}\n${JSON.stringify(responses, null, 1)}`).toBe(true);
    }
  },
);

/** What a reader would copy from the block of a failed check: its comments and commands. */
function commandsOf(stdout: string, check: string): string {
  const [, block = ""] = stdout.split(`\n  ${check} (`);
  const lines = block.split("\n");
  const first = lines.findIndex((line) => /^ {4}(# |RUN=|curl |for n |printf )/.test(line));
  const end = lines.findIndex((line, index) => index > first && line.trim() === "");
  return lines.slice(first, end).join("\n");
}

/** Runs commands in bash with the variables of the deployment, and reads what curl prints. */
async function paste(commands: string, variables: Deployment["env"]): Promise<Response[]> {
  const { stdout } = await promisify(execFile)("bash", ["--norc", "-c", commands], {
    env: { PATH: process.env.PATH, ...variables },
  });
  // Commands of a race write at the same time: a response may begin on the line on which another one ends.
  return stdout
    .replaceAll("\r", "")
    .split(/HTTP\/1\.1 (?=\d{3} )/)
    .slice(1)
    .map((text) => ({
      status: Number.parseInt(text, 10),
      body: text.slice(text.indexOf("\n\n") + 2).trim(),
    }));
}
