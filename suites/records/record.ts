import { existsSync, readFileSync, writeFileSync } from "node:fs";

/** One line of a record: a unique key, and what was found about it. */
export interface RecordLine {
  readonly key: string;
  readonly found: string;
}

/**
 * Writes a record of what the suite does, one line for each key, so that git shows what a change altered. Lines of the
 * file whose keys are not in `lines` stay, unless `complete` says that `lines` are all there are.
 */
export function writeRecord(
  file: URL,
  head: string,
  lines: readonly RecordLine[],
  { complete }: { readonly complete: boolean },
) {
  const kept = complete || !existsSync(file) ? [] : readFileSync(file, "utf8").split("\n").slice(1, -1);
  const texts = new Map(kept.map((text) => [text.split("\t", 1)[0] ?? "", text]));
  for (const { key, found } of lines) texts.set(key, `${key}\t${found}`);
  const sorted = [...texts].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
  writeFileSync(file, `# ${head}\n${sorted.join("\n")}\n`);
}
