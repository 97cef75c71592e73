import { expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { exampleTarget } from "../../../fixtures/testing/example-target.ts";
import { feed } from "../../generator/outputs.ts";
import { shaped } from "../../k6/traffic/profiles.ts";
import { PREPARED_TRANSFERS } from "../../testing/example-load.ts";
import { EXAMPLE_RUN } from "../../testing/example-result.ts";

import { FILES, renderManifest, runnerSecret } from "./manifest.ts";

const TLS = { ca: "the authority", cert: "the certificate", key: "the private key" };
const profile = { name: "mine", ...shaped([{ seconds: 60, rate: 8000 }]) };

function rendered(count: number, tls: Partial<typeof TLS> = {}) {
  const notes = Array.from({ length: count }, (_, index) => ({ words: `${index} ${"ä".repeat(100)}` }));
  const execution = {
    target: { ...exampleTarget({}), tls },
    run: { ...EXAMPLE_RUN, schema: "payments-conformance/load-run@1", profile } as const,
    prepared: { ...PREPARED_TRANSFERS, pools: { invented: notes } },
    outputs: feed(["json=metrics.json"]),
  };
  const given = runnerSecret(execution, 4, undefined);
  const documents = parseAllDocuments(renderManifest(execution, 4, Buffer.from("scripts"), given));
  const [scripts, settings, testRun] = documents.map((one) => one.toJS() as Record<string, never>);
  return { given, notes, scripts, settings, testRun };
}

it("hands certificates over as files of the Secret, and not as options, which would be in the archive", () => {
  const { given, settings, testRun } = rendered(1, TLS);

  expect(given.variables).toMatchObject({ SSL_CERT_FILE: `${FILES}/ca.pem` });
  expect(given.variables.SETTINGS).not.toContain(TLS.key);
  expect(Object.keys(settings?.data ?? {})).toEqual(
    expect.arrayContaining(["SETTINGS", "ca.pem", "k6.json"]),
  );
  expect(testRun?.spec).toMatchObject({
    parallelism: 4,
    args: expect.arrayContaining(["--out", "json=metrics.json", "--config", `${FILES}/k6.json`]),
    runner: {
      volumes: [
        {
          name: "files",
          secret: {
            secretName: "load-0123abcd",
            items: [
              { key: "ca.pem", path: "ca.pem" },
              { key: "k6.json", path: "k6.json" },
            ],
          },
        },
      ],
      volumeMounts: [{ name: "files", mountPath: FILES, readOnly: true }],
    },
  });
});

it("gives runners the CPU and the memory that their part of the rate and of the virtual users needs", () => {
  const { testRun } = rendered(1);

  expect(testRun?.spec).toMatchObject({
    runner: {
      env: [{ name: "GOMEMLIMIT", value: "1094MiB" }],
      resources: { requests: { cpu: "400m", memory: "1216Mi" }, limits: { memory: "1216Mi" } },
    },
  });
});

it("cuts the records into variables of the size that Linux takes, and refuses more than a Secret holds", () => {
  const { given, notes } = rendered(1000);

  const { SETTINGS = "", ...parts } = given.variables;
  const pool = JSON.parse(SETTINGS) as { pool: { variables: string[] } };
  expect(pool.pool.variables.length).toBeGreaterThan(3);
  for (const part of Object.values(parts)) expect(Buffer.byteLength(part)).toBeLessThanOrEqual(120_000);
  const text = pool.pool.variables.map((name) => parts[name]).join("");
  expect(JSON.parse(text)).toEqual({ invented: notes });
  expect(() => rendered(2000)).toThrow(/the records of this run take \d+ kB, .* name fewer records in DATA/);
});
