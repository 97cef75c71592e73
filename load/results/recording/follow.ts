import { closeSync, openSync, readSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";

const POLL_MS = 200;
const CHUNK = 64 * 1024;
/** No line that k6 logs of a response is nearly as long; what exceeds it is not kept. */
const MAX_LINE = 64 * 1024;

/** Reads the lines of a file without keeping any; of a file that is absent, none. */
export const readLines = (path: string, onLine: (line: string) => void) => followLines(path, onLine).finish();

/** Reads the lines of a file, which may still grow, without keeping any; `finish` reads what is left and stops. */
export function followLines(path: string, onLine: (line: string) => void): { readonly finish: () => void } {
  const buffer = Buffer.alloc(CHUNK);
  const decoder = new StringDecoder("utf8");
  let position = 0;
  let rest = "";
  const read = () => {
    const file = openIfPresent(path);
    if (file === undefined) return;
    try {
      for (;;) {
        const length = readSync(file, buffer, 0, CHUNK, position);
        if (length === 0) return;
        position += length;
        const lines = (rest + decoder.write(buffer.subarray(0, length))).split("\n");
        rest = (lines.pop() ?? "").slice(0, MAX_LINE);
        for (const line of lines) onLine(line);
      }
    } finally {
      closeSync(file);
    }
  };
  const timer = setInterval(read, POLL_MS);
  return {
    finish: () => {
      clearInterval(timer);
      read();
      // The last line may have lost its line break on its way.
      if (rest !== "") onLine(rest);
    },
  };
}

function openIfPresent(path: string): number | undefined {
  try {
    return openSync(path, "r");
  } catch {
    return undefined;
  }
}
