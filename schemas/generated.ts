import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, relative } from "node:path";
import { fileURLToPath } from "node:url";

const project = fileURLToPath(new URL("..", import.meta.url));

/**
 * Writes a generated file. With GENERATE=check it writes nothing; if the file differs or does not exist, it names the
 * file on stderr in one line, and the process exits 1.
 */
export async function writeGenerated(path: URL | string, content: string): Promise<void> {
  const file = path instanceof URL ? fileURLToPath(path) : path;
  if (process.env.GENERATE !== "check") {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
    return;
  }
  if ((await existing(file)) === content) return;
  const name = relative(project, file).replaceAll("\\", "/");
  process.stderr.write(`${name} is out of date: run \`npm run generate\` and commit the file\n`);
  process.exitCode = 1;
}

async function existing(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
