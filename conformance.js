#!/usr/bin/env -S node --max-semi-space-size=8
// Starts a command of this suite. Node 12 and later can read this file, so that an unsuitable Node, missing packages or a
// place where nothing can be loaded is one line that says what to do, and never exit code 1, which is a verdict.
import { closeSync, mkdtempSync, openSync, readFileSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";

/** What a run of all checks has open at the same time, most of it connections to the embedded sandbox, with both ends. */
const OPEN_FILES = 160;

// A run is short: V8 would spend a sixth of its processor time on code that it then hardly uses.
setFlagsFromString("--interrupt-budget=400000");

const FILE = fileURLToPath(import.meta.url);
const FOLDER = dirname(FILE);

/** Says why the process ends; returns its exit code. The suite replaces it by what knows more. */
let explain = explainStart;
const crash = (error) => process.exit(explain(error));

process.on("uncaughtException", crash);
start().then((exitCode) => {
  process.exitCode = exitCode;
}, crash);

async function start() {
  const [node, least] = [process.versions.node, manifest().engines.node.replace(">=", "")];
  const [[major, minor], [leastMajor, leastMinor]] = [node, least].map((text) => text.split(".").map(Number));
  if (major < leastMajor || (major === leastMajor && minor < leastMinor))
    return refuse(2, `this is Node ${node}, but the suite needs Node ${least} or later: install it`);
  const spare = spareFiles();
  if (spare < OPEN_FILES)
    return refuse(
      3,
      `this process may open only ${spare} more files and connections, and the suite needs up to ${OPEN_FILES}: raise the limit of this shell with ulimit -n 4096`,
    );
  // tsx takes "?" for the end of a path, and Node puts the name of a module in the place of "*".
  if (/[?*]/.test(FOLDER))
    return refuse(2, `Node cannot load the suite from ${FOLDER}: move it to a path without ? and *`);
  // tsx keeps what it compiled in the temporary folder; without a cache it only starts later.
  if (!isWritable(tmpdir())) process.env.TSX_DISABLE_CACHE = "1";
  await import("tsx");
  const { explainCrash, runProcess } = await import("./reports/command-line/run.ts");
  const { COMMANDS } = await import("./commands.ts");
  explain = explainCrash;
  return runProcess(COMMANDS);
}

function explainStart(error) {
  const [what, where = ""] = String(error.stack || error).split("\n");
  if (/node_modules|\bpackage\b/.test(what + where))
    return refuse(2, `a package of this suite is missing or damaged (${what}): run npm ci in ${FOLDER}`);
  return refuse(70, `defect of this suite: ${what} (${where.trim()})`);
}

function refuse(exitCode, problem) {
  process.stderr.write(`${problem}\n`);
  return exitCode;
}

function manifest() {
  return JSON.parse(readFileSync(join(FOLDER, "package.json"), "utf8"));
}

/** How many more files this process may open, up to what is needed. */
function spareFiles() {
  const files = [];
  try {
    while (files.length < OPEN_FILES) files.push(openSync(FILE, "r"));
  } catch {
    // The limit is reached.
  }
  for (const file of files) closeSync(file);
  return files.length;
}

function isWritable(folder) {
  try {
    rmdirSync(mkdtempSync(join(folder, "payments-")));
    return true;
  } catch {
    return false;
  }
}
