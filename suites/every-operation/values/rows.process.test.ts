import { expect, test } from "vitest";
import { certify } from "../../../fixtures/runner/certify.ts";
import { deploy, verdictsIn } from "../../../fixtures/testing/deployment.ts";
import { invoke } from "../../../fixtures/testing/invoke.ts";

test.each([
  [
    "createPaymentPage/crashes-on-a-way",
    "values/accepted",
    /^returned 500 with (its boundary in quotes|a boundary of 70 signs), and accepts/,
  ],
  [
    "createNddTransaction/crashes-on-a-value",
    "values/accepted",
    /^returned 500 with ipAddress \([^,]*\), and/,
  ],
  ["createTransfer/hundredfold", "values/echoed", /\(with Accept-Language: de-DE,de;q=0\.9\)/],
  [
    "createTransfer/truncated",
    "values/echoed",
    /\(with Accept-Language: de-DE,de;q=0\.9, amount \([^,]*\)\)/,
  ],
])(
  "of the choices of a request, the finding about %s names those that it takes, and no other",
  async (fault, name, words) => {
    const id = `${fault.split("/", 1)[0]}/${name}`;
    const { env } = await deploy({ changes: [fault] });

    const run = await invoke(certify, ["--select", id, "--seed", "3"], env);

    const [found] = verdictsIn(run).checks.filter((check) => check.id === id);
    expect(run.code).toBe(1);
    expect(found?.verdict).toBe("fail");
    expect(found?.message).toMatch(words);
  },
);
