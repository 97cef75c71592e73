import { readFileSync, statSync } from "node:fs";
import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import type { z } from "zod";
import { DEEPEST, isTooDeep } from "../../fixtures/engine/redaction/json-depth.ts";
import { CommandError } from "../../reports/command-line/command.ts";

/** A value that was read from a file, and the line on which each part of it stands. */
export interface Placed {
  readonly value: unknown;
  readonly lineOf: (path: readonly PropertyKey[]) => number;
}

/** Mixes and shapes are a few lines long. */
export const FEW_BYTES = 1024 * 1024;

/** How many problems of one file are worth reading. */
const MAX_PROBLEMS = 20;

/**
 * Reads a text file that the operator names in `what`; throws a {@link CommandError} (2) if it cannot be read, or if it
 * is longer than `most` bytes.
 */
export function readInput(what: string, path: string, most = Number.POSITIVE_INFINITY): string {
  const problem = (text: string) => new CommandError(2, [`${what}: cannot read ${path}: ${text}`]);
  try {
    const found = statSync(path);
    // A device may never end.
    if (!found.isFile()) throw new Error("it is not a file");
    if (found.size > most) throw new Error(`it has ${found.size} bytes, and at most ${most} are read`);
    return readFileSync(path, "utf8").replace(/^\uFEFF/, "");
  } catch (error) {
    throw problem((error as Error).message);
  }
}

/** Parses JSON; throws a {@link CommandError} (2) that names the line of the first mistake. */
export function placedJson(what: string, path: string, text: string): Placed {
  if (isTooDeep(text))
    throw new CommandError(2, [`${what}: ${path}: it has more than ${DEEPEST} levels of nesting`]);
  const lineAt = lineFinder(text);
  const invalid = (offset: number, why: string) =>
    new CommandError(2, [`${what}: ${path} line ${lineAt(offset)}: not valid JSON (${why})`]);
  const readTree = () => {
    const errors: ParseError[] = [];
    const read = parseTree(text, errors, { disallowComments: true });
    const [mistake] = errors;
    if (mistake) throw invalid(mistake.offset, printParseErrorCode(mistake.error));
    if (!read) throw invalid(0, "the file is empty");
    return read;
  };
  // It takes far more memory than the value, and only a problem needs it.
  let tree: Node | undefined;
  const lineOf: Placed["lineOf"] = (location) => {
    tree ??= readTree();
    return lineAt(nearestNode(tree, location).offset);
  };
  try {
    return { value: JSON.parse(text) as unknown, lineOf };
  } catch (error) {
    readTree();
    throw invalid(0, (error as Error).message);
  }
}

/** Tells on which line of a text an offset lies. */
function lineFinder(text: string): (offset: number) => number {
  const ends = [...text.matchAll(/\n/g)].map(({ index }) => index);
  return (offset) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
}

/** The node at a location, or the last one on the way that exists: what is missing has no place of its own. */
function nearestNode(tree: Node, location: readonly PropertyKey[]): Node {
  const segments = location.filter((part) => typeof part !== "symbol");
  for (let length = segments.length; length > 0; length -= 1) {
    const node = findNodeAtLocation(tree, segments.slice(0, length));
    if (node) return node;
  }
  return tree;
}

/** Parses what a file holds; throws a {@link CommandError} (2) with a line for each problem, and its place. */
export function parsePlaced<T>(
  what: string,
  path: string,
  { value, lineOf }: Placed,
  schema: z.ZodType<T>,
): T {
  const found = schema.safeParse(value);
  if (found.success) return found.data;
  const issues = found.error.issues.map((issue) => ({ ...issue, line: lineOf(issue.path) }));
  const shown = issues.toSorted((one, other) => one.line - other.line).slice(0, MAX_PROBLEMS);
  const more = issues.length - shown.length;
  throw new CommandError(2, [
    ...shown.map((one) => `${what}: ${path} line ${one.line}${memberOf(one.path)}: ${one.message}`),
    ...(more > 0 ? [`${what}: ${path} has ${more} more problems`] : []),
  ]);
}

const memberOf = (path: readonly PropertyKey[]) => {
  const text = path.reduce<string>(
    (written, part) =>
      typeof part === "number" ? `${written}[${part}]` : `${written}${written ? "." : ""}${String(part)}`,
    "",
  );
  return text && `, ${text}`;
};
