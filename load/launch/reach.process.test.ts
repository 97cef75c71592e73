import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { Redactor } from "../../fixtures/engine/redaction/redaction.ts";
import { commandErrorOf, temporaryFolder } from "../../fixtures/testing/example-target.ts";
import { PREPARED_TRANSFERS } from "../testing/example-load.ts";
import { EXAMPLE_RUN } from "../testing/example-result.ts";
import { sandboxClient } from "../testing/sandbox-client.ts";
import { requireReach } from "./reach.ts";

const reached = (status: number, code = 0, error = "") => JSON.stringify(["reach", status, code, error]);

/** What is made of a k6 that prints these lines. */
async function reach(...lines: readonly string[]) {
  vi.stubEnv("NODE_EXTRA_CA_CERTS", undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { client } = await sandboxClient();
  const directory = temporaryFolder();
  const path = join(directory, "fake");
  const text = JSON.stringify(lines.join("\n"));
  writeFileSync(path, `#!${process.execPath}\nconsole.error(${text});`);
  chmodSync(path, 0o700);
  return requireReach({
    client,
    directory,
    k6: { path, version: "2.2.0" },
    run: { ...EXAMPLE_RUN, schema: "payments-conformance/load-run@1" },
    prepared: PREPARED_TRANSFERS,
    calls: [],
    untilItsEnd: [],
    redactor: new Redactor([]),
  });
}

const REFUSED = reached(0, 1212, "dial: connection refused");

test.skipIf(process.platform === "win32").each<[string, string, RegExp]>([
  ["an authority", reached(0, 1310, "x509: unknown authority"), /although this command can: .*set CA_FILE/],
  ["a name", reached(0, 1101, "lookup: no such host"), /cannot resolve the name in .* \/etc\/hosts/],
  ["an address", REFUSED, /although this command can: dial: connection refused\. Compare/],
  ["a gateway", reached(403), /answers k6 with 403 where it answers this command with 200/],
  ["a program", "unknown flag", /did not run: unknown flag/],
])("a load needs k6 to reach the target: %s may differ", async (_, line, problem) => {
  const { exitCode, problems } = await commandErrorOf(() => reach(line));

  expect({ exitCode, problems }).toEqual({
    exitCode: 3,
    problems: [expect.stringMatching(/o load was sent, and nothing was paid$/)],
  });
  expect(problems[0]).toMatch(problem);
});

test.skipIf(process.platform === "win32")("a load goes on if k6 reaches the target", async () => {
  expect(await reach(reached(200))).toBeUndefined();
});
