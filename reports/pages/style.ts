import { raw } from "hono/html";

/** The style of every page: system fonts, light and dark by the reader's preference, always light on paper. */
export const STYLE = raw(`<style>
:root {
  color-scheme: light dark;
  --page: #fff; --raised: #f6f8fa; --ink: #1c2128; --soft: #57606a; --line: #d5dbe1; --link: #0757ba;
  --pass: #1a7f37; --fail: #c4192a; --warn: #8a5a00; --open: #5b5fc7; --none: #57606a;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --page: #0f1317; --raised: #181d23; --ink: #e4e8ec; --soft: #9da7b1; --line: #313941; --link: #79b8ff;
    --pass: #56c271; --fail: #ff8078; --warn: #dba93a; --open: #a9adff; --none: #9da7b1;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 1rem; }
body {
  margin: 0; background: var(--page); color: var(--ink); overflow-wrap: break-word;
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
header, main, footer { max-width: 70rem; margin: 0 auto; padding: 0 1.25rem; }
header { padding-top: 2rem; }
main > section { margin: 3rem 0 0; }
main > h2 { margin-top: 2.25rem; }
footer { margin-top: 4rem; padding-bottom: 3rem; color: var(--soft); font-size: .875rem; }
footer p { max-width: none; border-top: 1px solid var(--line); padding-top: 1rem; }
h1, h2, h3, h4 { line-height: 1.25; margin: 0 0 .5rem; text-wrap: balance; }
h1 { font-size: clamp(1.6rem, 5vw, 2.25rem); letter-spacing: -.015em; }
h2 { font-size: 1.3rem; padding-bottom: .4rem; border-bottom: 1px solid var(--line); margin-bottom: 1rem; }
h3 { font-size: 1rem; }
section > h3 { margin-top: 1.75rem; }
h4 { font-size: .875rem; margin: 1rem 0 .35rem; color: var(--soft); font-weight: 600; }
p { margin: .5rem 0; max-width: 48rem; }
ul, ol { margin: .5rem 0; padding-left: 1.3rem; }
li { margin: .2rem 0; }
a { color: var(--link); text-underline-offset: .15em; overflow-wrap: anywhere; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.soft { color: var(--soft); }
.small { font-size: .875rem; }
code, pre, .id { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
code, .id { font-size: .875em; overflow-wrap: anywhere; }
pre {
  margin: .25rem 0; padding: .75rem .9rem; background: var(--raised); border: 1px solid var(--line); border-radius: 6px;
  font-size: .8rem; line-height: 1.5; white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 2;
}
.kicker { margin: 0 0 .35rem; color: var(--soft); font-size: .875rem; max-width: none; }
.notice { padding: .6rem .9rem; border: 1px solid var(--warn); border-left-width: 5px; border-radius: 4px; max-width: none; margin: 0 0 1.5rem; }
.outcome { border-left: 6px solid var(--none); padding: .1rem 0 .1rem 1.1rem; margin: 0 0 1.75rem; }
.outcome p { font-size: 1.0625rem; }
.outcome.pass { border-color: var(--pass); } .outcome.pass h1 { color: var(--pass); }
.outcome.fail { border-color: var(--fail); } .outcome.fail h1 { color: var(--fail); }
.outcome.open { border-color: var(--warn); } .outcome.open h1 { color: var(--warn); }
dl.facts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .3rem 1.25rem; margin: 1rem 0; }
dl.facts dt { color: var(--soft); } dl.facts dd { margin: 0; overflow-wrap: anywhere; }
dl.facts dd ul { margin: 0; }
dl.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(7rem, 1fr)); gap: .75rem; margin: 1.5rem 0; }
dl.figures div { border: 1px solid var(--line); border-radius: 8px; padding: .6rem .8rem; display: flex; flex-direction: column-reverse; justify-content: flex-end; }
dl.figures dd { margin: 0; font-size: 1.5rem; font-weight: 600; line-height: 1.2; font-variant-numeric: tabular-nums; }
dl.figures dt { color: var(--soft); font-size: .8125rem; }
nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.1rem; list-style: none; padding: 0; margin: 1.5rem 0 0; font-size: .9375rem; }
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 8px; margin: .75rem 0; }
table { border-collapse: collapse; width: 100%; font-size: .875rem; }
caption { text-align: left; padding: .6rem .75rem; color: var(--soft); }
th, td { text-align: left; vertical-align: top; padding: .45rem .75rem; border-top: 1px solid var(--line); }
thead th { border-top: 0; background: var(--raised); font-weight: 600; white-space: nowrap; }
tbody th { font-weight: 400; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.zero { color: var(--soft); opacity: .75; }
table.wide { min-width: 44rem; }
tbody th:has(.id) { min-width: 15rem; }
.verdict { font-weight: 600; white-space: nowrap; }
.verdict.pass { color: var(--pass); } .verdict.fail { color: var(--fail); } .verdict.warn { color: var(--warn); }
.verdict.open { color: var(--open); } .verdict.none { color: var(--none); }
article { border: 1px solid var(--line); border-left: 5px solid var(--none); border-radius: 6px; padding: 1rem 1.1rem; margin: 1rem 0; }
article.fail { border-left-color: var(--fail); } article.warn { border-left-color: var(--warn); } article.open { border-left-color: var(--open); }
article h3 { overflow-wrap: anywhere; }
article > p.soft { margin-top: 0; }
details { margin: .4rem 0; }
summary { cursor: pointer; }
summary:hover { color: var(--link); }
td details { margin: 0; }
td details p { margin: .4rem 0 0; }
.ids { columns: 19rem; column-gap: 1.5rem; max-width: none; color: var(--soft); font-size: .8125rem; line-height: 1.6; }
@media (max-width: 36rem) {
  dl.facts { grid-template-columns: minmax(0, 1fr); gap: 0; }
  dl.facts dt { margin-top: .6rem; font-size: .8125rem; }
  dl.figures { grid-template-columns: repeat(2, 1fr); }
  article { padding: .8rem; }
  thead th { white-space: normal; }
  th, td { padding: .4rem .5rem; }
}
@media print {
  @page { margin: 16mm 14mm; }
  body { font-size: 10pt; }
  header, main, footer { max-width: none; padding-left: 0; padding-right: 0; }
  nav { display: none; }
  header { padding-top: 0; }
  main > section { margin-top: 1.75rem; }
  main > h2, footer { margin-top: 1.1rem; }
  h2 { font-size: 1.1rem; margin-bottom: .5rem; }
  footer { padding-bottom: 0; }
  dl.facts { gap: .15rem 1rem; margin: .6rem 0; }
  h2, h3, h4, summary { break-after: avoid; }
  article { break-inside: auto; }
  tr, dl.figures div, li { break-inside: avoid; }
  thead { display: table-header-group; }
  .scroll { overflow: visible; border-radius: 0; }
  table { font-size: 8.5pt; }
  thead th, th.number { white-space: normal; }
  dl.figures { grid-template-columns: repeat(auto-fit, minmax(5rem, 1fr)); }
  table.wide { min-width: 0; }
  th, td { padding: .25rem .4rem; }
  tbody th .id { font-size: 7pt; }
  a { color: inherit; text-decoration: none; }
  pre { font-size: 8pt; }
  .outcome, .notice, article, dl.figures div { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
</style>`);
