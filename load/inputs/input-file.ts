import { readFileSync, statSync } from "node:fs";
import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { z } from "zod";
import { DEEPEST, isTooDeep } from "../../fixtures/engine/redaction/json-text.ts";
import { CommandError } from "../../reports/command-line/command.ts";

/** A value that was read from a file, and where each part of it is. */
export interface WithLines {
  readonly value: unknown;
  /** Positions are in the order of the file. */
  readonly positionOf: (path: readonly PropertyKey[]) => number;
  readonly lineAt: (position: number) => number;
}

/** Mixes and shapes are a few lines long. */
const FEW_BYTES = 1024 * 1024;

/** How many problems of one file are worth reading. */
const MAX_PROBLEMS = 20;

/**
 * Reads a text file that the operator names in `what`; throws a {@link CommandError} (2) if it cannot be read, or if it
 * is longer than `most` bytes.
 */
export function readInput(what: string, path: string, most = Number.POSITIVE_INFINITY): string {
  try {
    const found = statSync(path);
    // A device may never end.
    if (!found.isFile()) throw new Error("it is not a file");
    if (found.size > most) throw new Error(`it has ${found.size} bytes, and at most ${most} are read`);
    return readFileSync(path, "utf8").replace(/^\uFEFF/, "");
  } catch (error) {
    throw new CommandError(2, [`${what}: cannot read ${path}: ${(error as Error).message}`]);
  }
}

/** Reads a short JSON file; throws a {@link CommandError} (2) with a line for each problem, and its place. */
export const readJsonInput = <T>(what: string, path: string, schema: z.ZodType<T>): T =>
  parseWithLines(what, path, jsonWithLines(what, path, readInput(what, path, FEW_BYTES)), schema);

/** Parses JSON; throws a {@link CommandError} (2) that names the line of the first mistake. */
export function jsonWithLines(what: string, path: string, text: string): WithLines {
  if (isTooDeep(text))
    throw new CommandError(2, [`${what}: ${path}: it has more than ${DEEPEST} levels of nesting`]);
  const lineAt = (position: number) => text.slice(0, position).split("\n").length;
  const invalid = (position: number, why: string) =>
    new CommandError(2, [`${what}: ${path} line ${lineAt(position)}: not valid JSON (${why})`]);
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
  const positionOf: WithLines["positionOf"] = (location) => {
    tree ??= readTree();
    return nearestNode(tree, location).offset;
  };
  try {
    return { value: JSON.parse(text) as unknown, positionOf, lineAt };
  } catch (error) {
    readTree();
    throw invalid(0, (error as Error).message);
  }
}

/** The node at a location, or the last one on the way that exists: what is missing has no place of its own. */
function nearestNode(tree: Node, location: readonly PropertyKey[]): Node {
  const segments = location.filter((part) => typeof part !== "symbol");
  const found = segments.map((_, index) => findNodeAtLocation(tree, segments.slice(0, index + 1)));
  return found.findLast((node) => node !== undefined) ?? tree;
}

/** Parses what a file holds; throws a {@link CommandError} (2) with a line for each problem, and its place. */
export function parseWithLines<T>(
  what: string,
  path: string,
  { value, positionOf, lineAt }: WithLines,
  schema: z.ZodType<T>,
): T {
  const found = schema.safeParse(value);
  if (found.success) return found.data;
  const issues = found.error.issues.map((issue) => ({ ...issue, position: positionOf(issue.path) }));
  const shown = issues.toSorted((one, other) => one.position - other.position).slice(0, MAX_PROBLEMS);
  const more = issues.length - shown.length;
  throw new CommandError(2, [
    ...shown.map(
      ({ position, path: member, message }) =>
        `${what}: ${path} line ${lineAt(position)}${nameOf(member)}: ${message}`,
    ),
    ...(more > 0 ? [`${what}: ${path} has ${more} more problems`] : []),
  ]);
}

const nameOf = (path: readonly PropertyKey[]) => (path.length > 0 ? `, ${z.core.toDotPath(path)}` : "");
