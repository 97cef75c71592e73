/** What a terminal, or the reader of a job's log, would obey. */
const OBEYED: readonly (readonly [what: string, pattern: RegExp])[] = [
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is searched for.
  ["a control character", /[\u0000-\u0008\u000b\u000c\u000d\u000e-\u001f\u007f-\u009f]/],
  ["a mark that reorders text", /[\u202a-\u202e\u2066-\u2069]/],
  ["a line that commands GitHub", /^\s*::[a-z-]+( [^\n]*)?::/m],
  ["a command of Azure or an old one of GitHub", /##(vso)?\[/],
  ["a line that commands TeamCity", /^\s*##teamcity\[/m],
];

/** What a spreadsheet would run, at the beginning of a cell. */
const FORMULA = /(^|[,;\t]"?)[=+@\uff1d\uff0b\uff0d\uff20-]/m;

/** What XML 1.0 forbids in a document. */
const NO_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

/** Everything in a printed text that its reader would obey; `own` are lines that the suite itself means as commands. */
export function activeContentIn(text: string, own: RegExp = /$^/): string[] {
  const lines = text.split("\n").filter((line) => !own.test(line));
  return OBEYED.flatMap(([what, pattern]) => found(what, pattern, lines.join("\n")));
}

/** Everything in a file of a run that its reader would obey, and the payload of an attack where it is markup. */
export function activeContentInFile(name: string, content: string, payload = ""): string[] {
  const text = content.replaceAll("\r\n", "\n");
  const is = (extension: string) => name.endsWith(extension);
  const markdown = is(".md") ? text.replaceAll(/(`+)[^\n]*?\1/g, "") : "";
  const isMarkup =
    (is(".html") && /[<"]/.test(payload) && text.includes(payload)) ||
    (/[<[`|]/.test(payload) && markdown.includes(payload));
  return [
    ...activeContentIn(text).map((what) => `${name} shows ${what}`),
    ...(is(".csv") ? found(`${name} has a formula`, FORMULA, text) : []),
    ...(is(".xml") ? found(`${name} has a character that XML forbids`, NO_XML, text) : []),
    ...(isMarkup ? [`${name} has ${JSON.stringify(payload)} as markup`] : []),
    ...found(`${name} has a link`, /(?<!\\)\]\((javascript|http)/, markdown),
  ];
}

function found(what: string, pattern: RegExp, text: string): string[] {
  const match = pattern.exec(text);
  return match
    ? [`${what}: ${JSON.stringify(text.slice(Math.max(0, match.index - 20), match.index + 40))}`]
    : [];
}
