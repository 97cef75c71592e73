import { html as template } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";
import { printable } from "../wording.ts";

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
