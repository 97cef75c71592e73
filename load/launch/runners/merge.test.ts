import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { exampleTarget, temporaryFolder } from "../../../fixtures/testing/example-target.ts";
import { workloads } from "../../k6/traffic/workloads.ts";
import { Journal } from "../../reconcile/journal.ts";
import { readLine } from "../../results/recording/log-line.ts";
import { Recording } from "../../results/recording/recording.ts";
import { EXAMPLE_RUN, loggedResponse } from "../../testing/example-result.ts";
import { readRunnerLogs } from "./merge.ts";

const OBJECTIVES = { latency: { createTransfer: { p95: 300, p99: 400 } }, technicalFailures: 0.01 };
const RUN = {
  ...EXAMPLE_RUN,
  schema: "payments-conformance/load-run@1",
  steps: workloads.transfers,
  objectives: OBJECTIVES,
} as const;
const REFERENCE = `load-${RUN.runId}-`;

/** A run of 1,200 requests with latencies from 5 to 500 ms, most of them short, and a timeout in a hundred. */
const ANSWERS = Array.from({ length: 1200 }, (_, iteration) => {
  const operation = iteration % 5 === 4 ? "listTransfers" : "createTransfer";
  const outcome = iteration % 100 === 99 ? "timeout" : "accepted";
  const latencyMs = Math.round(5 + 495 * (((iteration * 7919) % 1200) / 1200) ** 3);
  return loggedResponse({ iteration, operation, outcome, latencyMs }).replace('"r', `"${REFERENCE}`);
});

const endOf = (segment: string) => JSON.stringify(["end", RUN.runId, segment, 60_010]);

it.each([2, 4])(
  "the logs of %i runners add up to the log of one, percentiles and verdicts included",
  (count) => {
    const folder = temporaryFolder();
    const files = Array.from({ length: count }, (_, runner) => {
      const mine = ANSWERS.filter((_, iteration) => iteration % count === runner);
      const file = join(folder, `runner-${runner + 1}.log`);
      const noise = ['time="..." level=warning msg="[\\"end\\"]"', "", '["createTransfer", 1]'];
      writeFileSync(file, [...noise, ...mine, endOf(`${runner}/${count}:${runner + 1}/${count}`)].join("\n"));
      return file;
    });
    const [alone, journal] = [new Recording(RUN, { createTransfer: 960, listTransfers: 240 }), new Journal()];
    for (const line of ANSWERS.map(readLine)) for (const reader of [alone, journal]) reader.add(line);

    const merged = readRunnerLogs(folder, { ...RUN, runners: count }, files.toReversed(), exampleTarget({}));

    expect(merged.gaps).toEqual([]);
    const [one, all] = [alone.summary(), merged.recording.summary()];
    expect(all?.operations).toEqual(one?.operations);
    expect(Object.keys(all?.operations.createTransfer?.latencyMs ?? {})).toContain("p95");
    expect(all?.thresholds).toEqual(one?.thresholds);
    expect(all?.thresholds.map(({ ok }) => ok)).toContain(false);
    expect(all?.series).toEqual(one?.series);
    expect([all?.iterations, all?.dropped, all?.scheduleLagP99Ms]).toEqual([1200, 0, one?.scheduleLagP99Ms]);
    const references = (entries: Journal["entries"]) => entries.map(({ reference }) => reference).toSorted();
    expect(references(merged.journal.entries)).toEqual(references(journal.entries));
    expect(readFileSync(join(folder, "responses.log"), "utf8").trim().split("\n")).toHaveLength(1200 + count);
  },
);
