import { execFile } from "node:child_process";
import { mkdir, rename, rm } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { CommandError } from "../../reports/command-line/command.ts";

/** The k6 version that load/engine pins. */
const PINNED = "2.2.0";
const K6_VERSION = /^k6\S* v((\d+)\.(\d+)\.\d+\S*)/m;
const GO_VERSION = /go((\d+)\.(\d+))/;
/** The oldest versions that will do: major and minor. */
const OLDEST_K6 = [2, 0] as const;
const OLDEST_GO = [1, 25] as const;
const execute = promisify(execFile);
const ENGINE = fileURLToPath(new URL("../engine", import.meta.url));

export interface K6 {
  readonly path: string;
  readonly version: string;
}

/**
 * Finds k6 2.0 or later: the one that K6_PATH names, or else one on PATH, one built before, or one that it builds.
 * Throws a {@link CommandError} (3) that says how to install k6.
 */
export async function findK6({
  /** K6_PATH, from the environment or the env file. */
  named = undefined as string | undefined,
  searchPath = process.env.PATH ?? "",
  /** The folder with go.mod; a k6 that is built is kept below it. */
  engine = ENGINE,
  platform = process.platform as string,
  arch = process.arch as string,
  /** Whether to build k6 with Go if it is missing. */
  mayBuild = true,
  progress = (_: string) => {},
} = {}): Promise<K6> {
  const suffix = platform === "win32" ? ".exe" : "";
  const onPath = (name: string) =>
    searchPath
      .split(delimiter)
      .filter(Boolean)
      .map((directory) => join(directory, `${name}${suffix}`));
  const built = join(engine, "bin", `k6-${PINNED}-${platform}-${arch}${suffix}`);
  const installed = await recent(
    named === undefined ? [...onPath("k6"), built] : [named],
    K6_VERSION,
    OLDEST_K6,
  );
  if (installed) return installed;
  if (named !== undefined)
    throw new CommandError(3, [
      `K6_PATH ${named} is not k6 2.0 or later: correct it, or remove it to let the command find or build k6`,
    ]);

  const instructions = installation(platform, arch);
  const go = mayBuild ? await recent(onPath("go"), GO_VERSION, OLDEST_GO) : undefined;
  if (!go) throw new CommandError(3, [`k6 was not found: ${instructions}`]);
  progress(`Building k6 ${PINNED} with Go; this takes a minute or two, once.`);
  const problem = await build(go.path, engine, built);
  const k6 = problem === undefined ? await recent([built], K6_VERSION, OLDEST_K6) : undefined;
  if (k6) return k6;
  throw new CommandError(3, [`k6 could not be built (${problem ?? "it does not run"}): ${instructions}`]);
}

/** The first of these programs whose version is recent enough; `pattern` finds its version, major and minor. */
async function recent(
  paths: readonly string[],
  pattern: RegExp,
  [oldest, oldestMinor]: readonly [number, number],
): Promise<K6 | undefined> {
  for (const path of paths) {
    const output = await execute(path, ["version"], { timeout: 10_000 }).catch(() => undefined);
    const [, version = "", major, minor] = pattern.exec(output?.stdout ?? "") ?? [];
    const isRecent = Number(major) > oldest || (Number(major) === oldest && Number(minor) >= oldestMinor);
    if (isRecent) return { path, version };
  }
  return undefined;
}

/** Builds k6 under another name and renames it, so that an interrupted build leaves no broken k6; returns a problem. */
async function build(go: string, engine: string, target: string): Promise<string | undefined> {
  const unfinished = `${target}.${process.pid}`;
  const args = ["build", "-trimpath", "-o", unfinished, "go.k6.io/k6/v2"];
  try {
    await mkdir(dirname(target), { recursive: true });
    await execute(go, args, { cwd: engine, maxBuffer: Infinity });
    await rename(unfinished, target);
    return undefined;
  } catch (error) {
    const { stderr, message } = error as Error & { readonly stderr?: string };
    return (stderr || message).trim().split("\n").at(-1);
  } finally {
    await rm(unfinished, { force: true });
  }
}

function installation(platform: string, arch: string): string {
  const processor = arch === "x64" ? "amd64" : arch;
  const release = `https://github.com/grafana/k6/releases/tag/v${PINNED}`;
  const archive = `k6-v${PINNED}-${platform}-${processor}.tar.gz`;
  const commands: Readonly<Record<string, string>> = {
    darwin: "run `brew install k6`",
    win32: "run `winget install k6 --source winget`",
  };
  const install = commands[platform] ?? `unpack ${archive} from ${release} and set K6_PATH to its k6`;
  return `${install}, or install Go ${OLDEST_GO.join(".")} or later and run this command again to build k6`;
}
