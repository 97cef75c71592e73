export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
/** Every character that XML 1.0 forbids. */
const ILLEGAL = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u;
const TOKEN =
  /<\?xml [^?]*\?>|<\/(?<closing>[\w-]+)>|<(?<opening>[\w-]+)(?<attributes>(?: [\w-]+="[^"<]*")*)(?<empty>\/?)>|(?<text>[^<]+)/guy;

/** Reads the XML that our own reports consist of; throws if it is not well formed. For tests. */
export function readXml(xml: string): Element {
  const illegal = ILLEGAL.exec(xml);
  if (illegal) throw new Error(`illegal character at ${illegal.index}`);
  const root = elementOf("");
  const path = [root];
  let end = 0;
  for (const token of xml.matchAll(TOKEN)) {
    read(token, path);
    end = token.index + token[0].length;
  }
  if (end < xml.length) throw new Error(`not well formed at ${end}: ${xml.slice(end, end + 40)}`);
  const [top, ...others] = root.children;
  if (path.length > 1 || !top || others.length > 0) throw new Error("a document has one closed element");
  return top;
}

/** Adds a token to the last element of `path`, and opens or closes an element. */
function read(
  { 0: token, groups: { closing, opening, attributes, empty, text } = {} }: RegExpExecArray,
  path: Element[],
) {
  const parent = path.at(-1);
  if (!parent) throw new Error(`${token} comes after the end of the document`);
  if (text !== undefined) parent.text += decode(text);
  if (closing !== undefined && path.pop()?.name !== closing) throw new Error(`stray </${closing}>`);
  if (opening === undefined) return;
  const element = elementOf(opening, attributesIn(attributes ?? ""));
  parent.children.push(element);
  if (!empty) path.push(element);
}

const elementOf = (name: string, attributes: Record<string, string> = {}): Element => ({
  name,
  attributes,
  children: [],
  text: "",
});

export function all(element: Element, name: string): Element[] {
  return element.children.flatMap((child) => [...(child.name === name ? [child] : []), ...all(child, name)]);
}

function attributesIn(text: string): Record<string, string> {
  const pairs = [...text.matchAll(/ ([\w-]+)="([^"]*)"/g)].map(([, name = "", value = ""]) => [
    name,
    decode(value),
  ]);
  if (new Set(pairs.map(([name]) => name)).size !== pairs.length)
    throw new Error(`repeated attribute in ${text}`);
  return Object.fromEntries(pairs);
}

function decode(text: string): string {
  return text.replace(/&(\w+;)?/g, (whole, name: string | undefined) => {
    const character = ENTITIES[name?.slice(0, -1) ?? ""];
    if (!character) throw new Error(`bare or unknown entity ${whole}`);
    return character;
  });
}
