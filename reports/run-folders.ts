import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Time and id; no other folder below `out` belongs to a run. */
const NAME = /^\d{8}T\d{6}Z-[0-9a-f]{8}$/;

/** The runs below a folder that left some file, the newest first. */
export const runsWith = (file: string, out: string): string[] =>
  (existsSync(out) ? readdirSync(out) : [])
    .filter((name) => NAME.test(name) && existsSync(join(out, name, file)))
    .toSorted()
    .reverse()
    .map((name) => join(out, name));
