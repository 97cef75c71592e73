import { printable, shorten } from "../text/wording.ts";

/** The part of a stream that the progress line needs. */
export interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export interface Progress {
  update(done: number, total: number, id: string): void;
  /** Erases the line; call it before anything else is printed. */
  clear(): void;
}

const ERASE = "\r\u001b[K";

/** Shows one line and rewrites it for each check; writes nothing to a pipe or a terminal that cannot rewrite lines. */
export function showProgress(
  terminal: Terminal = process.stderr,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Progress {
  if (!terminal.isTTY || env.TERM === "dumb") return { update: () => {}, clear: () => {} };
  const [faint, plain] = env.NO_COLOR ? ["", ""] : ["\u001b[2m", "\u001b[22m"];
  return {
    update: (done, total, id) => {
      const count = `${done}/${total}`;
      // A full line would wrap, and then it could not be erased.
      const room = (terminal.columns ?? 80) - count.length - 2;
      terminal.write(`${ERASE}${count} ${faint}${shorten(printable(id), room)}${plain}`);
    },
    clear: () => terminal.write(ERASE),
  };
}
