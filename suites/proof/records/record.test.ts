import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { writeRecord } from "./record.ts";

test("a record replaces the lines of what was tried and keeps the others, unless everything was tried", () => {
  const file = pathToFileURL(join(mkdtempSync(join(tmpdir(), "record-")), "kills.txt"));
  const partial = { complete: false };

  writeRecord(
    file,
    "Kills.",
    [
      { key: "b", found: "1" },
      { key: "a", found: "2" },
    ],
    partial,
  );
  writeRecord(file, "Kills.", [{ key: "b", found: "3" }], partial);
  expect(readFileSync(file, "utf8")).toBe("# Kills.\na\t2\nb\t3\n");

  writeRecord(file, "Kills.", [{ key: "b", found: "4" }], { complete: true });
  expect(readFileSync(file, "utf8")).toBe("# Kills.\nb\t4\n");
});
