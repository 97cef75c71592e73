import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { type Attack, attacks, PASSED, SURVIVED } from "../attack.ts";
import { bomb, bytesOf, endless, flood, json, MB, respond, slowly } from "../damages.ts";
import type { Damage, Passing } from "../hostile-target.ts";

const BOMBS: Readonly<Record<string, Damage>> = {
  gzip: bomb((bytes) => gzipSync(bytes), "gzip"),
  br: bomb((bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }), "br"),
  "gzip-in-gzip": bomb((bytes) => gzipSync(gzipSync(bytes)), "gzip, gzip"),
};

const CHUNKED = { "Content-Length": null, "Transfer-Encoding": "chunked" };

const ENDLESS: Readonly<Record<string, Damage>> = {
  "body-with-length": endless({ headers: { "Content-Length": String(100_000 * MB) } }, Buffer.alloc(MB, " ")),
  "body-without-length": endless({ headers: { "Content-Length": null } }, Buffer.alloc(MB, " ")),
  chunks: endless({ headers: CHUNKED }, Buffer.from(`10000\r\n${" ".repeat(0x1_0000)}\r\n`)),
  "chunk-extension": endless({ headers: CHUNKED, raw: Buffer.from("5;") }, Buffer.alloc(MB, "x")),
  "status-line": (_, connection) => {
    connection.write("HTTP/1.1 200 ");
    flood(connection, Buffer.alloc(MB, "x"));
  },
};

const SLOW: Readonly<Record<string, Damage>> = {
  "headers-of-one-byte-a-second": slowly(1, 1000),
  "no-end-of-the-body": (passing, connection) =>
    void connection.write(bytesOf({ headers: { "Content-Length": "100000" } }, passing)),
};

const deep = (open: string, close: string, levels: number) => open.repeat(levels) + close.repeat(levels);
const inData = (value: string) => (body: Buffer) =>
  body.toString().replace('"data":', `"odd":${value},"data":`);

const DEEP: Readonly<Record<string, (body: Buffer) => string>> = {
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
  "security-codes": 'cvv":'.repeat(500_000),
  digits: "4".repeat(3 * MB),
  "digits-and-dashes": "4-".repeat(MB),
  "at-signs": "a@".repeat(MB),
  "equals-signs": "a=".repeat(MB),
  "line-breaks": "\n".repeat(MB),
  "stack-traces": "    at x (/a/b.js:1:1)\n".repeat(100_000),
  slashes: "/a".repeat(MB),
  "angle-brackets": "<".repeat(3 * MB),
};

/** Headers that are larger than usual. */
const headersOf = (count: number, size: number) =>
  respond({
    more: Array.from({ length: count }, (_, index) => [`X-Filler-${index}`, "x".repeat(size)] as const),
  });
const HEADERS = {
  "of-20-kb": headersOf(20, 1000),
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
  {
    name: "coding/gzip-20-times",
    damage: respond({
      body: (body) => {
        let coded = body;
        for (let times = 0; times < 20; times += 1) coded = gzipSync(coded);
        return coded;
      },
      headers: { "Content-Encoding": Array(20).fill("gzip").join(", ") },
    }),
    exit: [0, 1],
  },
  {
    name: "coding/gzip-declared-10000-times",
    damage: respond({ headers: { "Content-Encoding": Array(10_000).fill("gzip").join(",") } }),
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
  ...attacks("deep", DEEP, (body) => ({ damage: respond({ body }), ...SURVIVED })),
  {
    name: "deep/every-answer",
    ...ofReads,
    damage: respond({ body: inData(deep("[", "]", 10_000)) }),
    exit: [1, 3],
  },
  { name: "deep/arrays-100-deep", damage: respond({ body: inData(deep("[", "]", 100)) }), ...PASSED },
  // Megabytes of odd values are no violation.
  ...attacks("wide", WIDE, (odd) => ({
    damage: respond({ body: json((body) => ({ ...body, odd })) }),
    ...PASSED,
  })),
  ...attacks("headers", HEADERS, (damage) => ({ victim: "every", damage, ...PASSED })),
  { name: "headers/of-2-mb", damage: headersOf(200, 10_000), ...SURVIVED },
];
