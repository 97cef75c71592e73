import { execFile, spawn } from "node:child_process";
import { constants } from "node:fs";
import { access, mkdir, rename, rm } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { CommandError } from "../../fixtures/config/command-line.ts";

/** The k6 that load/engine pins and that is built when none is found. */
const PINNED = "2.2.0";
const OLDEST_GO = { major: 1, minor: 25 };
const ENGINE = fileURLToPath(new URL("../engine", import.meta.url));

/** A k6 that can run our scripts. */
export interface K6 {
  readonly path: string;
  readonly version: string;
}

/** Where to look for k6; the defaults are this process's own. */
export interface Surroundings {
  /** K6_PATH, from the environment or the env file. */
  readonly named?: string | undefined;
  readonly searchPath?: string;
  /** Folder with go.mod, and where a built k6 is kept. */
  readonly engine?: string;
  readonly platform?: string;
  readonly arch?: string;
  /** Whether to build k6 where it is missing and Go is there; default true. */
  readonly mayBuild?: boolean;
  /** Told what takes long. */
  readonly progress?: (line: string) => void;
}

/**
 * Finds k6 2.0 or later: K6_PATH, then PATH, then one built before, then builds it where Go is there.
 * Throws a {@link CommandError} (3) that says how to install it.
 */
export async function findK6(surroundings: Surroundings = {}): Promise<K6> {
  const { named, searchPath = process.env.PATH ?? "", engine = ENGINE } = surroundings;
  const { platform = process.platform, arch = process.arch } = surroundings;
  const { mayBuild = true, progress = () => {} } = surroundings;
  if (named !== undefined) {
    const version = await versionOf(named);
    if (version) return { path: named, version };
    throw new CommandError(3, [
      `K6_PATH ${named} is no k6 2.0 or later: correct it, or remove it to let k6 be found`,
    ]);
  }
  const suffix = platform === "win32" ? ".exe" : "";
  const built = join(engine, "bin", `k6-${PINNED}-${platform}-${arch}${suffix}`);
  for (const path of [...(await onPath(`k6${suffix}`, searchPath)), built]) {
    const version = await versionOf(path);
    if (version) return { path, version };
  }
  const [go] = mayBuild ? await onPath(`go${suffix}`, searchPath) : [];
  if (!go || !(await isRecentGo(go)))
    throw new CommandError(3, [`k6 was not found: ${installation(platform, arch)}`]);
  progress(`building k6 ${PINNED} with Go: a minute or two, once`);
  const problem = await build(go, engine, built);
  const version = problem === undefined ? await versionOf(built) : undefined;
  if (version) return { path: built, version };
  throw new CommandError(3, [
    `k6 could not be built (${problem ?? "it does not run"}): ${installation(platform, arch)}`,
  ]);
}

/** The version of the k6 at `path`; `undefined` when it is none, or older than 2.0. */
async function versionOf(path: string): Promise<string | undefined> {
  const output = await outputOf(path, ["version"]);
  const [, version, major] = /^k6\S* v((\d+)\.\d+\.\d+\S*)/m.exec(output) ?? [];
  return Number(major) >= 2 ? version : undefined;
}

async function isRecentGo(path: string): Promise<boolean> {
  const [, major, minor] = /go(\d+)\.(\d+)/.exec(await outputOf(path, ["version"])) ?? [];
  return (
    Number(major) > OLDEST_GO.major || (Number(major) === OLDEST_GO.major && Number(minor) >= OLDEST_GO.minor)
  );
}

async function outputOf(path: string, args: readonly string[]): Promise<string> {
  try {
    return (await promisify(execFile)(path, args, { timeout: 10_000 })).stdout;
  } catch {
    return "";
  }
}

async function onPath(name: string, searchPath: string): Promise<string[]> {
  const candidates = searchPath.split(delimiter).filter(Boolean);
  const found = await Promise.all(
    candidates.map(async (directory) => {
      const path = join(directory, name);
      return access(path, constants.X_OK).then(
        () => [path],
        () => [],
      );
    }),
  );
  return found.flat();
}

/** Builds into a file of its own and renames it, so that a broken-off build leaves nothing that looks whole. */
async function build(go: string, engine: string, target: string): Promise<string | undefined> {
  const unfinished = `${target}.${process.pid}`;
  try {
    await mkdir(join(engine, "bin"), { recursive: true });
    const problem = await run(go, ["build", "-trimpath", "-o", unfinished, "go.k6.io/k6/v2"], engine);
    if (problem !== undefined) return problem;
    await rename(unfinished, target);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await rm(unfinished, { force: true });
  }
}

/** Runs a command; the last line it wrote to stderr when it failed. */
function run(command: string, args: readonly string[], cwd: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, stdio: ["ignore", "ignore", "pipe"] });
    let stderr = "";
    child.stderr.on("data", (chunk: Buffer) => {
      stderr = (stderr + chunk.toString("utf8")).slice(-4096);
    });
    child.once("error", (error) => resolve(error.message));
    child.once("close", (code) =>
      resolve(code === 0 ? undefined : stderr.trim().split("\n").at(-1) || `exit code ${code}`),
    );
  });
}

/** How to get k6 on this platform, on one line. */
function installation(platform: string, arch: string): string {
  const processor = arch === "x64" ? "amd64" : arch;
  const releases = `https://github.com/grafana/k6/releases/tag/v${PINNED}`;
  const otherwise = `or install Go ${OLDEST_GO.major}.${OLDEST_GO.minor} or later and run this again (k6 is then built here)`;
  if (platform === "darwin") return `run \`brew install k6\`, ${otherwise}`;
  if (platform === "win32") return `run \`winget install k6 --source winget\`, ${otherwise}`;
  const archive = `k6-v${PINNED}-${platform}-${processor}.tar.gz`;
  return `unpack ${archive} from ${releases} and set K6_PATH to the k6 in it, ${otherwise}`;
}
