import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { inertJson } from "../../reports/wording.ts";

/** Writes a JSON file by rename, so that no reader sees half of it. */
export function writeJson(file: string, content: unknown) {
  const written = (_: string, member: unknown) => (typeof member === "number" ? shortened(member) : member);
  writeFileSync(`${file}.part`, `${inertJson(content, 2, written)}\n`);
  renameSync(`${file}.part`, file);
}

/**
 * A number with no more digits than are measured. The others come from adding up, and may look like a
 * secret, such as the account number 1000000037 in 5.1000000037.
 */
const shortened = (value: number) =>
  Math.abs(value) < 1 ? Number(value.toPrecision(6)) : Math.round(value * 1e6) / 1e6;

/** The text of a file; empty if there is none. */
export const readText = (file: string) => (existsSync(file) ? readFileSync(file, "utf8") : "");
