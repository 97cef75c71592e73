import type { RequirementVerdict } from "../verdicts/requirement-verdicts.ts";
import { type Verdict, verdictWords } from "../verdicts/verdict.ts";
import { html, type Markup } from "./html.ts";

interface Look {
  readonly sign: string;
  readonly tone: "pass" | "fail" | "warn" | "open" | "none";
}

// A sign and a word, because a colour alone excludes readers.
const LOOKS: Readonly<Record<Verdict | RequirementVerdict, Look>> = {
  pass: { sign: "✓", tone: "pass" },
  "pass-weak": { sign: "◐", tone: "open" },
  fail: { sign: "✗", tone: "fail" },
  warn: { sign: "!", tone: "warn" },
  observed: { sign: "○", tone: "none" },
  inconclusive: { sign: "?", tone: "open" },
  "not-tested": { sign: "–", tone: "open" },
  waived: { sign: "~", tone: "warn" },
  "suite-error": { sign: "✗", tone: "fail" },
  open: { sign: "?", tone: "open" },
  excluded: { sign: "–", tone: "none" },
  none: { sign: "–", tone: "none" },
};

const WORDS: Readonly<Record<Verdict | RequirementVerdict, string>> = {
  ...verdictWords,
  open: "open",
  excluded: "out of scope",
  none: "no check",
};

/** The word for a verdict: `passed without proof`. */
export const verdictWord = (verdict: Verdict | RequirementVerdict): string => WORDS[verdict];

/** Shows a verdict as a sign and a word. */
export function verdictMark(verdict: Verdict | RequirementVerdict): Markup {
  const { sign, tone } = LOOKS[verdict];
  return html`<span class="verdict ${tone}"><span aria-hidden="true">${sign}</span> ${verdictWord(verdict)}</span>`;
}
