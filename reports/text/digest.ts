import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";

/** The SHA-256 of a text or of bytes, in hexadecimal. */
export const sha256 = (content: string | Buffer): string =>
  createHash("sha256").update(content).digest("hex");

/** The SHA-256 of a file; undefined if it cannot be read. */
export function digestOf(path: string): string | undefined {
  try {
    return sha256(readFileSync(path));
  } catch {
    return undefined;
  }
}

/** So many files are read at the same time: a run has thousands of small ones. */
const AT_ONCE = 64;

/** The SHA-256 of every file below `directory` whose path `isIncluded`, by path, in the order of the paths. */
export async function digestsOf(
  directory: string,
  isIncluded: (path: string) => boolean,
): Promise<Record<string, string>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)))
    .map((path) => path.split(sep).join("/"))
    .filter(isIncluded)
    .toSorted();
  const found: Record<string, string> = {};
  for (let at = 0; at < paths.length; at += AT_ONCE) {
    const some = paths.slice(at, at + AT_ONCE);
    const contents = await Promise.all(some.map((path) => readFile(join(directory, path))));
    for (const [index, path] of some.entries()) found[path] = sha256(contents[index] ?? "");
  }
  return found;
}
