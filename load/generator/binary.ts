import { execFile, spawn } from "node:child_process";
import { constants } from "node:fs";
import { access, mkdir, rename, rm } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { CommandError } from "../../reports/text/command.ts";

/** The k6 version that load/engine pins. */
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
  /** The folder with go.mod; a k6 that is built is kept below it. */
  readonly engine?: string;
  readonly platform?: string;
  readonly arch?: string;
  /** Whether to build k6 with Go if it is missing; default true. */
  readonly mayBuild?: boolean;
  /** Called with a line about whatever takes long. */
  readonly progress?: (line: string) => void;
}

/**
 * Finds k6 2.0 or later: the one that K6_PATH names, or else one on PATH, one built before, or one that it builds.
 * Throws a {@link CommandError} (3) that says how to install k6.
 */
export async function findK6({ named, ...surroundings }: Surroundings = {}): Promise<K6> {
  const { searchPath = process.env.PATH ?? "", engine = ENGINE } = surroundings;
  const { platform = process.platform, arch = process.arch } = surroundings;
  const { mayBuild = true, progress = () => {} } = surroundings;
  if (named !== undefined) return k6Named(named);

  const suffix = platform === "win32" ? ".exe" : "";
  const built = join(engine, "bin", `k6-${PINNED}-${platform}-${arch}${suffix}`);
  const installed = await firstK6([...(await onPath(`k6${suffix}`, searchPath)), built]);
  if (installed) return installed;

  const instructions = installation(platform, arch);
  const [go] = mayBuild ? await onPath(`go${suffix}`, searchPath) : [];
  if (!go || !(await isRecentGo(go))) throw new CommandError(3, [`k6 was not found: ${instructions}`]);
  progress(`Building k6 ${PINNED} with Go; this takes a minute or two, once.`);
  const problem = await build(go, engine, built);
  const k6 = problem === undefined ? await k6At(built) : undefined;
  if (k6) return k6;
  throw new CommandError(3, [`k6 could not be built (${problem ?? "it does not run"}): ${instructions}`]);
}

async function k6Named(path: string): Promise<K6> {
  const k6 = await k6At(path);
  if (k6) return k6;
  throw new CommandError(3, [
    `K6_PATH ${path} is not k6 2.0 or later: correct it, or remove it to let the command find or build k6`,
  ]);
}

async function firstK6(paths: readonly string[]): Promise<K6 | undefined> {
  for (const path of paths) {
    const k6 = await k6At(path);
    if (k6) return k6;
  }
  return undefined;
}

/** The k6 at `path`; `undefined` if there is none, or an older one than 2.0. */
async function k6At(path: string): Promise<K6 | undefined> {
  const output = await outputOf(path, ["version"]);
  const [, version, major] = /^k6\S* v((\d+)\.\d+\.\d+\S*)/m.exec(output) ?? [];
  return version !== undefined && Number(major) >= 2 ? { path, version } : undefined;
}

async function isRecentGo(path: string): Promise<boolean> {
  const [, major, minor] = /go(\d+)\.(\d+)/.exec(await outputOf(path, ["version"])) ?? [];
  if (Number(major) !== OLDEST_GO.major) return Number(major) > OLDEST_GO.major;
  return Number(minor) >= OLDEST_GO.minor;
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

/** Builds k6 under another name and renames it, so that an interrupted build leaves no broken k6; returns a problem. */
async function build(go: string, engine: string, target: string): Promise<string | undefined> {
  const unfinished = `${target}.${process.pid}`;
  try {
    await mkdir(dirname(target), { recursive: true });
    const problem = await run(go, ["build", "-trimpath", "-o", unfinished, "go.k6.io/k6/v2"], engine);
    if (problem === undefined) await rename(unfinished, target);
    return problem;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await rm(unfinished, { force: true });
  }
}

/** Runs a command; returns the last line of stderr if it failed. */
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

/** Says in one line how to get k6 on this platform. */
function installation(platform: string, arch: string): string {
  const processor = arch === "x64" ? "amd64" : arch;
  const release = `https://github.com/grafana/k6/releases/tag/v${PINNED}`;
  const archive = `k6-v${PINNED}-${platform}-${processor}.tar.gz`;
  const commands: Readonly<Record<string, string>> = {
    darwin: "run `brew install k6`",
    win32: "run `winget install k6 --source winget`",
  };
  const install = commands[platform] ?? `unpack ${archive} from ${release} and set K6_PATH to its k6`;
  return `${install}, or install Go ${OLDEST_GO.major}.${OLDEST_GO.minor} or later and run this command again to build k6`;
}
