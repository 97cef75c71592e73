import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { Refusal } from "../fixtures/command-line.ts";

/** Where a run leaves what it finds. */
export interface RunFolder {
  /** Part of every reference that the run makes; no two runs share one. */
  readonly runId: string;
  readonly path: string;
  /** Writes a JSON file by rename, so that a reader never sees half of it. */
  write(name: string, content: unknown): void;
}

/** Makes the folder of a new run below `out` and points `latest` at it; throws a {@link Refusal} (2) if it cannot. */
export function openRun(out: string): RunFolder {
  const runId = randomBytes(4).toString("hex");
  const path = join(out, `${new Date().toISOString().replace(/[-:]|\.\d+/g, "")}-${runId}`);
  try {
    mkdirSync(path, { recursive: true });
    const latest = join(out, "latest");
    rmSync(latest, { force: true });
    symlinkSync(basename(path), latest);
  } catch (error) {
    throw new Refusal(2, [
      `--out ${out} cannot be written: ${error instanceof Error ? error.message : String(error)}`,
    ]);
  }
  return {
    runId,
    path,
    write: (name, content) => {
      const file = join(path, name);
      writeFileSync(`${file}.part`, `${JSON.stringify(content, null, 2)}\n`);
      renameSync(`${file}.part`, file);
    },
  };
}

/** The suite that ran: its version, and its commit where git knows it. */
export function suite(): { readonly version: string; readonly commit: string } {
  const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  const { version } = JSON.parse(manifest) as { version: string };
  return { version, commit: commit() };
}

function commit(): string {
  try {
    return execFileSync("git", ["rev-parse", "HEAD"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      cwd: new URL("..", import.meta.url),
    }).trim();
  } catch {
    return "unknown";
  }
}
