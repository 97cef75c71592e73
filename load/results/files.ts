import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";

/** Writes a JSON file by rename, so that no reader sees half of it. */
export function writeJson(file: string, content: unknown) {
  writeFileSync(`${file}.part`, `${JSON.stringify(content, null, 2)}\n`);
  renameSync(`${file}.part`, file);
}

/** The text of a file; empty if there is none. */
export const readText = (file: string) => (existsSync(file) ? readFileSync(file, "utf8") : "");
