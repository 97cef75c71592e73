import { headline, leftOpen, reasonOf, targetName } from "../verdicts/headline.ts";
import type { Outcome } from "../verdicts/outcome.ts";
import type { Verdicts } from "../verdicts/run.ts";
import { UNDECIDED, type Verdict } from "../verdicts/verdict.ts";
import { html, type Markup } from "./html.ts";
import { facts } from "./page.ts";

const TONES: Readonly<Record<Outcome, string>> = {
  conformant: "pass",
  "non-conformant": "fail",
  "not-fully-verified": "open",
  refused: "fail",
  interrupted: "open",
  error: "fail",
};

/** Says of a run against the embedded sandbox that it proves nothing about a deployment. */
export const demonstration = ({ target }: Pick<Verdicts, "target">): Markup | false =>
  target.embedded &&
  html`<p class="notice"><strong>Demonstration.</strong> This run tested the embedded sandbox, not a deployment of yours.</p>`;

/** The top of the report: the outcome in a sentence, what was tested and how, and the verdicts in figures. */
export function reportHead(file: Verdicts): Markup {
  const open = leftOpen(file.checks);
  const selected = file.selected && "The operator selected some of the checks; the others were not run. ";
  return html`<header>
${demonstration(file)}
<p class="kicker">Conformance report · Payments Service External API</p>
<div class="outcome ${TONES[file.outcome]}">
<h1>${headline(file)}</h1>
<p>${targetName(file)}: ${reasonOf(file)}. ${selected}${open && `Left undecided: ${open}.`}</p>
</div>
${runFacts(file)}
${figures(file)}
</header>`;
}

/** What was tested, with which version of the suite, when and how. */
function runFacts(file: Verdicts): Markup {
  const { target, suite, startedAt, finishedAt, command, seed, hardened, strict } = file;
  const modes = [hardened && "hardened", strict && "strict"].filter((mode) => mode !== false).join(", ");
  return facts([
    ["Target", targetName(file)],
    ["Base URL", html`<span class="id">${target.baseUrl}</span>`],
    [
      "Environment",
      target.environment === "live" ? "live (environment separation only)" : target.environment,
    ],
    ["Tested", `${time(startedAt)}, for ${duration(startedAt, finishedAt)}`],
    [
      "Suite",
      html`payments-conformance ${suite.version}, commit <span class="id">${suite.commit.slice(0, 12)}</span>`,
    ],
    ["Seed", `${seed}`],
    ["Command", html`<code>${command}</code>`],
    ["Modes", modes],
    ["Out of scope", file.outOfScope.join(", ")],
    ["Exit code", `${file.exitCode}`],
  ]);
}

const FIGURES: readonly (readonly [label: string, verdicts: readonly Verdict[], always?: true])[] = [
  ["passed", ["pass"], true],
  ["failed", ["fail"], true],
  ["warnings", ["warn"], true],
  ["undecided", UNDECIDED, true],
  ["waived", ["waived"]],
  ["suite errors", ["suite-error"]],
  ["observed", ["observed"], true],
];

function figures({ counts }: Verdicts): Markup {
  const shown = FIGURES.map(([label, verdicts, always]) => ({
    label,
    always,
    count: verdicts.reduce((sum, verdict) => sum + (counts[verdict] ?? 0), 0),
  })).filter(({ count, always }) => always || count > 0);
  return html`<dl class="figures">${shown.map(
    ({ label, count }) => html`<div><dt>${label}</dt><dd>${count.toLocaleString("en-US")}</dd></div>`,
  )}</dl>`;
}

/** Writes a moment to the minute, in UTC: `2026-03-01 10:00 UTC`. */
export const time = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;

function duration(from: string, to: string): string {
  const seconds = Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 1000));
  return seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
