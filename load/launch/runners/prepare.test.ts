import { expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { exampleTarget } from "../../../fixtures/testing/example-target.ts";
import { shaped } from "../../k6/profiles.ts";
import { EXAMPLE_RUN } from "../../testing/example-result.ts";
import { renderManifest } from "./prepare.ts";

const profile = { name: "mine", ...shaped([{ seconds: 60, rate: 8000 }]) };
const sent = {
  client: {
    target: {
      ...exampleTarget({ HTTPS_PROXY: "proxy:1", NO_PROXY: "a.example b.example" }),
      tls: { ca: "the authority" },
    },
  },
  run: { ...EXAMPLE_RUN, schema: "payments-conformance/load-run@1", profile, runners: 4 } as const,
};
const base64 = (text: string) => Buffer.from(text).toString("base64");

it("gives runners the packed run, and what configures them", () => {
  const documents = parseAllDocuments(renderManifest(sent, Buffer.from("packed")));

  const name = "HTTPS_PROXY";
  expect(documents.map((one) => one.toJS())).toMatchObject([
    {
      data: {
        "archive.tar": base64("packed"),
        "ca.pem": base64("the authority"),
        [name]: base64("http://proxy:1"),
        NO_PROXY: base64("a.example,b.example"),
      },
    },
    {
      spec: {
        parallelism: 4,
        args: [
          ...["--no-usage-report", "--log-format=raw", "--summary-mode=disabled"],
          // The operator's own --tag replaces those that the scripts set.
          ...["--tag", "run=0123abcd", "--tag", "workload=transfers", "--tag", "profile=mine"],
        ],
        runner: {
          env: expect.arrayContaining([
            { name: "GOMEMLIMIT", value: "1094MiB" },
            { name: "SSL_CERT_FILE", value: "/run-files/ca.pem" },
            { name, valueFrom: { secretKeyRef: { name: "load-0123abcd", key: name } } },
          ]),
          resources: { requests: { memory: "1216Mi" }, limits: { memory: "1216Mi" } },
          volumes: [{ secret: { secretName: "load-0123abcd" } }],
        },
      },
    },
  ]);
});

it("refuses a run that is larger than a Secret", () => {
  expect(() => renderManifest(sent, Buffer.alloc(1_000_001))).toThrow(
    /takes 1001 kB, and a Kubernetes Secret holds 1000 kB: name fewer records in DATA/,
  );
});
