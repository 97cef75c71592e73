import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { deploy } from "../../fixtures/testing/deployment.ts";
import { temporaryFolder } from "../../fixtures/testing/example-target.ts";
import { start } from "../../fixtures/testing/spawned.ts";

/** Writes down, in every thread, where a process connects to, what names it looks up, and what programs it starts. */
const HOOK = `
import child from "node:child_process";
import dgram from "node:dgram";
import dns from "node:dns";
import { appendFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";
const note = (text) => appendFileSync(process.env.HOME + "/seen.txt", text + "\\n");
const watch = (holder, name, describe) => {
  const real = holder[name];
  holder[name] = function (...args) { note(describe(...args)); return real.apply(this, args); };
};
watch(net.Socket.prototype, "connect", (...args) => {
  const [options] = Array.isArray(args[0]) ? args[0] : args;
  return options.path ? "pipe" : "connect " + (options.host ?? "localhost") + ":" + options.port;
});
watch(dgram.Socket.prototype, "send", () => "datagram");
for (const name of ["lookup", "resolve", "resolve4", "resolve6"]) watch(dns, name, (host) => "name " + host);
for (const name of ["lookup", "resolve"]) watch(dns.promises, name, (host) => "name " + host);
for (const name of ["spawn", "spawnSync", "execFile", "execFileSync", "exec", "fork"])
  watch(child, name, (program) => "program " + program);
syncBuiltinESMExports();
note("watched");
`;

test("a run connects to the target and its live twin, and to nothing else", async () => {
  const { env } = await deploy();
  const folder = temporaryFolder();
  writeFileSync(join(folder, "hook.mjs"), HOOK);
  const variables = {
    ...env,
    HOME: folder,
    NODE_OPTIONS: `--import=${join(folder, "hook.mjs")}`,
  };
  const args = ["--select", "getProfile/*,createTransfer/accepted"];

  const { code } = await start("certify", args, variables, folder).ended;

  const seen = readFileSync(join(folder, "seen.txt"), "utf8").trimEnd().split("\n");
  const { BASE_URL = "", LIVE_BASE_URL = "" } = env;
  const allowed = [BASE_URL, LIVE_BASE_URL].map((url) => `connect ${new URL(url).host}`);
  expect(existsSync(join(folder, "reports/out/latest/verdicts.json"))).toBe(true);
  expect([0, 4]).toContain(code);
  expect(seen).toContain("watched");
  expect(new Set(seen.filter((line) => line.startsWith("connect ")))).toEqual(new Set(allowed));
  // tsx looks for a parent of its own through a pipe of this machine, and the reports name the commit of the suite.
  expect(new Set(seen.filter((line) => !/^(connect |watched$)/.test(line)))).toEqual(
    new Set(["pipe", "program git"]),
  );
});
