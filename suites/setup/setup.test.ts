import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "dotenv";
import { describe, expect, test } from "vitest";
import { deploy } from "../../fixtures/testing/deployment.ts";
import { LIVE_KEY } from "../../fixtures/testing/env-file.ts";
import { temporaryFolder } from "../../fixtures/testing/example-target.ts";
import { invoke } from "../../fixtures/testing/invoke.ts";
import { setup } from "./main.ts";
import { setUp } from "./setup.ts";

/** Runs the setup with these answers, in turn for each variable; Enter for all others. */
async function run(answers: Readonly<Record<string, readonly (string | undefined)[]>>, path = envFile()) {
  const asked: { name: string; secret: boolean; question: string }[] = [];
  const said: string[] = [];
  const dialogue = {
    ask: async (question: string, secret: boolean) => {
      const [, name = ""] = /^\n([\w ,]+): /.exec(question) ?? [];
      const turn = asked.filter((earlier) => earlier.name === name).length;
      asked.push({ name, secret, question });
      const given = answers[name] ?? [];
      return turn in given ? given[turn] : "";
    },
    say: (text: string) => said.push(text),
  };
  const ended = await setUp(dialogue, { ENV_FILE: path }).catch((error: unknown) => error);
  const values = existsSync(path) ? parse(readFileSync(path, "utf8")) : {};
  return { ended, asked, said: said.join(""), values, path };
}

const envFile = () => join(temporaryFolder(), "env");

describe("npm run setup", () => {
  test("asks for each variable, writes the answers and checks the key with one read", async () => {
    const { sandbox, env } = await deploy();
    const { BASE_URL = "", SECRET_KEY = "" } = env;

    const { ended, asked, said, values } = await run({
      BASE_URL: ["nonsense", BASE_URL],
      SECRET_KEY: ["", LIVE_KEY, SECRET_KEY],
      TARGET_NAME: ['Bob\'s "staging"'],
      ALLOW_PAYOUTS: ["true"],
      MAX_PAYOUTS: ["many", "40"],
      MAX_PAYOUT_TOTAL: ["5000"],
    });

    expect(ended).toBe(0);
    expect(values).toEqual({
      BASE_URL,
      SECRET_KEY,
      TARGET_NAME: 'Bob\'s "staging"',
      ALLOW_PAYOUTS: "true",
      MAX_PAYOUTS: "40",
      MAX_PAYOUT_TOTAL: "5000",
    });
    expect(said).toContain("getProfile returned 200");
    expect(said).toContain("BASE_URL must be an http(s) URL. Try again.");
    expect(said).not.toMatch(new RegExp(`${SECRET_KEY}|${LIVE_KEY}`));
    expect(asked.filter(({ secret }) => secret).map(({ name }) => name)).toEqual(
      expect.arrayContaining(["SECRET_KEY", "CARD_CVV", "ACCOUNT_NUMBER"]),
    );
    expect(sandbox.log.map(({ operation }) => operation)).toEqual(["getProfile"]);
  });

  test("keeps the answers if it is interrupted or the key is refused, and asks only for the rest", async () => {
    const { BASE_URL = "" } = (await deploy()).env;
    const path = envFile();
    writeFileSync(path, "# mine\nPLAN_ID=7");

    const stopped = await run({ BASE_URL: [BASE_URL], SECRET_KEY: [undefined] }, path);
    const refused = await run({ SECRET_KEY: ["sk_test_0123456789abcdef"] }, path);

    expect(stopped.ended).toBe(130);
    expect(refused.ended).toMatchObject({
      exitCode: 3,
      message: expect.stringContaining("check SECRET_KEY"),
    });
    expect(refused.asked.map(({ name }) => name)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(BASE_URL|PLAN_ID|MAX_PAYOUTS)$/)]),
    );
    expect(readFileSync(path, "utf8")).toBe(
      `# mine\nPLAN_ID=7\nBASE_URL=${BASE_URL}\nSECRET_KEY=sk_test_0123456789abcdef\n`,
    );
  });

  test("skips a subject with one answer, and all that serves only what is out of scope", async () => {
    const { BASE_URL = "", SECRET_KEY = "" } = (await deploy()).env;

    const { ended, asked, values, said } = await run({
      BASE_URL: [BASE_URL],
      SECRET_KEY: [SECRET_KEY],
      OUT_OF_SCOPE: ["createDispute", "getDispute,live-host,createCardTransaction"],
      Transfers: ["n"],
    });

    expect(ended).toBe(0);
    expect(values.OUT_OF_SCOPE).toBe("getDispute,live-host,createCardTransaction");
    expect(said).toContain("OUT_OF_SCOPE names createDispute");
    const names = asked.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["Transfers", "CUSTOMER_ID", "PROBE_WRITES"]));
    const unasked = ["LIVE_BASE_URL", "DISPUTE_TRANSACTION_REF", "CARD_NUMBER", "TRANSFER_AMOUNT"];
    expect(names.filter((name) => unasked.includes(name))).toEqual([]);
    const [transfers] = asked.filter(({ name }) => name === "Transfers");
    expect(transfers?.question).toMatch(/type n to skip them, which leaves up to \d+ checks untested/);
  });

  test("is refused without a terminal", async () => {
    const { code, stdout, stderr } = await invoke(setup);

    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^npm run setup .* needs a terminal: copy \.env\.example .*\n$/);
  });
});
