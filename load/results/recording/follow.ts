import { closeSync, existsSync, openSync, readSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";

const POLL_MS = 200;
const CHUNK = 64 * 1024;
/** No line that k6 logs of a response is nearly as long; what exceeds it is not kept. */
const MAX_LINE = 64 * 1024;

/** Reads the lines of a file, which may appear and grow, without keeping any; `finish` reads what is left and stops. */
export function followLines(path: string, onLine: (line: string) => void): { readonly finish: () => void } {
  const buffer = Buffer.alloc(CHUNK);
  const decoder = new StringDecoder("utf8");
  let file: number | undefined;
  let rest = "";
  const read = () => {
    if (existsSync(path)) file ??= openSync(path, "r");
    if (file === undefined) return;
    for (let length = readSync(file, buffer); length > 0; length = readSync(file, buffer)) {
      const lines = (rest + decoder.write(buffer.subarray(0, length))).split("\n");
      rest = (lines.pop() ?? "").slice(0, MAX_LINE);
      for (const line of lines) onLine(line);
    }
  };
  const timer = setInterval(read, POLL_MS);
  return {
    finish: () => {
      clearInterval(timer);
      read();
      if (file !== undefined) closeSync(file);
      // The last line may have lost its line break on its way.
      if (rest !== "") onLine(rest);
    },
  };
}
