import { type State, shown } from "../verdicts/words.ts";
import { html, type Markup } from "./html.ts";

/** Shows a verdict or a state as a sign and a word. */
export function verdictMark(state: State): Markup {
  const { sign, tone, word } = shown[state];
  return html`<span class="verdict ${tone}"><span aria-hidden="true">${sign}</span> ${word}</span>`;
}
