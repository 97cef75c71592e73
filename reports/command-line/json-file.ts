import { readFileSync } from "node:fs";
import { z } from "zod";
import { CommandError } from "./command.ts";

/** Reads a JSON file that the operator names in `variable`; throws a {@link CommandError} (2) that ends with `hint`. */
export function readJsonFile<T>(variable: string, path: string, schema: z.ZodType<T>, hint: string): T {
  const found = schema.safeParse(parse(variable, path));
  if (found.success) return found.data;
  const [problem] = found.error.issues;
  const where = problem?.path.length ? ` at ${z.core.toDotPath(problem.path)}` : "";
  throw new CommandError(2, [`${variable}: ${path}${where}: ${problem?.message}; ${hint}`]);
}

function parse(variable: string, path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    const problem = error instanceof SyntaxError ? `${path} is not valid JSON` : `cannot read ${path}`;
    throw new CommandError(2, [`${variable}: ${problem}: ${(error as Error).message}`]);
  }
}
