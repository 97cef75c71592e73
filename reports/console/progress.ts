import type { Environment, Output } from "../command-line/command.ts";
import { printable, shorten } from "../wording.ts";

const ERASE = "\r\u001b[K";

/**
 * Shows one line and rewrites it for each check. A pipe, or a terminal that cannot rewrite lines, only gets a line when the
 * run begins to wait.
 */
export function showProgress(terminal: Output = process.stderr, env: Environment = process.env) {
  const canRewrite = terminal.isTTY && env.TERM !== "dumb";
  const [faint, plain] = env.NO_COLOR ? ["", ""] : ["\u001b[2m", "\u001b[22m"];
  const rewrite = (line: string) => {
    if (canRewrite) terminal.write(`${ERASE}${line}`);
  };
  let count = "";
  let isWaiting = false;
  const show = (text: string) => {
    // A full line would wrap, and then it could not be erased.
    const room = (terminal.columns || 80) - count.length - 2;
    rewrite(`${count} ${faint}${shorten(printable(text), room)}${plain}`);
  };
  return {
    update: (done: number, total: number, id: string) => {
      count = `${done}/${total}`;
      show(id);
    },
    /** Shows what the run waits for in place of the last check; `undefined` if it does not wait. */
    wait: (text: string | undefined) => {
      if (text !== undefined && canRewrite) show(text);
      else if (text !== undefined && !isWaiting) terminal.write(`${text}\n`);
      isWaiting = text !== undefined;
    },
    /** Erases the line; call it before anything else is printed. */
    clear: () => rewrite(""),
  };
}
