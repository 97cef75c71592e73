import { printable, shorten } from "../text/wording.ts";

export interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

const ERASE = "\r\u001b[K";

/** Shows one line and rewrites it for each check; writes nothing to a pipe or a terminal that cannot rewrite lines. */
export function showProgress(
  terminal: Terminal = process.stderr,
  env: Readonly<Record<string, string | undefined>> = process.env,
) {
  const canRewrite = terminal.isTTY && env.TERM !== "dumb";
  const [faint, plain] = env.NO_COLOR ? ["", ""] : ["\u001b[2m", "\u001b[22m"];
  const rewrite = (line: string) => {
    if (canRewrite) terminal.write(`${ERASE}${line}`);
  };
  let count = "";
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
    /** Shows a text in place of the last check. */
    show,
    /** Erases the line; call it before anything else is printed. */
    clear: () => rewrite(""),
  };
}
