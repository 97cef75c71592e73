import { readFileSync } from "node:fs";
import { z } from "zod";
import { CommandError } from "./command.ts";

/** Reads a JSON file as `schema` has it; throws a {@link CommandError} (2) that begins with its name and ends with `hint`. */
export function readJsonFile<T>(variable: string, path: string, schema: z.ZodType<T>, hint: string): T {
  const where = variable ? `${variable}: ${path}` : path;
  let text: string;
  try {
    text = readFileSync(path, "utf8");
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
