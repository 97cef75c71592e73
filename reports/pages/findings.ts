import { pasteable, whatToSet } from "../verdicts/commands.ts";
import { type Exchange, type ExchangeReader, isBelow } from "../verdicts/exchange.ts";
import { actualOf, alike, detailsIn, findingsIn, levelOf } from "../verdicts/findings.ts";
import { aboutCritical, aboutWarnings } from "../verdicts/headline.ts";
import { groupInWords, openGroups, operationsOf, WITHOUT_PROOF } from "../verdicts/open.ts";
import type { CheckResult, Step, Verdicts } from "../verdicts/verdict.ts";
import { hasVerdict, isMustFailure, stateOf } from "../verdicts/verdict.ts";
import { capitalised, plural, type Row, shown } from "../wording.ts";
import { facts, html, list, type Markup, mono, section, table, verdictMark } from "./page.ts";

/** The most MUST checks and critical findings of a section that show their exchange; the others link to it, so that the page stays small. */
const MOST_EXCHANGES = 60;
/** Of a long sequence, this many requests are shown from each end, and those that decide; the links lead to all. */
const FROM_EACH_END = 2;
/** Longer bodies are cut on a page; the file of the exchange has all of it. */
const LONGEST_BODY = 1200;

/** What went wrong: every failure and critical finding in full, warnings, and checks without a verdict, each cause once. */
export function findingSections(file: Verdicts, read: ExchangeReader) {
  const { checks, problems, target } = file;
  const detailsOf = detailsIn(file);
  const ofEach = (some: readonly CheckResult[]) => some.map((check) => [check]);
  const { critical, warned, undecided } = findingsIn(checks);
  const articles = (groups: readonly CheckResult[][]) =>
    groups.length > 0 &&
    html`${groups.map(([check, ...others], index) => {
      const isShown = index < MOST_EXCHANGES && (check?.level === "MUST" || check?.critical);
      return check && finding(check, detailsOf(check), isShown ? read : undefined, others);
    })}`;
  const sectionOf = (name: string, groups: readonly CheckResult[][], about: Markup | false = false) => {
    const [advice] = whatToSet(
      groups.flatMap((group) => group.slice(0, 1)),
      target,
    );
    return section(
      name,
      `${name} (${groups.flat().length})`,
      groups.length > 0 && about,
      advice !== undefined && html`<p>${advice}</p>`,
      articles(groups),
    );
  };
  return {
    problems: section(
      "Problems",
      "Problems of the run",
      problems.length > 0 && list(problems),
      articles(ofEach(checks.filter(hasVerdict("suite-error")))),
    ),
    findings: [
      sectionOf("Failures", ofEach(checks.filter(isMustFailure))),
      sectionOf("Critical findings", ofEach(critical), html`<p>${aboutCritical(file)}</p>`),
      sectionOf("Warnings", alike(warned), html`<p>${aboutWarnings(checks)}</p>`),
      sectionOf("Inconclusive", alike(undecided)),
    ],
  };
}

/**
 * Shows everything about one finding: its rows, the exchanges, if they can be `read`, and the commands; `others` have the
 * same finding.
 */
function finding(
  check: CheckResult,
  rows: readonly Row[],
  read: ExchangeReader | undefined,
  others: readonly CheckResult[],
): Markup {
  const requests = read && sequence(check, read);
  const commands = pasteable(check);
  const title =
    (check.steps ?? []).length > 1
      ? "Commands that repeat the requests, in this order"
      : "Command that repeats the request";
  // The heading names the check and says what the API did, and the exchanges show its response.
  const hidden = ["check", "actual", ...(requests ? ["response"] : [])];
  const left = rows.filter(([label]) => !hidden.includes(label));
  return html`<article class="${shown[stateOf(check)].tone}" id="${check.id}">
<h3>${verdictMark(stateOf(check))} · ${check.operation}: ${actualOf(check)}</h3>
<p class="soft small">${mono(check.id)} · ${levelOf(check)}</p>
${facts(left.map(([label, ...texts]) => [capitalised(label), ...(label === "evidence" ? texts.map(link) : texts)]))}
${requests}
${commands.length > 0 && html`<h4>${title}</h4><pre>${commands.join("\n")}</pre>`}
${
  others.length > 0 &&
  html`<details><summary>The same finding in ${plural(others.length, "other check")} of ${operationsOf(others)}</summary>
${idList(others)}</details>`
}
</article>`;
}

/** The ids of checks, for a fold. */
export const idList = (checks: readonly CheckResult[]): Markup =>
  html`<p class="ids id">${checks.map(({ id }, index) => html`${index > 0 && html`<br>`}${id}`)}</p>`;

/** The requests that show the finding, in their order; without steps, the last request of the check. */
function sequence({ steps = [], exchanges }: CheckResult, read: ExchangeReader): Markup | undefined {
  const last = exchanges.slice(-1).map((exchange): Pick<Step, "exchange" | "decisive"> => ({ exchange }));
  const requests = steps.length > 0 ? steps : last;
  const count = requests.length;
  const views = requests.flatMap(({ exchange, decisive }, index) => {
    const isShown = index < FROM_EACH_END || index >= count - FROM_EACH_END || decisive;
    const found = isShown ? read(exchange) : undefined;
    const place = count > 1 ? ` ${index + 1} of ${count}${decisive ? ", which decides" : ""}` : "";
    return found ? [exchangeView(found, place)] : [];
  });
  return views.length > 0 ? html`${views}` : undefined;
}

/** Shows a request and its response as they went over the wire, redacted; `place` says which of several it is. */
function exchangeView({ request, response, error, durationMs }: Exchange, place: string): Markup {
  const took = durationMs === undefined ? "" : ` after ${Math.round(durationMs)} ms`;
  return html`<h4>Request${place}</h4>
<pre>${request.method} ${request.url}
${content(request)}</pre>
${
  response
    ? html`<h4>Response${took}</h4>
<pre>${response.status}
${content(response)}</pre>`
    : html`<h4>No complete response${took}</h4><pre>${error ?? "unknown"}</pre>`
}`;
}

function content({ headers, body }: Pick<Exchange["request"], "headers" | "body">): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}\n`).join("");
  const rest = body.length - LONGEST_BODY;
  const cut = rest > 0 ? `\n… ${rest} more characters in the file` : "";
  return body === "" ? lines : `${lines}\n${body.slice(0, LONGEST_BODY)}${cut}`;
}

/** Links to a file of the evidence, which works where the page lies in the folder of its run. */
const link = (path: string) =>
  path.startsWith("exchanges/") && isBelow(path) ? html`<a href="./${encodeURI(path)}">${path}</a>` : path;

/** What was not tested or passed without proof, by what would settle it. */
export function openSection({ checks }: Verdicts) {
  const groups = openGroups(checks);
  const rows = groups.map(([reason, some]) => [
    html`<strong>${reason}</strong>`,
    html`<details><summary>${groupInWords(some)}</summary>
${idList(some)}</details>`,
  ]);
  return section(
    "Not tested",
    `Not tested, or passed without proof (${groups.flatMap(([, some]) => some).length})`,
    rows.length > 0 && html`<p>${WITHOUT_PROOF}</p>`,
    rows.length > 0 && table("What would settle the open checks", ["What would settle them", "Checks"], rows),
  );
}
