import { answer, chunk, cutAt, slowly } from "../../answers.ts";
import { type Attack, FAILED, PASSED } from "../../attack.ts";
import type { Damage } from "../../hostile-target.ts";

/** The body in chunks that this function writes. */
const chunked =
  (write: (body: string) => string, headers: Readonly<Record<string, string | null>> = {}): Damage =>
  (passing, connection) =>
    answer({
      headers: { "Content-Length": null, "Transfer-Encoding": "chunked", ...headers },
      raw: Buffer.from(write(passing.body.toString())),
    })(passing, connection);

const BROKEN: Readonly<Record<string, Damage>> = {
  "chunks-that-are-none": chunked((body) => body),
  "chunk-size-of-letters": chunked((body) => `zz\r\n${body}\r\n0\r\n\r\n`),
  "chunk-size-negative": chunked((body) => `-5\r\n${body}\r\n0\r\n\r\n`),
  "chunk-size-beyond-64-bits": chunked((body) => `ffffffffffffffffff\r\n${body}\r\n0\r\n\r\n`),
  "chunk-size-too-small": chunked((body) => `5\r\n${body}\r\n0\r\n\r\n`),
  "chunk-size-too-large": chunked((body) => `ffff\r\n${body}\r\n0\r\n\r\n`),
  "no-last-chunk": chunked((body) => chunk(body)),
  "chunks-and-length": chunked((body) => `${chunk(body)}0\r\n\r\n`, { "Content-Length": "5" }),
  "transfer-coding-unknown": answer({ headers: { "Transfer-Encoding": "xchunked", "Content-Length": null } }),
  "length-too-large": answer({ headers: { "Content-Length": "99999" } }),
  "length-too-small": answer({ headers: { "Content-Length": "20" } }),
  "length-zero": answer({ headers: { "Content-Length": "0" } }),
  "length-negative": answer({ headers: { "Content-Length": "-1" } }),
  "length-of-letters": answer({ headers: { "Content-Length": "many" } }),
  "length-beyond-64-bits": answer({ headers: { "Content-Length": "99999999999999999999" } }),
  "lengths-that-differ": answer({ more: [["Content-Length", "7"]] }),
  "status-line-missing": (passing, connection) => connection.end(passing.body),
  "status-line-of-http-0.9": answer({ line: "OK" }),
  "status-line-of-another-protocol": answer({ line: "ICY 200 OK" }),
  "status-line-of-http-3": answer({ line: "HTTP/3.0 200 OK" }),
  "status-line-in-small-letters": answer({ line: "http/1.1 200 OK" }),
  "status-of-two-digits": answer({ line: "HTTP/1.1 20 OK" }),
  "status-of-four-digits": answer({ line: "HTTP/1.1 2000 OK" }),
  "header-without-colon": answer({ before: "", line: "HTTP/1.1 200 OK\r\nnonsense" }),
  "header-with-space-before-colon": answer({ line: "HTTP/1.1 200 OK\r\nX-Odd : 1" }),
  "header-with-nul": answer({ more: [["X-Odd", "a\0b"]] }),
  "header-name-empty": answer({ more: [["", "1"]] }),
  "garbage-before": answer({ before: "\x16\x03\x01garbage\r\n" }),
  "answer-of-tls": (_, connection) => connection.end(Buffer.from([0x15, 3, 1, 0, 2, 2, 70])),
};

const LEGAL: Readonly<Record<string, Damage>> = {
  "one-byte-at-a-time": slowly(1, 0),
  "chunks-of-one-byte": chunked((body) => `${[...body].map((letter) => chunk(letter)).join("")}0\r\n\r\n`),
  "chunk-extensions": chunked((body) => `${chunk(body, ';name="value"')}0;last\r\n\r\n`),
  "chunk-size-with-zeros": chunked((body) => `0000${chunk(body)}000\r\n\r\n`),
  trailers: chunked((body) => `${chunk(body)}0\r\nX-Checksum: 1\r\nX-Other: 2\r\n\r\n`),
  "end-of-connection-ends-the-body": answer({ headers: { "Content-Length": null } }),
  "no-reason-phrase": answer({ line: "HTTP/1.1 200 " }),
  "http-1.0": answer({ line: "HTTP/1.0 200 OK", headers: { "Content-Length": null } }),
  "headers-in-capitals": answer({ more: [["X-CAPITALS", "1"]] }),
  "header-values-in-latin-1": answer({ more: [["X-Name", "Z\u00fcrich"]] }),
  "header-empty": answer({ more: [["X-Empty", ""]] }),
  "same-header-a-hundred-times": answer({
    more: Array.from({ length: 100 }, (_, index) => ["Set-Cookie", `c${index}=1`] as const),
  }),
};

/** How far into an answer its connection is reset. */
const CUTS = [0, 1, 8, 12, 13, 40, 200, -200, -100, -20, -2, -1];

/** Answers that break the framing of HTTP, and odd ones that do not. */
export const FRAMING: readonly Attack[] = [
  ...Object.entries(BROKEN).map(
    ([name, damage]): Attack => ({
      name: `framing/${name}`,
      area: 1,
      ...(name === "chunks-and-length" && { fast: true }),
      damage,
      ...FAILED,
    }),
  ),
  ...Object.entries(LEGAL).map(
    ([name, damage]): Attack => ({ name: `framing/${name}`, area: 4, victim: "every", damage, ...PASSED }),
  ),
  ...CUTS.map(
    (place): Attack => ({
      name: `framing/reset-${place < 0 ? `${-place}-bytes-before-the-end` : `after-${place}-bytes`}`,
      area: 1,
      damage: cutAt(place),
      exit: [1, 4],
      verdicts: { "getDispute/accepted": ["fail", "inconclusive"] },
    }),
  ),
];
