import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { inertJson } from "../../reports/text/wording.ts";

/** Writes a JSON file by rename, so that no reader sees half of it. */
export function writeJson(file: string, content: unknown) {
  writeFileSync(`${file}.part`, `${inertJson(content, 2)}\n`);
  renameSync(`${file}.part`, file);
}

/** The text of a file; empty if there is none. */
export const readText = (file: string) => (existsSync(file) ? readFileSync(file, "utf8") : "");
