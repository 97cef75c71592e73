/** An element as {@link readXml} gives it back. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
/** What XML 1.0 allows in a document. */
const ILLEGAL = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u;
const TOKEN = /<\?xml [^?]*\?>|<\/([\w-]+)>|<([\w-]+)((?: [\w-]+="[^"<]*")*)(\/?)>|([^<]+)/uy;

/** Reads the XML that our own reports are made of; throws where it is not well formed. For tests. */
export function readXml(xml: string): Element {
  const illegal = ILLEGAL.exec(xml);
  if (illegal) throw new Error(`illegal character at ${illegal.index}`);
  const root: Element = { name: "", attributes: {}, children: [], text: "" };
  const path = [root];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < xml.length) {
    const at = TOKEN.lastIndex;
    const [token, closing, opening, attributes = "", selfClosing, text] = TOKEN.exec(xml) ?? [];
    const parent = path.at(-1);
    if (token === undefined || !parent)
      throw new Error(`not well formed at ${at}: ${xml.slice(at, at + 40)}`);
    if (text !== undefined) parent.text += decode(text);
    if (closing !== undefined && path.pop()?.name !== closing)
      throw new Error(`stray </${closing}> at ${at}`);
    if (opening === undefined) continue;
    const element: Element = { name: opening, attributes: attributesIn(attributes), children: [], text: "" };
    parent.children.push(element);
    if (!selfClosing) path.push(element);
  }
  const [top, ...others] = root.children;
  if (path.length > 1 || !top || others.length > 0) throw new Error("a document has one closed element");
  return top;
}

/** All elements of a name, at any depth. */
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
