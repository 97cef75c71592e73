import { code, list, renderMarkdown, table } from "../../reports/ci/markdown.ts";
import { targetName } from "../../reports/verdicts/headline.ts";
import { keyFigures, operationRows, rateLine, throttlingIn, titleOf } from "./measurements.ts";
import { type LoadResult, REPORTED_PERCENTILES } from "./result.ts";

type Invariant = LoadResult["invariants"][number];

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
