import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { readChecklist } from "../runner/checklist.ts";
import { uncaught } from "./campaign.ts";
import { complaintsOf, type Matrix } from "./matrix.ts";

/** One process for each core of a small machine; each keeps one vitest busy. */
const PARTS = 2;
/** Four minutes on two idle cores, and room for a busy machine. */
const LONGEST_MS = 12 * 60_000;

it(
  "catches every fault and bad practice with the checks it names, fails no variation, and turns every check red",
  async () => {
    const parts = Array.from({ length: PARTS }, (_, index) => runPart(index + 1));
    const matrices = await Promise.all(parts);

    const entries = matrices.flatMap((matrix) => matrix.entries);
    expect([...new Set(matrices.flatMap(complaintsOf))]).toEqual([]);
    expect(uncaught(entries, readChecklist())).toEqual([]);
    expect(entries.filter(({ kind }) => kind === "fault").length).toBeGreaterThan(400);
    expect(new Set(entries.flatMap(({ variations }) => variations)).size).toBeGreaterThan(40);
    expect(
      new Set(entries.flatMap(({ observedOtherwise = [] }) => observedOtherwise)).size,
    ).toBeGreaterThanOrEqual(15);
  },
  LONGEST_MS,
);

it("exits 2 for an unknown option and lists the options", async () => {
  const { code, stderr } = await run(["--faults", "x"]);

  expect(code).toBe(2);
  expect(stderr).toMatch(
    /^Unknown option '--faults'.*npm run mutants accepts --fault, --bad-practice, --variation/m,
  );
}, 60_000);

it("exits 2 if a pattern matches nothing", async () => {
  const { code, stderr } = await run(["--fault", "no-such-fault"]);

  expect(code).toBe(2);
  expect(stderr).toMatch(/^--fault no-such-fault matches none of/);
}, 60_000);

async function runPart(part: number): Promise<Matrix> {
  const out = await mkdtemp(join(tmpdir(), "mutants-"));
  onTestFinished(() => rm(out, { recursive: true }));
  const all = ["--fault", "*", "--bad-practice", "*", "--variation", "*", "--mixes", "0"];
  const { stderr } = await run([...all, "--shard", `${part}/${PARTS}`, "--out", out]);
  const file = join(out, "mutants", "matrix.json");
  const text = await readFile(file, "utf8").catch(() => {
    throw new Error(`npm run mutants wrote no matrix: ${stderr}`);
  });
  return JSON.parse(text) as Matrix;
}

function run(args: readonly string[]): Promise<{ code: number | null; stderr: string }> {
  const script = new URL("./main.ts", import.meta.url).pathname;
  const child = spawn(process.execPath, ["--import", "tsx", script, ...args], {
    // vitest puts variables into the environment that would reach the vitest of the command.
    env: Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !/^(VITEST|npm_config_|NODE_ENV$|MODE$)/.test(name)),
    ),
    stdio: ["ignore", "ignore", "pipe"],
  });
  onTestFinished(() => {
    child.kill();
  });
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stderr }));
  });
}
