import { readFileSync, statSync } from "node:fs";
import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { z } from "zod";
import { DEEPEST, isTooDeep } from "../../fixtures/engine/redaction/json-text.ts";
import { CommandError } from "../../reports/command-line/command.ts";
import { utf8TextOf } from "../../reports/command-line/json-file.ts";
import { similarName } from "../../reports/command-line/similar.ts";
import { present } from "../../reports/wording.ts";

/** Says that a name is unknown, which one may be meant, and which ones there are. */
export function unknownName(what: string, given: string, known: readonly string[]): string {
  const meant = similarName(given, known);
  const allowed = known.length > 0 ? `expected one of ${known.join(", ")}` : "there is none";
  return `unknown ${what}: ${given}${meant ? ` (did you mean ${meant}?)` : ""}; ${allowed}`;
}

/** The known name that the command line gives; throws a {@link CommandError} (2) that lists all of them. */
export function oneOf<N extends string>(
  what: string,
  given: string | undefined,
  names: readonly N[],
  hint: string,
): N {
  const name = names.find((known) => known === given);
  if (name) return name;
  const problem =
    given === undefined
      ? `${what} is missing; expected one of ${names.join(", ")}`
      : unknownName(what, given, names);
  throw new CommandError(2, [`${problem}; ${hint}`]);
}

/** A value that was read from a file, and the line on which each part of it begins. */
export interface WithLines {
  readonly value: unknown;
  readonly lineOf: (path: readonly PropertyKey[]) => number;
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
    return utf8TextOf(readFileSync(path));
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
  const mistakes: ParseError[] = [];
  const readTree = () => parseTree(text, mistakes, { disallowComments: true });
  try {
    // The tree takes far more memory than the value, and only a problem needs it.
    let tree: Node | undefined;
    const lineOf: WithLines["lineOf"] = (location) => {
      tree ??= readTree();
      return lineAt(tree ? nearestNode(tree, location).offset : 0);
    };
    return { value: JSON.parse(text) as unknown, lineOf };
  } catch (error) {
    readTree();
    const [{ offset, error: code } = { offset: 0, error: undefined }] = mistakes;
    const why = code === undefined ? (error as Error).message : printParseErrorCode(code);
    throw new CommandError(2, [`${what}: ${path} line ${lineAt(offset)}: not valid JSON (${why})`]);
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
  { value, lineOf }: WithLines,
  schema: z.ZodType<T>,
): T {
  const found = schema.safeParse(value);
  if (found.success) return found.data;
  const problems = found.error.issues.map(({ path: place, message }) => ({
    line: lineOf(place),
    text: `${place.length > 0 ? `, ${z.core.toDotPath(place)}` : ""}: ${message}`,
  }));
  const shown = problems.toSorted((one, other) => one.line - other.line).slice(0, MAX_PROBLEMS);
  const more = problems.length - shown.length;
  const lines = shown.map(({ line, text }) => `${what}: ${path} line ${line}${text}`);
  throw new CommandError(2, present(...lines, more > 0 && `${what}: ${path} has ${more} more problems`));
}

/** A row of a CSV file, and the line on which it begins. */
interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** A quoted cell, in which two quotes stand for one, or a plain one; then what ends it. */
const CELL = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;

/**
 * Reads comma-separated values as RFC 4180 has them; empty lines are left out. Returns the line of the first cell that
 * cannot be read instead.
 */
export function readCsv(text: string): readonly CsvRow[] | { readonly badLine: number } {
  const rows: CsvRow[] = [];
  let cells: string[] = [];
  let [line, begun] = [1, 1];
  for (CELL.lastIndex = 0; CELL.lastIndex < text.length; ) {
    const found = CELL.exec(text);
    if (!found) return { badLine: line };
    const [all, quoted, plain = "", end] = found;
    cells.push(quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'));
    line += all.split("\n").length - 1;
    if (end === ",") continue;
    if (cells.some(Boolean)) rows.push({ line: begun, cells });
    [cells, begun] = [[], line];
  }
  // The last row ends with a comma, so its last cell is empty.
  if (cells.some(Boolean)) rows.push({ line: begun, cells: [...cells, ""] });
  return rows;
}
