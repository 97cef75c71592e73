import { printable } from "../text/wording.ts";
import { pasteable } from "../verdicts/commands.ts";
import type { CheckResult } from "../verdicts/verdict.ts";
import type { Paint } from "./paint.ts";

/** Renders the commands of a finding, to be pasted as they are: notes are comments of the shell. */
export function commands(check: CheckResult, paint: Paint): string[] {
  const lines = check.steps ? pasteable(check) : check.curl === undefined ? [] : [check.curl];
  return lines.map(printable).map((line) => `    ${line.startsWith("# ") ? paint("dim", line) : line}`);
}
