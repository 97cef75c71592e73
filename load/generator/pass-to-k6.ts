import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A text that k6 can open as a file. */
export interface PassedText {
  /** The path that k6 opens. */
  readonly path: string;
  /** What k6 inherits as its file descriptors from 3 on. */
  readonly descriptors: readonly number[];
  readonly release: () => void;
}

/**
 * Gives k6 a text that is too long for a variable and must not stay on the disk: the file has lost its name before k6
 * starts, so that nothing is left of it, however the run ends. Windows keeps the name until the end of the run.
 */
export function passToK6(text: string): PassedText {
  const folder = mkdtempSync(join(tmpdir(), "payments-load-"));
  const path = join(folder, "pool.json");
  const remove = () => rmSync(folder, { recursive: true, force: true });
  writeFileSync(path, text, { mode: 0o600 });
  if (process.platform === "win32") return { path, descriptors: [], release: remove };
  const descriptor = openSync(path, "r");
  remove();
  return { path: "/dev/fd/3", descriptors: [descriptor], release: () => closeSync(descriptor) };
}
