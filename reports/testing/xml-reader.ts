import { XMLParser, XMLValidator } from "fast-xml-parser";

export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
  readonly text: string;
}

/** What the parser makes of an element: a member with its name, and one with its attributes. */
type Parsed = Readonly<Record<string, readonly Parsed[]>> & {
  readonly ":@"?: Readonly<Record<string, string>>;
};

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: "",
  parseTagValue: false,
  trimValues: false,
});

/** Every character that XML 1.0 forbids, which the parser accepts. */
const ILLEGAL = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u;

/** Reads XML; throws if it is not well formed. For tests. */
export function readXml(xml: string): Element {
  const valid = XMLValidator.validate(xml);
  if (valid !== true || ILLEGAL.test(xml)) throw new Error(`not XML: ${JSON.stringify(valid)}`);
  const [root, ...others] = (parser.parse(xml) as Parsed[])
    .map(elementOf)
    .filter(({ name }) => name !== "?xml");
  if (!root || others.length > 0) throw new Error("a document has one element");
  return root;
}

function elementOf({ ":@": attributes = {}, ...rest }: Parsed): Element {
  const [[name = "", parts = []] = []] = Object.entries(rest);
  const texts = parts.flatMap((part) => ("#text" in part ? String(part["#text"]) : []));
  const children = parts.filter((part) => !("#text" in part)).map(elementOf);
  return { name, attributes, children, text: texts.join("") };
}

export function all(element: Element, name: string): Element[] {
  return element.children.flatMap((child) => [...(child.name === name ? [child] : []), ...all(child, name)]);
}
