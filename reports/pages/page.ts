import { readFileSync } from "node:fs";
import { raw, html as template } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";
import { printable, type State, shown } from "../wording.ts";

/** Markup that may be inserted into a page as it is. */
export type Markup = HtmlEscapedString;

type Part = Markup | string | number | false | undefined | readonly Part[];

/**
 * Makes markup from a template. Every inserted text is escaped, and its invisible characters are made visible, so that text
 * from the target stays text; markup is inserted as it is, a list is joined, and `false` and `undefined` add nothing.
 */
export const html = (literals: TemplateStringsArray, ...parts: readonly Part[]): Markup =>
  // It would be a promise only if one of the parts were.
  template(literals, ...parts.map(visible)) as Markup;

const visible = (part: Part): unknown =>
  typeof part === "string" ? visibleText(part) : Array.isArray(part) ? part.map(visible) : part;

/** Keeps line breaks and tabs, and makes every other character that a reader cannot see visible. */
const visibleText = (text: string): string =>
  text
    .split(/(\r?\n|\t)/)
    .map((piece, index) => (index % 2 === 1 ? piece : printable(piece)))
    .join("");

/** Reads a style sheet into a page. */
export const styleSheet = (file: URL): Markup => html`<style>\n${raw(readFileSync(file, "utf8"))}</style>`;

/** The style of every page: system fonts, light and dark by the reader's preference, always light on paper. */
const STYLE = styleSheet(new URL("./style.css", import.meta.url));

/**
 * Renders a complete page. Its policy permits no script and no request, so that whatever a target returned can do
 * neither. The empty icon keeps a browser from asking a server for one. `style` is what the page needs in addition to the
 * style of every page.
 */
export function renderPage(title: string, body: Markup, style?: Markup): string {
  return `<!doctype html>\n${html`<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="data:,">
<title>${title}</title>
${STYLE}${style}
</head>
<body>
${body}
</body>
</html>`}\n`;
}

/** The page of a run, of checks or of load. */
interface ReportPage {
  /** Whether the run tested the embedded sandbox, which proves nothing about a deployment. */
  readonly embedded: boolean;
  readonly kicker: string;
  readonly outcome: State;
  readonly title: string;
  readonly target: string;
  /** What decided, in sentences. */
  readonly text: string;
  /** What a reader asks first, with the answers. */
  readonly answers?: Facts;
  readonly figures: readonly (readonly [label: string, value: string | Markup])[];
  readonly facts: Facts;
  readonly sections: readonly (Section | false)[];
  readonly origin: Markup;
  readonly style?: Markup;
}

/** Renders the page of a run: the outcome, the result in figures, what was tested and how, and the sections. */
export function renderReportPage(page: ReportPage): string {
  const sections = page.sections.filter((section) => section !== false);
  return renderPage(
    `${page.title}: ${page.target}`,
    html`<header>
${page.embedded && html`<p class="notice"><strong>Demonstration.</strong> This run tested the embedded sandbox, not a deployment of yours.</p>`}
<p class="kicker">${page.kicker} · Payments Service External API</p>
<div class="outcome ${shown[page.outcome].tone}">
<h1>${page.title}</h1>
<p>${page.target}: ${page.text}</p>
</div>
${page.answers && facts(page.answers)}
<dl class="figures">${page.figures.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>
${facts(page.facts)}
</header>
<main>
<nav aria-label="Sections"><ul>${sections.map(({ id, name }) => html`<li><a href="#${id}">${name}</a></li>`)}</ul></nav>
${sections.map(({ markup }) => markup)}
</main>
<footer>
${page.origin}
</footer>`,
    page.style,
  );
}

/** A section of a page; `name` is its entry in the list of sections. */
interface Section {
  readonly id: string;
  readonly name: string;
  readonly markup: Markup;
}

/** A section with its heading; without content there is none. */
export function section(
  name: string,
  title: string,
  ...content: readonly (Markup | false)[]
): Section | false {
  if (content.every((part) => part === false)) return false;
  const id = name.toLowerCase().replaceAll(" ", "-");
  const markup = html`<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
${content}
</section>`;
  return { id, name, markup };
}

type Facts = readonly (readonly [name: string, ...values: (Markup | string | undefined)[]])[];

/** A list of names with what they mean; absent values are left out, and a name without a value. */
export function facts(entries: Facts): Markup {
  const shown = entries
    .map(([name, ...values]) => [name, values.filter((value) => value)] as const)
    .filter(([, { length }]) => length > 0);
  return html`<dl class="facts">${shown.map(([name, values]) => html`<dt>${name}</dt><dd>${values.length > 1 ? list(values) : values}</dd>`)}</dl>`;
}

export const list = (items: readonly Part[]): Markup =>
  html`<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`;

/** The title of a column of a table; figures are aligned to the right. */
type Column = string | { readonly number: string };

/** A table that scrolls within itself where the page is narrower. The first cell of a row is its heading. */
export function table(
  label: string,
  columns: readonly Column[],
  rows: readonly (readonly (Markup | string | number)[])[],
): Markup {
  const alignment = (index: number) => typeof columns[index] === "object" && html` class="number"`;
  const head = columns.map(
    (column, index) =>
      html`<th scope="col"${alignment(index)}>${typeof column === "string" ? column : column.number}</th>`,
  );
  const body = rows.map(
    ([first = "", ...others]) =>
      html`<tr><th scope="row">${first}</th>${others.map((cell, index) => html`<td${alignment(index + 1)}>${cell}</td>`)}</tr>\n`,
  );
  // A region that scrolls must be reachable by keyboard, and then needs a name.
  return html`<div class="scroll" role="region" aria-label="${label}" tabindex="0">
<table${columns.length > 2 && html` class="wide"`}><thead><tr>${head}</tr></thead>
<tbody>
${body}</tbody></table></div>`;
}

/** A count as the cell of a table, in which zeros are faint. */
export const countCell = (count: number): Markup | string =>
  count > 0 ? count.toLocaleString("en-US") : html`<span class="zero">0</span>`;

/** Shows a verdict or a state as a sign and a word. */
export function verdictMark(state: State): Markup {
  const { sign, tone, word } = shown[state];
  return html`<span class="verdict ${tone}"><span aria-hidden="true">${sign}</span> ${word}</span>`;
}

/** Shows an id, a path or a reference in letters of equal width. */
export const mono = (text: string): Markup => html`<span class="id">${text}</span>`;
