import { code, list, renderMarkdown, table } from "../../reports/ci/markdown.ts";
import { type Case, problemCase, renderJunit } from "../../reports/formats/junit.ts";
import { targetName } from "../../reports/verdicts/headline.ts";
import { keyFigures, operationRows, rateLine, stateOf, throttlingIn, titleOf } from "./measurements.ts";
import { type LoadResult, REPORTED_PERCENTILES } from "./result.ts";

type Invariant = LoadResult["invariants"][number];

/** Renders `junit.xml`, with a suite for the run, one for the invariants and one for the thresholds. */
export function renderLoadJunit(result: LoadResult): string {
  const { outcome, because, workload, profile, invariants, measured, problems, startedAt } = result;
  const name = `the run of ${workload} with the profile ${profile.name} has a verdict`;
  const isJudged = outcome === "passed" || outcome === "failed";
  const cases: Case[] = [
    // A run without a verdict must not look green.
    isJudged
      ? { suite: "load.run", name, state: "passed", output: [because] }
      : { suite: "load.run", name, state: "error", message: because, type: outcome },
    ...problems.map((problem) => problemCase("load.run", problem)),
    ...invariants.map(invariantCase),
    ...(measured?.thresholds ?? []).map((threshold): Case => {
      const { text } = threshold;
      return {
        suite: "load.thresholds",
        name: text,
        state: stateOf(threshold),
        message: text,
        type: "threshold",
      };
    }),
  ];
  const durationMs = Date.parse(result.finishedAt) - Date.parse(startedAt);
  return renderJunit("payments-conformance load", cases, startedAt, durationMs);
}

function invariantCase({ id, title, state, text, references }: Invariant): Case {
  const found = { suite: "load.invariants", name: `${id} ${title}`, state };
  if (state === "held") return { ...found, output: [text] };
  if (state === "warned") return { ...found, output: [`warning: ${text}`, ...references] };
  return { ...found, message: text, type: id, output: references };
}

/** Renders the summary of a load. */
export function renderLoadSummary(result: LoadResult): string {
  const { target, workload, profile, suite, startedAt, measured, invariants, problems } = result;
  const found = (state: Invariant["state"]) => invariants.filter((one) => one.state === state);
  const line = ({ id, title, text }: Invariant) => `**${id}** ${code(`${title}: ${text}`)}`;
  const broken = measured?.thresholds.filter(({ ok }) => !ok) ?? [];
  const throttling = measured && throttlingIn(measured.series);
  return renderMarkdown({
    title: titleOf(result),
    target: targetName(result),
    demonstrates: target.embedded && "loaded",
    because: result.because,
    exitCode: result.exitCode,
    parts: [
      (measured ? keyFigures(measured) : [])
        .map(({ label, value, note }) => `${label}: **${value}**${note && ` (${note})`}`)
        .join(" · "),
      `${code(target.baseUrl)} · workload ${workload} · profile ${profile.name} · suite ${suite.version} · ${startedAt.slice(0, 10)}`,
      ...list("Problems", problems, code),
      ...list("Broken invariants", found("broken"), line),
      ...list("Undecided invariants", found("undecided"), line),
      ...list("Warnings", found("warned"), line),
      ...list("Broken thresholds", broken, ({ text }) => code(text)),
      measured ? table(operationRows(measured, REPORTED_PERCENTILES)) : "",
      measured ? `${rateLine(result, measured)}.` : "",
      throttling ? `${throttling}.` : "",
    ],
    page: "load.html",
  });
}
