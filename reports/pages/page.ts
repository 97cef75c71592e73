import { type State, shown } from "../verdicts/words.ts";
import { html, type Markup } from "./html.ts";
import { STYLE } from "./style.ts";

/**
 * Renders a complete page. Its policy permits no script and no request, so that whatever a target returned can do
 * neither. The empty icon keeps a browser from asking a server for one. `style` is what the page needs beyond the style
 * of every page.
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

/** A section of a page, with its id and its name in the list of sections; without content it is left out. */
export type NamedSection = readonly [id: string, name: string, content: Markup | false];

/** Renders the page of a run: its top, links to its sections, the sections, and how it was made. */
export function renderSections(
  title: string,
  head: Markup,
  sections: readonly NamedSection[],
  origin: Markup,
  style?: Markup,
): string {
  const shown = sections.filter(([, , content]) => content !== false);
  return renderPage(
    title,
    html`${head}
<main>
<nav aria-label="Sections"><ul>${shown.map(([id, name]) => html`<li><a href="#${id}">${name}</a></li>`)}</ul></nav>
${shown.map(([, , content]) => content)}
</main>
<footer>
${origin}
</footer>`,
    style,
  );
}

/** A section with its heading; without content there is none. */
export function section(id: string, title: string, ...content: readonly (Markup | false)[]): Markup | false {
  if (content.every((part) => part === false)) return false;
  return html`<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
${content}
</section>`;
}

/** A list of names with what they mean; an absent value leaves its name out. */
export function facts(
  entries: readonly (readonly [name: string, value: Markup | string | undefined])[],
): Markup {
  const shown = entries.filter(([, value]) => value !== undefined && value !== "");
  return html`<dl class="facts">${shown.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`;
}

/** The title of a column of a table; figures are aligned to the right. */
type Column = string | { readonly number: string };

/** A table that scrolls within itself where the page is narrower. The first cell of a row is its heading. */
export function table(
  label: string,
  columns: readonly Column[],
  rows: readonly (readonly (Markup | string | number)[])[],
): Markup {
  const head = columns.map(
    (column) =>
      html`<th scope="col"${alignment(column)}>${typeof column === "string" ? column : column.number}</th>`,
  );
  const body = rows.map(
    ([first = "", ...others]) =>
      html`<tr><th scope="row">${first}</th>${others.map((cell, index) => html`<td${alignment(columns[index + 1])}>${cell}</td>`)}</tr>\n`,
  );
  // A region that scrolls must be reachable by keyboard, and then needs a name.
  return html`<div class="scroll" role="region" aria-label="${label}" tabindex="0">
<table${columns.length > 2 && html` class="wide"`}><thead><tr>${head}</tr></thead>
<tbody>
${body}</tbody></table></div>`;
}

const alignment = (column: Column | undefined) => typeof column === "object" && html` class="number"`;

/** Shows a verdict or a state as a sign and a word. */
export function verdictMark(state: State): Markup {
  const { sign, tone, word } = shown[state];
  return html`<span class="verdict ${tone}"><span aria-hidden="true">${sign}</span> ${word}</span>`;
}
