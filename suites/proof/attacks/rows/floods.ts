import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { answer, bytesOf, endless, flood, json, silence, slowly } from "../answers.ts";
import { type Attack, attacks, PASSED, SURVIVED } from "../attack.ts";
import type { Damage, Passing } from "../hostile-target.ts";

const MB = 1024 * 1024;

/** 50 MB of spaces, compressed: made once, and only if an attack needs it. */
function bomb(encode: (bytes: Buffer) => Buffer, coding?: string): Damage {
  let made: Buffer | undefined;
  const body = () => {
    made ??= encode(Buffer.alloc(50 * MB, " "));
    return made;
  };
  return answer({ body, headers: coding ? { "Content-Encoding": coding } : {} });
}

const BOMBS: Readonly<Record<string, Damage>> = {
  gzip: bomb((bytes) => gzipSync(bytes), "gzip"),
  br: bomb((bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }), "br"),
  "gzip-in-gzip": bomb((bytes) => gzipSync(gzipSync(bytes)), "gzip, gzip"),
};

/** A body that is declared to be coded this many times, and is. */
const codedTimes =
  (times: number): Damage =>
  (passing, connection) => {
    let { body } = passing;
    for (let index = 0; index < times; index += 1) body = gzipSync(body);
    const coding = Array(times).fill("gzip").join(", ");
    answer({ body, headers: { "Content-Encoding": coding } })(passing, connection);
  };

const CHUNKED = { "Content-Length": null, "Transfer-Encoding": "chunked" };
/** Writes `start`, and then a block for as long as the reader takes it. */
const pour =
  (start: string, block: string | Buffer): Damage =>
  (_, connection) => {
    connection.write(start);
    flood(connection, Buffer.from(block));
  };

const ENDLESS: Readonly<Record<string, Damage>> = {
  "body-with-length": endless({ headers: { "Content-Length": String(100_000 * MB) } }, Buffer.alloc(MB, " ")),
  "body-without-length": endless({ headers: { "Content-Length": null } }, Buffer.alloc(MB, " ")),
  chunks: endless({ headers: CHUNKED }, Buffer.from(`10000\r\n${" ".repeat(0x1_0000)}\r\n`)),
  "chunk-extension": endless({ headers: CHUNKED, raw: Buffer.from("5;") }, Buffer.alloc(MB, "x")),
  headers: pour("HTTP/1.1 200 OK\r\n", `X-More: ${"x".repeat(1000)}\r\n`),
  "header-value": pour("HTTP/1.1 200 OK\r\nX-Long: ", Buffer.alloc(MB, "x")),
  "status-line": pour("HTTP/1.1 200 ", Buffer.alloc(MB, "x")),
  "interim-answers": pour("", "HTTP/1.1 102 Processing\r\n\r\n"),
  "early-hints": pour("", `HTTP/1.1 103 Early Hints\r\nLink: <${"x".repeat(1000)}>\r\n\r\n`),
};

const SLOW: Readonly<Record<string, Damage>> = {
  silence,
  "headers-of-one-byte-a-second": slowly(1, 1000),
  "body-of-one-byte-a-second": (passing, connection) => {
    connection.write(bytesOf({ raw: Buffer.alloc(0) }, passing));
    slowly(1, 1000, ({ body }) => body)(passing, connection);
  },
  "no-end-of-the-body": (passing, connection) =>
    void connection.write(bytesOf({ headers: { "Content-Length": "100000" } }, passing)),
};

const deep = (open: string, close: string, levels: number) => open.repeat(levels) + close.repeat(levels);
const inData = (value: string) => (body: Buffer) =>
  body.toString().replace('"data":', `"odd":${value},"data":`);

const DEEP: Readonly<Record<string, (body: Buffer) => string>> = {
  "arrays-10000-deep": inData(deep("[", "]", 10_000)),
  "objects-10000-deep": inData(`${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`),
  "arrays-a-million-deep": inData(deep("[", "]", 1_000_000)),
  "only-opening-brackets": () => "[".repeat(3 * MB),
  "only-opening-braces": () => '{"a":'.repeat(600_000),
  "escaped-json-in-json-14-times": (body) => {
    let text = body.toString();
    for (let level = 0; level < 14; level += 1) text = JSON.stringify({ odd: text });
    return text;
  },
};

/** Megabytes of odd values: many members or items, and texts for which careless patterns take for ever. */
const WIDE: Readonly<Record<string, unknown>> = {
  "100000-members": Object.fromEntries(
    Array.from({ length: 100_000 }, (_, index) => [`member${index}`, index]),
  ),
  "300000-items": Array(300_000).fill("item"),
  "a-name-of-1-mb": { ["x".repeat(MB)]: 1 },
  "a-text-of-3-mb": "x".repeat(3 * MB),
  backslashes: "\\".repeat(MB),
  "escaped-quotes": '\\"'.repeat(500_000),
  quotes: '"'.repeat(MB),
  "names-of-security-codes": "cvv".repeat(MB),
  "security-codes": 'cvv":'.repeat(500_000),
  digits: "4".repeat(3 * MB),
  "digits-and-spaces": "4 ".repeat(MB),
  "digits-and-dashes": "4-".repeat(MB),
  "at-signs": "a@".repeat(MB),
  "mail-domains": `a@${"a.".repeat(MB)}`,
  bearers: "Bearer ".repeat(400_000),
  "percent-signs": "%25".repeat(MB),
  ampersands: "&amp;".repeat(600_000),
  "multipart-lines": '--x\r\nname="a"\r\n'.repeat(150_000),
  "equals-signs": "a=".repeat(MB),
  spaces: " ".repeat(3 * MB),
  "line-breaks": "\n".repeat(MB),
  "stack-traces": "    at x (/a/b.js:1:1)\n".repeat(100_000),
  slashes: "/a".repeat(MB),
  "angle-brackets": "<".repeat(3 * MB),
  "live-keys": "sk_test_".repeat(400_000),
};

/** Headers that are larger than usual. */
const headersOf = (count: number, size: number) =>
  answer({
    more: Array.from({ length: count }, (_, index) => [`X-Filler-${index}`, "x".repeat(size)] as const),
  });
const HEADERS = {
  "of-20-kb": headersOf(20, 1000),
  "one-of-100-kb": headersOf(1, 100_000),
  "a-thousand": headersOf(1000, 10),
};

const ofReads = {
  victim: "every",
  when: ({ status, path }: Passing) => status === 200 && !path.includes("create"),
} as const;

/** Too much of something: bytes, levels, members, time. */
export const FLOODS: readonly Attack[] = [
  ...attacks("bomb", BOMBS, (damage) => ({ damage, ...SURVIVED })),
  {
    name: "bomb/every-answer",
    ...ofReads,
    damage: bomb((bytes) => gzipSync(bytes), "gzip"),
    exit: [1, 3, 4],
  },
  { name: "coding/gzip-20-times", damage: codedTimes(20), exit: [0, 1] },
  {
    name: "coding/gzip-declared-10000-times",
    damage: answer({ headers: { "Content-Encoding": Array(10_000).fill("gzip").join(",") } }),
    ...SURVIVED,
  },
  ...attacks("endless", ENDLESS, (damage) => ({ damage, ...SURVIVED })),
  ...attacks("slow", SLOW, (damage) => ({ damage, ...SURVIVED })),
  {
    name: "slow/every-answer-after-a-second",
    victim: "every",
    damage: (passing, connection) => void setTimeout(() => connection.end(bytesOf({}, passing)), 1000),
    ...PASSED,
  },
  ...attacks("deep", DEEP, (body) => ({ damage: answer({ body }), ...SURVIVED })),
  {
    name: "deep/every-answer",
    ...ofReads,
    damage: answer({ body: inData(deep("[", "]", 10_000)) }),
    exit: [1, 3],
  },
  { name: "deep/arrays-100-deep", damage: answer({ body: inData(deep("[", "]", 100)) }), ...PASSED },
  // Megabytes of odd values are no violation.
  ...attacks("wide", WIDE, (odd) => ({
    damage: answer({ body: json((body) => ({ ...body, odd })) }),
    ...PASSED,
  })),
  ...attacks("headers", HEADERS, (damage) => ({ victim: "every", damage, ...PASSED })),
  { name: "headers/of-2-mb", damage: headersOf(200, 10_000), ...SURVIVED },
];
