import { html } from "../../../reports/pages/page.ts";

/** What a load report needs beyond the style of every page: its figures come first, and it has charts. The colours are told apart by lightness too. */
export const STYLE = html`<style>
:root { --line-1: #0757ba; --line-2: #1a7f37; --line-3: #b35900; --line-4: #8b949e; --line-5: #a0369c; --line-6: #0e7490; --line-7: #c4192a; }
@media screen and (prefers-color-scheme: dark) {
  :root { --line-1: #79b8ff; --line-2: #56c271; --line-3: #e8a33d; --line-4: #8b949e; --line-5: #e39be0; --line-6: #4fc3d9; --line-7: #ff8078; }
}
header { display: flex; flex-direction: column; }
dl.facts { order: 1; }
header > dl.figures { grid-template-columns: repeat(4, 1fr); }
dl.figures div { justify-content: flex-end; }
dl.figures dd { white-space: nowrap; }
dl.figures .bad { color: var(--fail); }
figure.chart { margin: .5rem 0 1rem; }
figure.chart svg { display: block; width: 100%; height: auto; }
.narrow-only { display: none; }
ul.keys { display: flex; flex-wrap: wrap; gap: .1rem 1.25rem; list-style: none; margin: 0 0 .25rem; padding: 0; font-size: .875rem; }
ul.keys li::before { content: ""; display: inline-block; width: 1.25rem; border-top: 3px solid var(--key); margin-right: .4rem; vertical-align: .25em; }
.key-1 { --key: var(--line-1); } .key-2 { --key: var(--line-2); } .key-3 { --key: var(--line-3); } .key-4 { --key: var(--line-4); }
.key-5 { --key: var(--line-5); } .key-6 { --key: var(--line-6); } .key-7 { --key: var(--line-7); }
@media screen and (max-width: 36rem) {
  .wide-only { display: none; }
  .narrow-only { display: block; }
  header > dl.figures { grid-template-columns: repeat(2, 1fr); }
}
@media print {
  figure.chart { break-inside: avoid; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
</style>`;
