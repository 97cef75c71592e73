import { answersOf } from "../verdicts/answers.ts";
import { headline, leftOpen, reasonOf, talliesFor, targetName } from "../verdicts/headline.ts";
import type { Verdicts } from "../verdicts/run.ts";
import { type State, shown } from "../verdicts/words.ts";
import { html, type Markup } from "./html.ts";
import { facts } from "./page.ts";

/** Says of a run against the embedded sandbox that it proves nothing about a deployment. */
const demonstration = (embedded: boolean): Markup | false =>
  embedded &&
  html`<p class="notice"><strong>Demonstration.</strong> This run tested the embedded sandbox, not a deployment of yours.</p>`;

/** What the top of a page says. */
interface Head {
  /** Whether the run tested the embedded sandbox. */
  readonly embedded: boolean;
  /** What kind of page this is. */
  readonly kicker: string;
  readonly outcome: State;
  /** The outcome in a few words, and then in a sentence. */
  readonly title: string;
  readonly text: string;
  /** What a reader asks first, with the answers. */
  readonly answers?: Parameters<typeof facts>[0];
  readonly facts: Markup;
  readonly figures: readonly (readonly [label: string, value: string | Markup])[];
}

/** The top of a report: the outcome in a sentence, what was tested and how, and the result in figures. */
export const pageHead = ({
  embedded,
  kicker,
  outcome,
  title,
  text,
  answers,
  figures,
  ...rest
}: Head): Markup =>
  html`<header>
${demonstration(embedded)}
<p class="kicker">${kicker} · Payments Service External API</p>
<div class="outcome ${shown[outcome].tone}">
<h1>${title}</h1>
<p>${text}</p>
</div>
${answers && facts(answers)}
<dl class="figures">${figures.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>
${rest.facts}
</header>`;

/** The top of the report of a run of checks. */
export function reportHead(file: Verdicts): Markup {
  const open = leftOpen(file.checks);
  const selected = file.selected ? "The operator selected some of the checks; the others were not run. " : "";
  return pageHead({
    embedded: file.target.embedded,
    kicker: "Conformance report",
    outcome: file.outcome,
    title: headline(file),
    text: `${targetName(file)}: ${reasonOf(file)}. ${selected}${open && `Left undecided: ${open}.`}`,
    answers: answersOf(file),
    facts: runFacts(file),
    figures: talliesFor(file.checks).map(({ title, counts }) => [
      title,
      file.checks.filter(counts).length.toLocaleString("en-US"),
    ]),
  });
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
    ["Exit code", `${file.exitCode}`],
  ]);
}

/** Writes a moment to the minute, in UTC: `2026-03-01 10:00 UTC`. */
export const time = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;

/** Writes how long a run took: `90 s`, `2 min 10 s`. */
export function duration(from: string, to: string): string {
  const seconds = Math.max(0, Math.round((Date.parse(to) - Date.parse(from)) / 1000));
  return seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
