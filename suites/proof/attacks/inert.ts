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
export function livelyIn(text: string, own: RegExp = /$^/): string[] {
  const shown = text
    .split("\n")
    .filter((line) => !own.test(line))
    .join("\n");
  return OBEYED.flatMap(([what, pattern]) => found(what, pattern, shown));
}

/** Everything in a file of a run that its reader would obey. */
export function livelyInFile(name: string, content: string, venom: string | undefined): string[] {
  const text = content.replaceAll("\r\n", "\n");
  return [
    ...livelyIn(text).map((what) => `${name} shows ${what}`),
    ...(name.endsWith(".csv") ? found(`${name} has a formula`, FORMULA, text) : []),
    ...(name.endsWith(".xml") ? found(`${name} has a character that XML forbids`, NO_XML, text) : []),
    ...(isMarkup(name, text, venom) ? [`${name} has ${JSON.stringify(venom)} as markup`] : []),
    ...(name.endsWith(".md")
      ? found(`${name} has a link`, /(?<!\\)\]\((javascript|http)/, outsideOfCode(text))
      : []),
  ];
}

/** Whether a page has a text with brackets or quotes as it is; in Markdown, code may have it. */
function isMarkup(name: string, text: string, venom = ""): boolean {
  if (name.endsWith(".html")) return /[<"]/.test(venom) && text.includes(venom);
  return name.endsWith(".md") && /[<[`|]/.test(venom) && outsideOfCode(text).includes(venom);
}

const outsideOfCode = (markdown: string) => markdown.replaceAll(/(`+)[^\n]*?\1/g, "");

function found(what: string, pattern: RegExp, text: string): string[] {
  const match = pattern.exec(text);
  if (!match) return [];
  const around = text.slice(Math.max(0, match.index - 20), match.index + 40);
  return [`${what}: ${JSON.stringify(around)}`];
}
