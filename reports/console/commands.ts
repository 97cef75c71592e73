import { printableLines } from "../text/wording.ts";
import { pasteable } from "../verdicts/commands.ts";
import type { CheckResult } from "../verdicts/verdict.ts";
import type { Paint } from "./paint.ts";

/** Renders the commands of a finding, to be pasted as they are: notes are comments of the shell. */
export function commands(check: CheckResult, paint: Paint): string[] {
  const lines = check.steps ? pasteable(check) : check.curl === undefined ? [] : [check.curl];
  return lines.flatMap((line) => indented(line, paint));
}

/** Keeps the line breaks of a multipart body, without which the command would not repeat the request. */
function indented(text: string, paint: Paint): string[] {
  const [first = "", ...rest] = printableLines(text).split("\n");
  return [`    ${first.startsWith("# ") ? paint("faint", first) : first}`, ...rest];
}
