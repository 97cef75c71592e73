import type { RequirementVerdict } from "../verdicts/requirement-verdicts.ts";
import type { Verdict } from "../verdicts/verdict.ts";
import { html, type Markup } from "./html.ts";

interface Look {
  readonly sign: string;
  readonly word: string;
  readonly tone: "pass" | "fail" | "warn" | "open" | "none";
}

// A sign and a word, because a colour alone excludes readers.
const LOOKS: Readonly<Record<Verdict | RequirementVerdict, Look>> = {
  pass: { sign: "✓", word: "passed", tone: "pass" },
  "pass-weak": { sign: "◐", word: "passed weakly", tone: "open" },
  fail: { sign: "✗", word: "failed", tone: "fail" },
  warn: { sign: "!", word: "warning", tone: "warn" },
  observed: { sign: "○", word: "observed", tone: "none" },
  inconclusive: { sign: "?", word: "inconclusive", tone: "open" },
  "not-tested": { sign: "–", word: "not tested", tone: "open" },
  waived: { sign: "~", word: "waived", tone: "warn" },
  "suite-error": { sign: "✗", word: "suite error", tone: "fail" },
  open: { sign: "?", word: "open", tone: "open" },
  none: { sign: "–", word: "no check", tone: "none" },
};

/** The word for a verdict: `passed weakly`. */
export const verdictWord = (verdict: Verdict | RequirementVerdict): string => LOOKS[verdict].word;

/** Shows a verdict as a sign and a word. */
export function verdictMark(verdict: Verdict | RequirementVerdict): Markup {
  const { sign, word, tone } = LOOKS[verdict];
  return html`<span class="verdict ${tone}"><span aria-hidden="true">${sign}</span> ${word}</span>`;
}
