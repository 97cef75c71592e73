import { printable } from "../text/wording.ts";

/** Markup that may be inserted into a page as it is; only {@link html} makes it. */
class Markup {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

export type { Markup };

/** Takes over markup that a library made, such as a drawing. It must hold no text from the target. */
export const madeByLibrary = (text: string): Markup => new Markup(text);

type Part = Markup | string | number | false | undefined | readonly Part[];

/**
 * Makes markup from a template. Every inserted text is escaped, so that text from the target stays text; markup is
 * inserted as it is, a list is joined, and `false` and `undefined` add nothing.
 */
export function html(literals: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  const text = literals.map((literal, index) => literal + rendered(parts[index])).join("");
  return new Markup(text);
}

function rendered(part: Part): string {
  if (part === undefined || part === false) return "";
  if (part instanceof Markup) return part.toString();
  if (typeof part === "object") return part.map(rendered).join("");
  return escapeHtml(String(part));
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Keeps line breaks and tabs, and makes every other character that a reader cannot see visible. */
const escapeHtml = (text: string): string =>
  text
    .split(/(\r?\n|\t)/)
    .map((piece, index) => (index % 2 === 1 ? piece : printable(piece)))
    .join("")
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
