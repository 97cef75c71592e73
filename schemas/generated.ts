import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, relative } from "node:path";
import { fileURLToPath } from "node:url";

const project = fileURLToPath(new URL("..", import.meta.url));

/**
 * Writes a generated file. With the argument `check` it writes nothing; if the file differs or does not exist, it names the
 * file on stderr in one line, and the process exits 1.
 */
export function writeGenerated(path: URL, content: string) {
  const file = fileURLToPath(path);
  if (process.argv[2] !== "check") {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  } else if (!existsSync(file) || readFileSync(file, "utf8") !== content) {
    const name = relative(project, file).replaceAll("\\", "/");
    process.stderr.write(`${name} is out of date: run \`npm run generate\` and commit the file\n`);
    process.exitCode = 1;
  }
}
