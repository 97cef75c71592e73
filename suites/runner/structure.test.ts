import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { PROJECT_ROOT } from "../../fixtures/testing/scripts.ts";
import { sourceFiles } from "../../fixtures/testing/source-files.ts";
import { groupBy } from "../../reports/grouping.ts";

const files = sourceFiles().filter((file) => !file.endsWith(".test.ts"));
const folders = groupBy(files, dirname);

/** The files of the project that a file imports. */
const importsOf = (file: string) =>
  [...readFileSync(join(PROJECT_ROOT, file), "utf8").matchAll(/\b(?:from|import)\s*\(?"(\.[^"]+)"/g)].map(
    ([, path = ""]) => join(dirname(file), path),
  );

/** The folders that the files of `folder` import, without those around it and inside it. */
function importedBy(folder: string): Set<string> {
  const targets = (folders.get(folder) ?? []).flatMap(importsOf).map((target) => dirname(target));
  const isRelative = (other: string) =>
    `${other}/`.startsWith(`${folder}/`) || folder.startsWith(`${other}/`);
  return new Set(targets.filter((other) => folders.has(other) && !isRelative(other)));
}

/** The rooms of the project. A room imports only from those above it; `only` names the few that it may import at all. */
const ROOMS: readonly { readonly room: string; readonly only?: readonly string[] }[] = [
  { room: "schemas" },
  { room: "reports" },
  { room: "fixtures/engine/redaction" },
  { room: "fixtures/engine/config" },
  { room: "fixtures/engine/http" },
  { room: "fixtures/engine/evidence" },
  { room: "fixtures/engine/ledger" },
  { room: "fixtures/engine/health" },
  { room: "fixtures/engine/run" },
  { room: "fixtures/engine/lists" },
  { room: "fixtures/engine/judge" },
  { room: "fixtures/engine" },
  // A service of its own: it shares the contract with the checks, and nothing else.
  { room: "fixtures/sandbox", only: ["schemas"] },
  // Servers of another hand: what they get wrong must not be what the suite gets wrong.
  { room: "fixtures/deployments", only: [] },
  { room: "fixtures/mutants", only: ["schemas", "fixtures/sandbox"] },
  { room: "fixtures" },
  { room: "suites" },
  // k6 bundles these scripts: what they need from the other rooms comes with their settings.
  { room: "load/k6", only: [] },
  { room: "load", only: ["load/k6", "schemas", "reports", "fixtures"] },
];

/** Imports that the table forbids and that have a reason of their own. */
const EXCEPTIONS = [
  // A type, of which nothing is left in the bundle.
  "load/k6/requests.ts imports schemas/contract.ts",
];

const isIn = (room: string, file: string) => file.startsWith(`${room}/`);
const roomOf = (file: string) =>
  ROOMS.filter(({ room }) => isIn(room, file)).sort((a, b) => b.room.length - a.room.length)[0];

/** The imports of a file that its room may not have. */
function forbiddenIn(file: string): string[] {
  const own = roomOf(file);
  if (!own) return [];
  const above = ROOMS.slice(0, ROOMS.indexOf(own)).map(({ room }) => room);
  return importsOf(file)
    .filter((target) => roomOf(target) && roomOf(target) !== own)
    .filter((target) => !(own.only ?? above).some((room) => isIn(room, target)))
    .map((target) => `${file} imports ${target}`)
    .filter((line) => !EXCEPTIONS.includes(line));
}

describe("the rooms of the source", () => {
  test("import only from the rooms above them", () => {
    const production = files.filter((file) => !file.includes("/testing/"));

    expect(production.flatMap(forbiddenIn)).toEqual([]);
  });
});

describe("the folders of the source", () => {
  test("import in one direction", () => {
    const imports = new Map([...folders.keys()].map((folder) => [folder, importedBy(folder)]));
    // Takes away, again and again, the folders that import none of the others; those in a circle remain.
    for (;;) {
      const free = [...imports].filter(([, others]) => ![...others].some((other) => imports.has(other)));
      if (free.length === 0) break;
      for (const [folder] of free) imports.delete(folder);
    }

    expect(folders.size).toBeGreaterThan(30);
    expect([...imports].map(([folder, others]) => `${folder} imports ${[...others].join(", ")}`)).toEqual([]);
  });

  test("have at most 15 files each", () => {
    const crowded = [...folders].filter(([, { length }]) => length > 15);

    expect(crowded.map(([folder, { length }]) => `${folder}: ${length} files`)).toEqual([]);
  });
});
