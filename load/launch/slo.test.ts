import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseTarget } from "../../fixtures/config/target.ts";
import { commandErrorOf, exampleTarget, temporaryFolder } from "../../fixtures/testing/example-target.ts";
import { operations } from "../../schemas/contract.ts";
import { readObjectives } from "./slo.ts";

function slo(text: string): string {
  const path = join(temporaryFolder(), "slo.json");
  writeFileSync(path, text);
  return path;
}

const read = (text: string) => readObjectives(exampleTarget({ SLO: slo(text) }));

describe("service level objectives", () => {
  it("are the operator's: without a file a deployment has none", () => {
    expect(readObjectives(exampleTarget())).toBeUndefined();
  });

  it("are read from the file that SLO names", () => {
    const objectives = { latency: { createTransfer: { p99: 1000 } }, serverErrors: 0.001 };

    expect(read(JSON.stringify(objectives))).toEqual(objectives);
  });

  it("of the embedded sandbox are its own, for operations that exist", () => {
    const variables = { BASE_URL: "http://127.0.0.1:9", SECRET_KEY: "sk_test_0123456789abcdef" };

    const objectives = readObjectives(parseTarget({ embedded: true, variables }));

    const known = operations.map(({ id }) => id);
    expect(known).toEqual(expect.arrayContaining(Object.keys(objectives?.latency ?? { none: {} })));
  });

  it.each([
    ["an unknown operation", '{"latency":{"createPayment":{"p95":1}}}'],
    ["an unknown percentile", '{"latency":{"createTransfer":{"p75":1}}}'],
    ["a share above one", '{"serverErrors":5}'],
    ["no JSON", "{"],
  ])("with %s are refused with 2, in one line", async (_, text) => {
    const refusal = await commandErrorOf(() => read(text));

    expect(refusal.exitCode).toBe(2);
    expect(refusal.problems).toEqual([expect.stringMatching(/^SLO \S+.*$/)]);
  });
});
