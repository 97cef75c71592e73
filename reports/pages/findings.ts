import { contract } from "../../schemas/contract.ts";
import { groupBy } from "../grouping.ts";
import { howToLoad, pasteable, variablesIn } from "../verdicts/commands.ts";
import { type Exchange, type ExchangeReader, isBelow } from "../verdicts/exchange.ts";
import { aboutWarnings } from "../verdicts/headline.ts";
import {
  blockedCounts,
  groupInWords,
  isBlocked,
  openGroups,
  openReason,
  WITHOUT_PROOF,
} from "../verdicts/open.ts";
import { leadToRules, rulesOf } from "../verdicts/rules.ts";
import type { Verdicts } from "../verdicts/run.ts";
import { type CheckResult, hasVerdict, isOpen, type Step } from "../verdicts/verdict.ts";
import { capitalised, shown } from "../verdicts/words.ts";
import { plural } from "../wording.ts";
import { facts, html, type Markup, mono, section, table, verdictMark } from "./page.ts";

/** The most MUST checks of a section that show their exchange; the others link to it, so that the page stays small. */
const MOST_EXCHANGES = 60;
/** From this many checks on, a finding that they share is shown in full for the first of them only. */
const MANY = 4;
/** Of a long sequence, this many requests are shown from each end, and those that decide; the links lead to all. */
const FROM_EACH_END = 2;
/** Longer bodies are cut on a page; the file of the exchange has all of it. */
const LONGEST_BODY = 1200;
/** A finding links to this many requests before the last one; `verdicts.json` names all of them. */
const MOST_LINKS = 12;

/** What went wrong other than checks, and checks that broke through a fault of the suite. */
export function problemSection({ problems, checks }: Verdicts) {
  const broken = checks.filter(hasVerdict("suite-error"));
  return section(
    "problems",
    "Problems",
    "Problems of the run",
    problems.length > 0 && html`<ul>${problems.map((text) => html`<li>${text}</li>`)}</ul>`,
    broken.length > 0 && html`${broken.map((check) => finding(check))}`,
  );
}

/** Every failure in full; warnings, the critical ones first, and checks without a verdict, each cause once. */
export function findingSections(file: Verdicts, read: ExchangeReader) {
  const failed = file.checks.filter(hasVerdict("fail")).map((check) => [check]);
  const warned = file.checks
    .filter(hasVerdict("warn"))
    .toSorted((one, other) => Number(other.critical ?? 0) - Number(one.critical ?? 0));
  const undecided = file.checks.filter(hasVerdict("inconclusive")).filter((check) => !isBlocked(check));
  return [
    findingSection("Failures", failed, file, read),
    findingSection("Warnings", alike(warned), file, read, html`<p>${aboutWarnings(file)}</p>`),
    findingSection("Inconclusive", alike(undecided), file, read),
  ];
}

function alike(checks: readonly CheckResult[]): CheckResult[][] {
  const groups = groupBy(checks, ({ actual, expected, message }) => `${actual ?? message} ${expected}`);
  return [...groups.values()].flatMap((group) =>
    group.length < MANY ? group.map((check) => [check]) : [group],
  );
}

/** The findings of a section, one article for each group, and first how to load the key for their commands. */
function findingSection(
  name: string,
  groups: readonly CheckResult[][],
  { checks, keySource }: Verdicts,
  read: ExchangeReader,
  about: Markup | false = false,
) {
  const first = groups.flatMap((group) => group.slice(0, 1));
  if (first.length === 0) return false;
  const blocked = blockedCounts(checks);
  const articles = groups.flatMap(([check, ...others], index) => {
    const shown = index < MOST_EXCHANGES && check?.level === "MUST" ? read : undefined;
    return check ? [finding(check, shown, blocked.get(check.id), others)] : [];
  });
  const [advice, command] = howToLoad(variablesIn(first), keySource);
  return section(
    name.toLowerCase(),
    name,
    `${name} (${groups.flat().length})`,
    about,
    advice !== undefined &&
      html`<p>${advice}</p>${command !== undefined && html`<pre>${command.trim()}</pre>`}`,
    html`${articles}`,
  );
}

/**
 * Shows everything about one finding: what happened, what was expected and why, the exchanges, if they can be `read`, and
 * the commands. `blocks` is the number of checks that could not run because of it; `others` have the same finding.
 */
function finding(
  check: CheckResult,
  read?: ExchangeReader,
  blocks = 0,
  others: readonly CheckResult[] = [],
): Markup {
  const { method, route } = contract[check.operation];
  const requests = read && sequence(check, read);
  const isWarning = check.critical && check.verdict === "warn";
  const level = `${check.level}${check.critical ? ", critical" : ""}${isWarning ? ": fails under --hardened" : ""}`;
  const lines = pasteable(check);
  const title =
    (check.steps ?? []).length > 1
      ? "Commands that repeat the requests, in this order"
      : "Command that repeats the request";
  const operations = [...new Set(others.map(({ operation }) => operation))].join(", ");
  return html`<article class="${shown[check.verdict].tone}" id="${check.id}">
<h3>${verdictMark(check.verdict)} · ${check.operation}: ${check.actual ?? check.message ?? openReason(check)}</h3>
<p class="soft small">${mono(check.id)} · ${level} · ${mono(`${method} ${route}`)}</p>
${facts([
  ["Checks that", `the API ${check.title}`],
  ["Expected", check.verdict === "inconclusive" ? undefined : check.expected],
  [capitalised(leadToRules(check)), listed(rulesOf(check))],
  ["Response", requests || check.body === undefined ? undefined : html`<code>${check.body}</code>`],
  ["Settled by", check.settledBy],
  ["Evidence", exchangeLinks(check.exchanges)],
  ["Blocks", blocks > 0 ? `${plural(blocks, "other check")}, which could not run` : undefined],
])}
${requests}
${lines.length > 0 && html`<h4>${title}</h4><pre>${lines.join("\n")}</pre>`}
${
  others.length > 0 &&
  html`<details><summary>The same finding in ${plural(others.length, "other check")} of ${operations}</summary>
${idList(others)}</details>`
}
</article>`;
}

/** The ids of checks, for a fold. */
export const idList = (checks: readonly CheckResult[]): Markup =>
  html`<p class="ids id">${checks.map(({ id }, index) => html`${index > 0 && html`<br>`}${id}`)}</p>`;

const listed = (lines: readonly string[]): Markup | string | undefined =>
  lines.length > 1 ? html`<ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>` : lines[0];

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

/** Links to the evidence files, which work where the page lies in the folder of its run; the last one has its name. */
function exchangeLinks(paths: readonly string[]): Markup | undefined {
  const last = paths.at(-1);
  if (last === undefined) return undefined;
  const earlier = paths.slice(0, -1).slice(-MOST_LINKS);
  const skipped = paths.length - 1 - earlier.length;
  const numbers = earlier.map((path, index) => html` ${link(path, `${skipped + index + 1}`)}`);
  return html`${link(last, html`<code>${last}</code>`)}${
    earlier.length > 0 &&
    html`<br><span class="soft">earlier requests of this check:</span>${skipped > 0 && " …"}${numbers}`
  }`;
}

const link = (path: string, text: Markup | string) =>
  isBelow(path) ? html`<a href="./${encodeURI(path)}">${text}</a>` : text;

/** What was not tested or passed without proof, by what would settle it. */
export function openSection({ checks }: Verdicts) {
  const groups = openGroups(checks);
  const blocked = checks.filter((check) => isBlocked(check) && isOpen(check));
  const rows = [
    ...groups.map(({ reason, checks: some }) => [html`<strong>${reason}</strong>`, fold(some)]),
    ...[...groupBy(blocked, ({ blockedBy = "" }) => blockedBy)].map(([id, some]) => [
      html`<strong>settle ${id === "" ? "another check" : html`<a href="#${id}">${id}</a>`}</strong>`,
      fold(some),
    ]),
  ];
  const count = groups.reduce((sum, { checks: some }) => sum + some.length, blocked.length);
  return section(
    "not-tested",
    "Not tested",
    `Not tested, or passed without proof (${count})`,
    count > 0 && html`<p>${WITHOUT_PROOF}</p>`,
    count > 0 && table("What would settle the open checks", ["What would settle them", "Checks"], rows),
  );
}

const fold = (checks: readonly CheckResult[]): Markup =>
  html`<details><summary>${groupInWords(checks)}</summary>
${idList(checks)}</details>`;
