import { isUtf8 } from "node:buffer";
import { readFileSync } from "node:fs";
import { z } from "zod";
import { CommandError } from "./command.ts";

/**
 * The text of a file that an operator wrote, without the mark that some editors put before it. Throws an error that says
 * what is wrong if it is not UTF-8: a wrong letter would not be noticed before it is sent.
 */
export function utf8TextOf(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new Error("it is not UTF-8 (PowerShell 5 writes UTF-16): save it as UTF-8");
  return bytes.toString("utf8").replace(/^\uFEFF/, "");
}

/** Reads a JSON file as `schema` has it; throws a {@link CommandError} (2) that begins with its name and ends with `hint`. */
export function readJsonFile<T>(variable: string, path: string, schema: z.ZodType<T>, hint: string): T {
  const where = variable ? `${variable}: ${path}` : path;
  let text: string;
  try {
    text = utf8TextOf(readFileSync(path));
  } catch (error) {
    throw new CommandError(2, [`${where} cannot be read (${(error as Error).message}): ${hint}`]);
  }
  return parseJson(where, text, schema, hint);
}

/** Does the same for a text; `where` names it. */
export function parseJson<T>(where: string, text: string, schema: z.ZodType<T>, hint: string): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new CommandError(2, [`${where} is not valid JSON (${(error as Error).message}): ${hint}`]);
  }
  const found = schema.safeParse(value);
  if (found.success) return found.data;
  const [problem] = found.error.issues;
  const place = problem?.path.length ? ` at ${z.core.toDotPath(problem.path)}` : "";
  throw new CommandError(2, [`${where}${place}: ${problem?.message}; ${hint}`]);
}
