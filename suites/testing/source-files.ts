import { readdirSync } from "node:fs";
import { join } from "node:path";
import { HOUSE } from "../../fixtures/testing/scripts.ts";

const FOLDERS = ["schemas", "reports", "fixtures", "suites", "load"];
/** What runs leave behind, and files that editors hide. */
const NO_SOURCE = /^reports\/(out|ledger)\/|\/\./;

/** Every TypeScript file of the project, relative to its root. */
export const sourceFiles = (): string[] =>
  FOLDERS.flatMap((folder) =>
    readdirSync(join(HOUSE, folder), { recursive: true, encoding: "utf8" }).map(
      (name) => `${folder}/${name}`,
    ),
  ).filter((file) => file.endsWith(".ts") && !NO_SOURCE.test(file));
