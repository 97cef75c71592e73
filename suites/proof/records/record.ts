import { existsSync, readFileSync, writeFileSync } from "node:fs";

/** One line of a record: a unique key, and what was found about it. */
export interface RecordLine {
  readonly key: string;
  readonly found: string;
}

/** Reads a record: what was found, by key; empty if there is no such file. */
export function readRecord(file: URL): Map<string, string> {
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(1, -1) : [];
  return new Map(
    lines.map((line) => {
      const [key = "", found = ""] = line.split("\t");
      return [key, found];
    }),
  );
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
  const texts = complete ? new Map<string, string>() : readRecord(file);
  for (const { key, found } of lines) texts.set(key, found);
  const sorted = [...texts].toSorted(([a], [b]) => (a < b ? -1 : 1)).map((line) => line.join("\t"));
  writeFileSync(file, `# ${head}\n${sorted.join("\n")}\n`);
}
