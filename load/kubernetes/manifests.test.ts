import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { z } from "zod";

const fileOf = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8");

function documentsOf(name: string): unknown[] {
  const documents = parseAllDocuments(fileOf(name));
  expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
  return documents.map((one) => one.toJS() as unknown);
}

const Name = z.string().regex(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/);
const Quantity = z.string().regex(/^\d+(m|Mi|Gi)?$/);
const FromSecret = z.tuple([z.strictObject({ secretRef: z.strictObject({ name: Name }) })]);
const Resources = z.strictObject({
  requests: z.strictObject({ cpu: Quantity, memory: Quantity }),
  limits: z.strictObject({ memory: Quantity }),
});
const Harmless = z.strictObject({
  allowPrivilegeEscalation: z.literal(false),
  capabilities: z.strictObject({ drop: z.tuple([z.literal("ALL")]) }),
});
const profile = z.strictObject({ type: z.literal("RuntimeDefault") });

/** What k6-operator 1.6 documents of a TestRun, as far as ours uses it; its quantities and booleans are texts in places. */
const TestRun = z.strictObject({
  apiVersion: z.literal("k6.io/v1alpha1"),
  kind: z.literal("TestRun"),
  metadata: z.strictObject({ name: Name }),
  spec: z.strictObject({
    parallelism: z.int().min(1),
    script: z.strictObject({ configMap: z.strictObject({ name: Name, file: z.literal("archive.tar") }) }),
    args: z.array(z.string().regex(/^--[a-z-]+(=\S+)?$/)),
    initializer: z.strictObject({ disabled: z.literal(true) }),
    starter: z.strictObject({ image: z.string(), automountServiceAccountToken: z.literal("false") }),
    runner: z.strictObject({
      image: z.string(),
      automountServiceAccountToken: z.literal("false"),
      envFrom: FromSecret,
      env: z.tuple([z.strictObject({ name: z.literal("GOMEMLIMIT"), value: z.string().regex(/^\d+MiB$/) })]),
      resources: Resources,
      securityContext: z.strictObject({
        runAsNonRoot: z.literal(true),
        runAsUser: z.literal(12345),
        seccompProfile: profile,
      }),
      containerSecurityContext: Harmless,
    }),
  }),
});

const Claim = z.strictObject({
  apiVersion: z.literal("v1"),
  kind: z.literal("PersistentVolumeClaim"),
  metadata: z.strictObject({ name: Name }),
  spec: z.strictObject({
    accessModes: z.tuple([z.literal("ReadWriteOnce")]),
    resources: z.strictObject({ requests: z.strictObject({ storage: Quantity }) }),
  }),
});

const Pod = z.strictObject({
  apiVersion: z.literal("v1"),
  kind: z.literal("Pod"),
  metadata: z.strictObject({ name: Name }),
  spec: z.strictObject({
    restartPolicy: z.literal("Never"),
    activeDeadlineSeconds: z.int(),
    automountServiceAccountToken: z.literal(false),
    securityContext: z.strictObject({
      runAsNonRoot: z.literal(true),
      runAsUser: z.literal(1000),
      runAsGroup: z.literal(1000),
      fsGroup: z.literal(1000),
      seccompProfile: profile,
    }),
    containers: z.tuple([
      z.strictObject({
        name: Name,
        image: z.string().regex(/:\d+\.\d+\.\d+$/),
        command: z.array(z.string()),
        envFrom: FromSecret,
        resources: Resources,
        securityContext: Harmless,
        volumeMounts: z.array(z.strictObject({ name: Name, mountPath: z.string(), subPath: z.string() })),
      }),
    ]),
    volumes: z.tuple([
      z.strictObject({ name: Name, persistentVolumeClaim: z.strictObject({ claimName: Name }) }),
    ]),
  }),
});

describe("load/kubernetes/testrun.yaml", () => {
  const { metadata, spec } = TestRun.parse(documentsOf("testrun.yaml")[0]);

  test("names one run, and the k6 that the other parts of the suite pin", () => {
    const { runner, script, starter } = spec;
    expect([script.configMap.name, runner.envFrom[0].secretRef.name]).toEqual([metadata.name, metadata.name]);
    const [, image = ""] = /^FROM (grafana\/k6:\d\S+) AS k6$/m.exec(fileOf("../../Dockerfile")) ?? [];
    expect(runner.image).toBe(image);
    expect(fileOf("../engine/go.mod")).toContain(`go.k6.io/k6/v2 v${image.split(":")[1]}`);
    expect(starter.image).toMatch(/:starter-v1\.6\.\d+$/);
  });

  test("lets k6 log raw lines, keep no samples, and stop when most responses are server errors", () => {
    expect(spec.args).toEqual(["--no-usage-report", "--log-format=raw", "--summary-mode=disabled"]);
  });
});

describe("load/kubernetes/suite.yaml", () => {
  test("keeps what a run leaves where the image lets it write", () => {
    const [claim, pod] = z.tuple([Claim, Pod]).parse(documentsOf("suite.yaml"));
    const [container] = pod.spec.containers;
    const [volume] = pod.spec.volumes;

    expect(volume.persistentVolumeClaim.claimName).toBe(claim.metadata.name);
    expect(container.volumeMounts.map(({ name }) => name)).toEqual([volume.name, volume.name, volume.name]);
    const dockerfile = fileOf("../../Dockerfile");
    const [, made = ""] = /mkdir -p (.+?) &&/.exec(dockerfile) ?? [];
    expect(
      container.volumeMounts.map(({ mountPath }) => mountPath.replace("/suite/", "")).toSorted(),
    ).toEqual(made.split(" ").toSorted());
    const { version } = JSON.parse(fileOf("../../package.json")) as { version: string };
    expect(container.image).toMatch(new RegExp(`:${version}$`));
  });
});
