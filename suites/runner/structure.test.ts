import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { HOUSE } from "../../fixtures/testing/scripts.ts";
import { groupBy } from "../../reports/text/grouping.ts";
import { sourceFiles } from "../testing/source-files.ts";

const files = sourceFiles().filter((file) => !file.endsWith(".test.ts"));
const folders = groupBy(files, dirname);

/** The folders that the files of `folder` import, without those around it and inside it. */
function importedBy(folder: string): Set<string> {
  const targets = (folders.get(folder) ?? []).flatMap((file) => {
    const text = readFileSync(join(HOUSE, file), "utf8");
    return [...text.matchAll(/\b(?:from|import)\s*\(?"(\.[^"]+)"/g)].map(([, path = ""]) =>
      dirname(join(dirname(file), path)),
    );
  });
  const isRelative = (other: string) =>
    `${other}/`.startsWith(`${folder}/`) || folder.startsWith(`${other}/`);
  return new Set(targets.filter((other) => folders.has(other) && !isRelative(other)));
}

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
