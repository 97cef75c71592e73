import { printable, printableLines } from "../text/wording.ts";

/** An element with its attributes, which are escaped, and its children, which are inserted as they are. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  children: readonly string[] = [],
): string {
  const list = Object.entries(attributes).map(
    ([key, value]) => ` ${key}="${escaped(printable(`${value}`))}"`,
  );
  const open = `<${name}${list.join("")}`;
  return children.length > 0 ? `${open}>${children.join("")}</${name}>` : `${open}/>`;
}

/** Content of an element: keeps line breaks, and escapes all other control characters, which XML 1.0 forbids. */
export const text = (content: string) => escaped(printableLines(content));

const escaped = (content: string) =>
  content.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** A duration as JUnit has it. */
export const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(3);
