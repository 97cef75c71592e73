import { execFile } from "node:child_process";
import { mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { CommandError } from "../../reports/command-line/command.ts";

const PINNED = "2.2.0";
const K6_VERSION = /^k6\S* v((\d+)\.\d+\.\d+\S*)/m;
const OLDEST_MAJOR = 2;
const execute = promisify(execFile);
const ENGINE = fileURLToPath(new URL("../engine", import.meta.url));
const SUFFIX = process.platform === "win32" ? ".exe" : "";
const INSTALLATION = `install k6 from https://github.com/grafana/k6/releases/tag/v${PINNED} and have it on PATH or set K6_PATH to it, or install Go 1.25 or later and run this command again to build k6`;

export interface K6 {
  readonly path: string;
  readonly version: string;
}

/**
 * Finds k6 2.0 or later: the one that K6_PATH names, or else the one on PATH, one built before, or one that it builds.
 * Throws a {@link CommandError} (3) that says how to install k6.
 */
export async function findK6({
  /** K6_PATH, from the environment or the env file. */
  named = undefined as string | undefined,
  /** The folder with go.mod; a k6 that is built is kept below it. */
  engine = ENGINE,
  /** Whether to build k6 with Go if it is missing. */
  mayBuild = true,
  progress = (_: string) => {},
} = {}): Promise<K6> {
  const built = join(engine, "bin", `k6-${PINNED}-${process.platform}-${process.arch}${SUFFIX}`);
  const installed = await recent(named === undefined ? ["k6", built] : [named]);
  if (installed) return installed;
  if (named !== undefined)
    throw new CommandError(3, [
      `K6_PATH ${named} is not k6 2.0 or later: correct it, or remove it to let the command find or build k6`,
    ]);
  const hasGo = mayBuild && (await execute("go", ["version"]).catch(() => undefined));
  if (!hasGo) throw new CommandError(3, [`k6 was not found: ${INSTALLATION}`]);
  progress(`Building k6 ${PINNED} with Go; this takes a minute or two, once.`);
  const problem = await build(engine, built);
  const k6 = await recent([built]);
  if (k6) return k6;
  throw new CommandError(3, [`k6 could not be built (${problem ?? "it does not run"}): ${INSTALLATION}`]);
}

/** The first of these programs that is a k6 recent enough. */
async function recent(paths: readonly string[]): Promise<K6 | undefined> {
  for (const path of paths) {
    const output = await execute(path, ["version"], { timeout: 10_000 }).catch(() => undefined);
    const [, version = "", major] = K6_VERSION.exec(output?.stdout ?? "") ?? [];
    if (Number(major) >= OLDEST_MAJOR) return { path, version };
  }
  return undefined;
}

/** Builds k6 under another name and renames it, so that an interrupted build leaves no broken k6; returns a problem. */
async function build(engine: string, target: string): Promise<string | undefined> {
  const unfinished = `${target}.${process.pid}`;
  const args = ["build", "-trimpath", "-o", unfinished, "go.k6.io/k6/v2"];
  try {
    await mkdir(dirname(target), { recursive: true });
    await execute("go", args, { cwd: engine, maxBuffer: Infinity });
    await rename(unfinished, target);
    return undefined;
  } catch (error) {
    const { stderr, message } = error as Error & { readonly stderr?: string };
    return (stderr || message).trim().split("\n").at(-1);
  } finally {
    await rm(unfinished, { force: true });
  }
}
