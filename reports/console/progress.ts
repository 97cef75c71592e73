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

/** How a run waits for what the API accepted, in milliseconds unless it says otherwise. */
export interface Waits {
  readonly settleMs: number;
  /** How many seconds the waits in progress may still take. */
  readonly left: number;
  /** How long the slowest accepted write took to show; absent if none was seen. */
  readonly shownMs?: number | undefined;
  readonly waitedMs: number;
}

/** The suggested SETTLE_SECONDS is so many times as long as the target needed, in steps of five seconds. */
const TIMES_NEEDED = 3;

const SHORTEST_MS = 1_000;
/** A write that shows sooner is called immediate: reading the list takes about as long. */
const AT_ONCE_MS = 250;

/** Says what the run waits for; `undefined` if it does not wait, or too short a time to read it. */
export const currentWait = ({ left, settleMs }: Waits): string | undefined =>
  left > 1
    ? `Waiting up to ${left} s before looking at transfers again (SETTLE_SECONDS=${settleMs / 1000})`
    : undefined;

/** Says how long the deployment needed to show what it accepted, and which SETTLE_SECONDS would do. */
export function allWaits({ settleMs, shownMs, waitedMs }: Waits): string {
  if (waitedMs < SHORTEST_MS) return "";
  const waited = `This run waited ${Math.round(waitedMs / 1000)} s in total before looking at transfers again.`;
  if (shownMs === undefined) return `${waited}\n\n`;
  const when = shownMs < AT_ONCE_MS ? "at once" : `after at most ${(shownMs / 1000).toFixed(1)} s`;
  const suggested = 5 * Math.ceil((TIMES_NEEDED * shownMs) / 5_000);
  const advice =
    suggested * 1000 < settleMs
      ? ` SETTLE_SECONDS=${suggested} would do, unless transfers still change later.`
      : "";
  return `This deployment shows accepted writes ${when}. ${waited}${advice}\n\n`;
}
