import { groupBy } from "../grouping.ts";
import { type RequirementResult, requirementResults, ruleNamed, sourcesOf } from "../verdicts/rules.ts";
import type { Verdicts } from "../verdicts/run.ts";
import { type CheckResult, stateOf } from "../verdicts/verdict.ts";
import { countsOf, worstFirst } from "../wording.ts";
import { idList } from "./findings.ts";
import { html, type Markup, section, table, verdictMark } from "./page.ts";

/**
 * Every requirement with its verdict and the checks behind it, and then the checks that rest on something else. A narrowed
 * run shows only the requirements that it touches.
 */
export function requirementSection({ checks, selected }: Verdicts) {
  if (checks.length === 0) return false;
  const all = requirementResults(checks);
  const results = selected ? all.filter(({ verdict }) => verdict !== "none") : all;
  const unproved = results.filter((result) => result.unproved !== undefined);
  const proved = results.filter((result) => result.unproved === undefined);
  return section(
    "requirements",
    "Requirements",
    "Requirements",
    html`<p>${results.length} of ${all.length} requirements of the specification: ${countsOf(results)}. A requirement has the worst verdict of its MUST checks; a critical finding that rests on it leaves it unproved.</p>`,
    unproved.length > 0 && html`<h3>Not proved (${unproved.length})</h3>${requirementTable(unproved)}`,
    proved.length > 0 && html`<h3>Proved (${proved.length})</h3>${requirementTable(proved)}`,
    otherRules(checks),
  );
}

const requirementTable = (results: readonly RequirementResult[]) =>
  table(
    "Requirements, their verdicts and their checks",
    ["Requirement", "Statement", "Verdict", "Checks"],
    results.map(({ id, section, statement, testable, reason, unproved, verdict, checks }) => {
      const limit = reason === unproved ? undefined : reason;
      const kind = testable === "no" ? "Not testable" : "Tested in part";
      return [
        html`<span id="${id}"><strong>${id}</strong></span><br><span class="soft">section ${section}</span>`,
        html`${statement}${unproved !== undefined && html`<br><strong class="small">Not proved: ${unproved}</strong>`}${
          limit !== undefined && html`<br><span class="soft small">${kind}: ${limit}</span>`
        }`,
        verdictMark(verdict),
        checkList(checks),
      ];
    }),
  );

/** The checks of good practice and of open questions, by the norm or open item that they name. */
function otherRules(checks: readonly CheckResult[]): Markup | false {
  const pairs = checks
    .filter(({ requirements }) => requirements.length === 0)
    .flatMap((check) => sourcesOf(check).map((source) => ({ source, check })));
  if (pairs.length === 0) return false;
  const groups = [...groupBy(pairs, ({ source }) => source)].toSorted(([one], [other]) =>
    one < other ? -1 : 1,
  );
  const rows = groups.map(([source, some]) => {
    const { name, origin, statement = "" } = ruleNamed(source);
    return [
      html`<strong>${name}</strong>${origin !== undefined && html`<br><span class="soft">${origin}</span>`}`,
      statement,
      checkList(some.map(({ check }) => check)),
    ];
  });
  return html`<h3>Checks that rest on no requirement</h3>
${table("Norms and open questions, and their checks", ["Basis", "Subject", "Checks"], rows)}`;
}

function checkList(checks: readonly CheckResult[]): Markup {
  if (checks.length === 0) return html`<span class="soft">none</span>`;
  const sorted = worstFirst(checks.map((check) => ({ check, verdict: stateOf(check) })));
  return html`<details><summary>${countsOf(sorted)}</summary>
${[...groupBy(sorted, ({ verdict }) => verdict)].map(([state, some]) => html`<p>${verdictMark(state)}</p>${idList(some.map(({ check }) => check))}`)}</details>`;
}
