import { cut, present, printable } from "../wording.ts";

interface Summary {
  readonly title: string;
  readonly target: string;
  /** What the run did to the embedded sandbox, if it used that: `tested`. */
  readonly demonstrates: string | false;
  readonly because: string;
  readonly exitCode: number;
  /** Paragraphs, lists and tables, in Markdown. */
  readonly parts: readonly string[];
  readonly page: string;
}

/** Renders `summary.md` for the page of a CI job. Everything from the target is in code, and so inert. */
export const renderMarkdown = ({ title, target, demonstrates, because, exitCode, parts, page }: Summary) =>
  `${present(
    `# ${title}: ${code(target)}`,
    demonstrates && `**Demonstration:** this run ${demonstrates} the embedded sandbox, not a deployment.`,
    `${code(because)} (exit code ${exitCode})`,
    ...parts,
    `The whole report is \`${page}\` in the run's folder.`,
  ).join("\n\n")}\n`;

/** The most findings of a kind that are shown: a job summary on GitHub may not exceed 1 MiB, and few people read more. */
const MOST = 20;

/** A heading with a list, cut after some items; nothing if there are none. */
export function list<T>(title: string, items: readonly T[], line: (item: T) => string): string[] {
  if (items.length === 0) return [];
  const lines = cut(items.map(line), MOST, (count) => `and ${count} more`);
  return [`## ${title} (${items.length})`, lines.map((text) => `- ${text}`).join("\n")];
}

/** A table whose first column is text and whose other columns are figures. */
export const table = ([head = [], ...rows]: readonly (readonly (string | number)[])[]): string =>
  [
    `| ${head.join(" | ")} |`,
    `|---|${"--:|".repeat(head.length - 1)}`,
    ...rows.map((row) => `| ${row.join(" | ")} |`),
  ].join("\n");

/** Writes text as code with a fence that it cannot close, so that it forms no link, mention, image or markup. */
export function code(text: string): string {
  const line = printable(text);
  const runs = line.match(/`+/g) ?? [];
  const fence = "`".repeat(1 + Math.max(0, ...runs.map(({ length }) => length)));
  const room = /^[` ]|[` ]$/.test(line) ? " " : "";
  return line === "" ? "" : `${fence}${room}${line}${room}${fence}`;
}
