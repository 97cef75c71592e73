import { printable } from "../text/wording.ts";

/** So many findings of a kind are shown; a job summary on GitHub may not exceed 1 MiB, and few people read more. */
const MOST = 20;

/** A heading with a list, cut after some items; nothing if there are none. */
export function list<T>(title: string, items: readonly T[], line: (item: T) => string): string[] {
  if (items.length === 0) return [];
  const shown = items.slice(0, MOST).map((item) => `- ${line(item)}`);
  const rest = items.length - shown.length;
  return [
    `## ${title} (${items.length})`,
    [...shown, ...(rest > 0 ? [`- and ${rest} more`] : [])].join("\n"),
  ];
}

/** Writes text as code with a fence that it cannot close, so that it forms no link, mention, image or markup. */
export function code(text: string): string {
  const line = printable(text);
  const runs = line.match(/`+/g) ?? [];
  const fence = "`".repeat(1 + Math.max(0, ...runs.map(({ length }) => length)));
  const room = /^[` ]|[` ]$/.test(line) ? " " : "";
  return line === "" ? "" : `${fence}${room}${line}${room}${fence}`;
}
