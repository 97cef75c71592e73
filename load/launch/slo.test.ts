import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseTarget } from "../../fixtures/engine/config/target.ts";
import { commandErrorOf, exampleTarget, temporaryFolder } from "../../fixtures/testing/example-target.ts";
import { operations } from "../../schemas/contract.ts";
import { readObjectives } from "./plan.ts";

function slo(text: string): string {
  const path = join(temporaryFolder(), "slo.json");
  writeFileSync(path, text);
  return path;
}

const read = (text: string) => readObjectives(exampleTarget({ SLO: slo(text) }));

describe("readObjectives", () => {
  it("returns nothing if the operator names no file", () => {
    expect(readObjectives(exampleTarget())).toBeUndefined();
  });

  it("reads the file that SLO names", () => {
    const objectives = { latency: { createTransfer: { p99: 1000 } }, serverErrors: 0.001 };

    expect(read(JSON.stringify(objectives))).toEqual(objectives);
  });

  it("has objectives for the embedded sandbox, whose operations exist", () => {
    const variables = { BASE_URL: "http://127.0.0.1:9", SECRET_KEY: "sk_test_0123456789abcdef" };

    const objectives = readObjectives(parseTarget({ embedded: true, variables }));

    const known = operations.map(({ id }) => id);
    expect(known).toEqual(expect.arrayContaining(Object.keys(objectives?.latency ?? { none: {} })));
  });

  it.each([
    ["an unknown operation", '{"latency":{"createPayment":{"p95":1}}}'],
    ["an unknown percentile", '{"latency":{"createTransfer":{"p75":1}}}'],
    ["a share above one", '{"serverErrors":5}'],
    ["text that is not JSON", "{"],
  ])("stops with 2 and one line on %s", async (_, text) => {
    const error = await commandErrorOf(() => read(text));

    expect(error.exitCode).toBe(2);
    expect(error.problems).toEqual([expect.stringMatching(/^SLO: .*slo\.json.*$/)]);
  });
});
