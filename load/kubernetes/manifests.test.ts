import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";

const fileOf = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8");
/** What PodSecurity `restricted` demands of a pod, and of each of its containers. */
const POD = { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } };
const CONTAINER = { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } };

const documentsOf = (name: string) => parseAllDocuments(fileOf(name)).map((one) => one.toJS() as unknown);

test("the TestRun has the k6 that the other parts of the suite pin, with raw lines, no samples and no privileges", () => {
  const [, k6 = "", version = ""] =
    /^FROM (grafana\/k6:(\d\S+)) AS k6$/m.exec(fileOf("../../Dockerfile")) ?? [];

  expect(fileOf("../engine/go.mod")).toContain(`go.k6.io/k6/v2 v${version}`);
  expect(documentsOf("testrun.yaml")).toMatchObject([
    {
      kind: "TestRun",
      spec: {
        args: ["--no-usage-report", "--log-format=raw", "--summary-mode=disabled"],
        initializer: { disabled: true },
        starter: {
          image: expect.stringMatching(/:starter-v1\.6\.\d+$/),
          securityContext: POD,
          containerSecurityContext: CONTAINER,
        },
        runner: {
          image: k6,
          securityContext: { ...POD, runAsUser: 12345 },
          containerSecurityContext: CONTAINER,
        },
      },
    },
  ]);
});

test("the pod keeps what a run leaves where the image lets it write", () => {
  const { version } = JSON.parse(fileOf("../../package.json")) as { version: string };
  const [, folders = ""] = /mkdir -p (.+?) &&/.exec(fileOf("../../Dockerfile")) ?? [];
  const volumeMounts = folders.split(" ").map((folder) => ({ mountPath: `/suite/${folder}` }));

  expect(documentsOf("suite.yaml")).toMatchObject([
    { kind: "PersistentVolumeClaim", metadata: { name: "payments-load" } },
    {
      kind: "Pod",
      spec: {
        securityContext: POD,
        containers: [
          {
            securityContext: CONTAINER,
            image: expect.stringMatching(new RegExp(`:${version}$`)),
            volumeMounts: expect.arrayContaining(volumeMounts.map((one) => expect.objectContaining(one))),
          },
        ],
        volumes: [{ name: "reports", persistentVolumeClaim: { claimName: "payments-load" } }],
      },
    },
  ]);
});
