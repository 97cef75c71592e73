import { expect, test } from "vitest";
import { patient } from "../k6/client.ts";
import { optionsOfRun } from "../k6/run.ts";
import type { Settings } from "../k6/settings.ts";
import { profileNames, profiles } from "../k6/traffic/profiles.ts";
import { workloadNames, workloads } from "../k6/traffic/workloads.ts";
import { preparedOf } from "../testing/example-load.ts";

const settingsOf = (
  workload: (typeof workloadNames)[number],
  profile: (typeof profileNames)[number],
): Settings => ({
  runId: "0",
  client: patient(10_000),
  objectives: {},
  metrics: true,
  workload,
  steps: preparedOf(workloads[workload]).steps,
  profile: { name: profile, ...profiles[profile] },
});

test.each(workloadNames)("%s counts the requests of each operation that has a threshold", (workload) => {
  const { thresholds, maxRedirects } = optionsOfRun(settingsOf(workload, "average"));

  // A threshold on a tag passes without samples, so another one must count them.
  const tagged = Object.keys(thresholds).flatMap((name) => /\{name:(\w+)/.exec(name)?.[1] ?? []);
  expect(new Set(tagged)).toEqual(new Set(workloads[workload].map(({ operation }) => operation)));
  for (const name of tagged) expect(thresholds).toMatchObject({ [`http_reqs{name:${name}}`]: ["count>0"] });
  // A redirect would get the key.
  expect(maxRedirects).toBe(0);
});

test.each(profileNames)("%s has an executor of its model", (profile) => {
  const { scenarios, tags } = optionsOfRun(settingsOf("safe", profile));

  expect(scenarios?.load?.executor).toBe(profile === "smoke" ? "shared-iterations" : "ramping-arrival-rate");
  expect(tags).toEqual({ run: "0", workload: "safe", profile });
});

test("a runner stops if its responses are mostly server errors, and judges nothing else", () => {
  const { thresholds } = optionsOfRun({ ...settingsOf("transfers", "average"), runners: 4 });

  expect(thresholds).toEqual({
    server_errors: [{ threshold: "rate<=0.5", abortOnFail: true, delayAbortEval: "30s" }],
  });
});
