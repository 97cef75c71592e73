import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { devNull } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { deploy, verdictsIn } from "../../fixtures/testing/deployment.ts";
import { temporaryFolder } from "../../fixtures/testing/example-target.ts";
import { PROJECT_ROOT } from "../../fixtures/testing/scripts.ts";
import { type Ended, start, startProgram } from "../../fixtures/testing/spawned.ts";

const LAUNCHER = join(PROJECT_ROOT, "conformance.js");

/** A copy of some files of this project, without packages, and its launcher. */
function copyOf(parts: readonly string[], folder = temporaryFolder()): string {
  mkdirSync(folder, { recursive: true });
  for (const part of ["conformance.js", "package.json", ...parts])
    cpSync(join(PROJECT_ROOT, part), join(folder, part), { recursive: true });
  return join(folder, "conformance.js");
}

/** Expects that a command ended with one line on stderr, nothing on stdout, and no verdict. */
function expectOneLine({ code, stdout, stderr }: Ended, exitCode: number, text: string | RegExp) {
  expect({ code, stdout, lines: stderr.trim().split("\n").length }).toEqual({
    code: exitCode,
    stdout: "",
    lines: 1,
  });
  expect(stderr).toMatch(text);
}

/** Variables for `node --import <hook>`: the hook changes what Node does, in every thread. */
const hooked = (hook: string) => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hook)}`,
});

describe("the launcher says on one line", () => {
  test("that no package is installed", async () => {
    const run = startProgram(process.execPath, [copyOf([]), "certify"]);

    expectOneLine(await run.ended, 2, /Cannot find package 'tsx'.*run npm ci/);
  });

  test("that a package is missing which a command needs", async () => {
    const loader = `--import=${join(PROJECT_ROOT, "node_modules/tsx/dist/loader.mjs")}`;
    const copy = copyOf(["commands.ts", "reports", "schemas"]);
    // Of tsx, only what the launcher asks for.
    const tsx = join(copy, "../node_modules/tsx");
    mkdirSync(tsx, { recursive: true });
    writeFileSync(join(tsx, "package.json"), JSON.stringify({ type: "module", exports: "./index.js" }));
    writeFileSync(join(tsx, "index.js"), "");

    const run = startProgram(process.execPath, [loader, copy, "report"]);

    expectOneLine(await run.ended, 2, /a package of this suite is missing: run npm ci \(Cannot find package/);
  });

  test("that Node is too old", async () => {
    const old =
      "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.18.1' } })";

    const run = startProgram(process.execPath, [LAUNCHER, "certify"], { variables: hooked(old) });

    expectOneLine(await run.ended, 2, /this is Node 20\.18\.1, but the suite needs Node 20\.19 or later/);
  });

  test.skipIf(process.platform === "win32")("that nothing can be loaded from its path", async () => {
    const run = startProgram(process.execPath, [copyOf([], join(temporaryFolder(), "a*b?")), "certify"]);

    expectOneLine(await run.ended, 2, /move it to a path without \? and \*/);
  });

  test.skipIf(process.platform === "win32").each([
    ["too few files may be open", `ulimit -n 48; exec "$0" "$1" certify`, 3, "raise the limit of this shell"],
    ["what it prints is lost", `exec "$0" "$1" certify --list > /dev/full`, 2, "the disk is full"],
    [
      "nobody would see the result",
      `exec "$0" "$1" certify --select getProfile/accepted > /dev/full`,
      2,
      "the disk",
    ],
  ])("that %s", async (_, line, code, text) => {
    const run = startProgram("bash", ["-c", line, process.execPath, LAUNCHER]);

    expectOneLine(await run.ended, code, text);
  });
});

test("a temporary folder that cannot be written stops no run", async () => {
  const run = start("certify", ["--list"], { TMPDIR: devNull });

  expect(await run.ended).toMatchObject({ code: 0, stderr: "" });
});

test("a disk that fills during a run ends it with 70, what was paid, and how to write its reports", async () => {
  const { env } = await deploy();
  // After 20 results, no more can be written.
  const full = `import fs from "node:fs"; import { syncBuiltinESMExports } from "node:module";
    const { writeSync } = fs; let events = 0;
    fs.writeSync = (file, data, ...rest) => {
      if (String(data).startsWith('{"type":"check"') && ++events > 20)
        throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
      return writeSync(file, data, ...rest);
    };
    syncBuiltinESMExports();`;

  const { code, stderr } = await start("certify", ["--select", "createTransfer/*"], {
    ...env,
    ...hooked(full),
  }).ended;

  expect(code).toBe(70);
  expect(stderr).toMatch(
    /^the disk is full: make room \(ENOSPC[^\n]*\)\nUntil then the run made \d+ payments, [\d,.]+ in total \([^\n]*\)\. [^\n]*npm run report -- [^\n]*\n$/,
  );
});

/** Makes connections of the checks fail as without a free port, from one on, for some milliseconds. */
const withoutPorts = (from: number, forMs: number) =>
  hooked(`import net from "node:net";
    const { connect } = net.Socket.prototype; let [count, end] = [0, undefined];
    net.Socket.prototype.connect = function (...args) {
      const [options] = Array.isArray(args[0]) ? args[0] : args;
      if (options.path || ++count < ${from}) return connect.apply(this, args);
      end ??= performance.now() + ${forMs};
      if (performance.now() > end) return connect.apply(this, args);
      const details = { code: "EADDRNOTAVAIL", syscall: "connect" };
      setImmediate(() => this.destroy(Object.assign(new Error("connect EADDRNOTAVAIL"), details)));
      return this;
    };`);

const SELECT = ["--select", "createTransfer/*,listTransfers/accepted,getProfile/*"];

test("a machine that has no free port for a moment changes no verdict", async () => {
  const { env } = await deploy();

  const run = await start("certify", SELECT, { ...env, ...withoutPorts(30, 2_000) }).ended;

  const { checks } = verdictsIn(run);
  expect(run.code).toBe(0);
  expect(checks.filter(({ message = "" }) => /EADDRNOTAVAIL/.test(message))).toEqual([]);
});

test("a machine that has no free port any more ends the run early with 4 and the reason", async () => {
  const { env } = await deploy();

  const run = await start("certify", SELECT, { ...env, ...withoutPorts(30, 600_000) }).ended;

  const { checks, because } = verdictsIn(run);
  expect(run.code).toBe(4);
  expect(because).toMatch(
    /no connection could be opened for 10 s: this machine has no free port.*EADDRNOTAVAIL/,
  );
  expect(checks.filter(({ verdict }) => verdict === "fail" || verdict === "warn")).toEqual([]);
  expect(checks.filter(({ reason }) => reason === "unreachable").length).toBeGreaterThan(50);
});
