import { contract } from "../../schemas/contract.ts";
import { pasteable } from "../verdicts/commands.ts";
import { type Exchange, type ExchangeReader, isBelow } from "../verdicts/exchange.ts";
import { openReason } from "../verdicts/open.ts";
import { rulesOf } from "../verdicts/rules.ts";
import type { CheckResult, Step } from "../verdicts/verdict.ts";
import { shown } from "../verdicts/words.ts";
import { plural } from "../wording.ts";
import { html, type Markup } from "./html.ts";
import { facts, verdictMark } from "./page.ts";

export interface FindingOptions {
  /** Reads the exchange to show; without it only links are shown. */
  readonly read?: ExchangeReader | undefined;
  /** The number of other checks that could not run because of this one. */
  readonly blocks?: number | undefined;
  /** Other checks with the same finding, which are only named. */
  readonly others?: readonly CheckResult[];
}

/** Shows everything about one finding: what happened, what was expected and why, the exchange, and the command. */
export function finding(check: CheckResult, { read, blocks = 0, others = [] }: FindingOptions = {}): Markup {
  const { method, route } = contract[check.operation];
  const requests = sequence(check, read);
  const isWarning = check.critical && check.verdict === "warn";
  const level = `${check.level}${check.critical ? ", critical" : ""}${isWarning ? ": fails under --hardened" : ""}`;
  return html`<article class="${shown[check.verdict].tone}" id="${check.id}">
<h3>${verdictMark(check.verdict)} · ${check.operation}: ${check.actual ?? check.message ?? openReason(check)}</h3>
<p class="soft small"><span class="id">${check.id}</span> · ${level} · <span class="id">${method} ${route}</span></p>
${facts([
  ["Checks that", `the API ${check.title}`],
  ["Expected", check.verdict === "inconclusive" ? undefined : check.expected],
  [check.level === "MUST" ? "Required by" : "Based on", rules(check)],
  ["Response", requests || check.body === undefined ? undefined : html`<code>${check.body}</code>`],
  ["Settled by", check.settledBy],
  ["Evidence", exchangeLinks(check.exchanges)],
  ["Blocks", blocks > 0 ? `${plural(blocks, "other check")}, which could not run` : undefined],
])}
${requests}
${commands(check)}
${
  others.length > 0 &&
  html`<details><summary>The same finding in ${plural(others.length, "other check")} of ${operationsOf(others)}</summary>
${idList(others)}</details>`
}
</article>`;
}

/** The commands that show a finding again, in the order in which they are pasted. */
function commands(check: CheckResult): Markup | undefined {
  const lines = pasteable(check);
  if (lines.length === 0) return undefined;
  const title =
    (check.steps ?? []).length > 1
      ? "Commands that repeat the requests, in this order"
      : "Command that repeats the request";
  return html`<h4>${title}</h4><pre>${lines.join("\n")}</pre>`;
}

const operationsOf = (checks: readonly CheckResult[]) =>
  [...new Set(checks.map(({ operation }) => operation))].join(", ");

/** The ids of checks, for a fold. */
export const idList = (checks: readonly CheckResult[]): Markup =>
  html`<p class="ids id">${checks.map(({ id }, index) => html`${index > 0 && html`<br>`}${id}`)}</p>`;

function rules(check: CheckResult): Markup | undefined {
  const lines = rulesOf(check);
  if (lines.length === 0) return undefined;
  if (lines.length === 1) return html`${lines[0]}`;
  return html`<ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>`;
}

/** Of a long sequence, so many requests are shown from each end, and those that decide; the links lead to all. */
const FROM_EACH_END = 2;

/** The requests that show the finding, in their order; without steps, the last request of the check. */
function sequence(
  { steps = [], exchanges }: CheckResult,
  read: ExchangeReader | undefined,
): Markup | undefined {
  if (!read) return undefined;
  const last = exchanges.at(-1);
  const requests: readonly Pick<Step, "exchange" | "decisive">[] =
    steps.length > 0 ? steps : last === undefined ? [] : [{ exchange: last }];
  const count = requests.length;
  const views = requests.flatMap((step, index) => {
    const isShown = index < FROM_EACH_END || index >= count - FROM_EACH_END || step.decisive;
    const found = isShown ? read(step.exchange) : undefined;
    return found ? [exchangeView(found, placeOf(step, index, count))] : [];
  });
  return views.length > 0 ? html`${views}` : undefined;
}

/** Which of several requests this is: `2 of 3, which decides`. */
function placeOf({ decisive }: Pick<Step, "decisive">, index: number, count: number): string {
  if (count < 2) return "";
  return ` ${index + 1} of ${count}${decisive ? ", which decides" : ""}`;
}

/** Longer bodies are cut on a page; the file of the exchange has all of it. */
const LONGEST_BODY = 1200;

/** Shows a request and its response as they went over the wire, redacted; `place` says which of several it is. */
export function exchangeView({ request, response, error, durationMs }: Exchange, place = ""): Markup {
  const took = durationMs === undefined ? "" : ` after ${Math.round(durationMs)} ms`;
  return html`<h4>Request${place}</h4>
<pre>${request.method} ${request.url}
${headerLines(request.headers)}${bodyText(request.body)}</pre>
${
  response
    ? html`<h4>Response${took}</h4>
<pre>${response.status}
${headerLines(response.headers)}${bodyText(response.body)}</pre>`
    : html`<h4>No complete response${took}</h4><pre>${error ?? "unknown"}</pre>`
}`;
}

const headerLines = (headers: Exchange["request"]["headers"]) =>
  headers.map(([name, value]) => `${name}: ${value}\n`).join("");

function bodyText(body: string): string {
  if (body === "") return "";
  const rest = body.length - LONGEST_BODY;
  return `\n${body.slice(0, LONGEST_BODY)}${rest > 0 ? `\n… ${rest} more characters in the file` : ""}`;
}

/** Links to the evidence files, which work where the page lies in the folder of its run; the last one has its name. */
export function exchangeLinks(paths: readonly string[]): Markup | undefined {
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

/** A finding links to this many requests before the last one; `verdicts.json` names all of them. */
const MOST_LINKS = 12;

const link = (path: string, text: Markup | string) =>
  isBelow(path) ? html`<a href="./${encodeURI(path)}">${text}</a>` : text;
