import { groupBy } from "../grouping.ts";
import { type RequirementResult, requirementResults } from "../verdicts/rules.ts";
import { type CheckResult, stateOf, type Verdicts } from "../verdicts/verdict.ts";
import { countsOf, worstFirst } from "../wording.ts";
import { idList } from "./findings.ts";
import { html, type Markup, section, table, verdictMark } from "./page.ts";

/** Every requirement with its verdict and the checks behind it; a narrowed run shows only those that it touches. */
export function requirementSection({ checks, selected }: Verdicts) {
  if (checks.length === 0) return false;
  const all = requirementResults(checks);
  const results = selected ? all.filter(({ verdict }) => verdict !== "none") : all;
  const unproved = results.filter((result) => result.unproved !== undefined);
  const proved = results.filter((result) => result.unproved === undefined);
  return section(
    "Requirements",
    "Requirements",
    html`<p>${results.length} of ${all.length} requirements of the specification: ${countsOf(results)}. A requirement has the worst verdict of its MUST checks; a critical finding that rests on it leaves it unproved.</p>`,
    unproved.length > 0 && html`<h3>Not proved (${unproved.length})</h3>${requirementTable(unproved)}`,
    proved.length > 0 && html`<h3>Proved (${proved.length})</h3>${requirementTable(proved)}`,
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

function checkList(checks: readonly CheckResult[]): Markup {
  if (checks.length === 0) return html`<span class="soft">none</span>`;
  const sorted = worstFirst(checks.map((check) => ({ check, verdict: stateOf(check) })));
  return html`<details><summary>${countsOf(sorted)}</summary>
${[...groupBy(sorted, ({ verdict }) => verdict)].map(([state, some]) => html`<p>${verdictMark(state)}</p>${idList(some.map(({ check }) => check))}`)}</details>`;
}
