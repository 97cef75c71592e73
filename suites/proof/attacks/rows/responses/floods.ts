import { brotliCompressSync, constants, deflateSync, gzipSync } from "node:zlib";
import { answer, bytesOf, endless, flood, json, silence, slowly } from "../../answers.ts";
import { type Attack, PASSED } from "../../attack.ts";
import type { Damage, Passing } from "../../hostile-target.ts";

const MB = 1024 * 1024;
const SPACES = Buffer.alloc(MB, " ");

/** Neither a hang nor a crash: the check of the victim decides or does not, and the others pass. */
const SURVIVED = {
  exit: [1, 4],
  verdicts: { "getDispute/accepted": ["fail", "inconclusive"] },
} as const;

/** Made once, and only if an attack needs it: 50 MB of spaces, compressed. */
const bomb = (encode: (bytes: Buffer) => Buffer) => {
  let made: Buffer | undefined;
  return () => {
    made ??= encode(Buffer.alloc(50 * MB, " "));
    return made;
  };
};

const BOMBS: Readonly<Record<string, Damage>> = {
  gzip: answer({ body: bomb((bytes) => gzipSync(bytes)), headers: { "Content-Encoding": "gzip" } }),
  deflate: answer({ body: bomb((bytes) => deflateSync(bytes)), headers: { "Content-Encoding": "deflate" } }),
  br: answer({
    body: bomb((bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })),
    headers: { "Content-Encoding": "br" },
  }),
  "gzip-in-gzip": answer({
    body: bomb((bytes) => gzipSync(gzipSync(bytes))),
    headers: { "Content-Encoding": "gzip, gzip" },
  }),
  "gzip-without-a-label": answer({ body: bomb((bytes) => gzipSync(bytes)) }),
};

/** A body that is declared to be coded so many times, and is. */
const codedTimes =
  (times: number): Damage =>
  (passing, connection) => {
    let body = passing.body;
    for (let index = 0; index < times; index += 1) body = gzipSync(body);
    answer({ body, headers: { "Content-Encoding": Array(times).fill("gzip").join(", ") } })(
      passing,
      connection,
    );
  };

const ENDLESS: Readonly<Record<string, Damage>> = {
  "body-with-length": endless({ headers: { "Content-Length": String(100_000 * MB) } }, SPACES),
  "body-without-length": endless({ headers: { "Content-Length": null } }, SPACES),
  chunks: endless(
    { headers: { "Content-Length": null, "Transfer-Encoding": "chunked" } },
    Buffer.from(`10000\r\n${" ".repeat(0x1_0000)}\r\n`),
  ),
  "chunk-extension": endless(
    {
      headers: { "Content-Length": null, "Transfer-Encoding": "chunked" },
      raw: Buffer.from("5;"),
    },
    Buffer.alloc(MB, "x"),
  ),
  headers: (_, connection) => {
    connection.write("HTTP/1.1 200 OK\r\n");
    flood(connection, Buffer.from(`X-More: ${"x".repeat(1000)}\r\n`));
  },
  "header-value": (_, connection) => {
    connection.write("HTTP/1.1 200 OK\r\nX-Long: ");
    flood(connection, Buffer.alloc(MB, "x"));
  },
  "status-line": (_, connection) => {
    connection.write("HTTP/1.1 200 ");
    flood(connection, Buffer.alloc(MB, "x"));
  },
  "interim-answers": (_, connection) => flood(connection, Buffer.from("HTTP/1.1 102 Processing\r\n\r\n")),
  continues: (_, connection) => flood(connection, Buffer.from("HTTP/1.1 100 Continue\r\n\r\n")),
  "early-hints": (_, connection) =>
    flood(connection, Buffer.from(`HTTP/1.1 103 Early Hints\r\nLink: <${"x".repeat(1000)}>\r\n\r\n`)),
};

const SLOW: Readonly<Record<string, Damage>> = {
  silence,
  "headers-of-one-byte-a-second": slowly(1, 1000),
  "body-of-one-byte-a-second": (passing, connection) => {
    const head = bytesOf({ raw: Buffer.alloc(0) }, passing);
    connection.write(head);
    const pour = (place: number) => {
      if (connection.destroyed) return;
      connection.write(passing.body.subarray(place, place + 1));
      setTimeout(pour, 1000, place + 1);
    };
    pour(0);
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

/** So many members or items, and texts for which careless patterns take for ever. */
const WIDE: Readonly<Record<string, (body: Buffer) => string>> = {
  "100000-members": json((body) => ({
    ...body,
    odd: Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`member${index}`, index])),
  })),
  "300000-items": json((body) => ({ ...body, odd: Array.from({ length: 300_000 }, () => "item") })),
  "a-text-of-3-mb": json((body) => ({ ...body, odd: "x".repeat(3 * MB) })),
  "a-name-of-1-mb": json((body) => ({ ...body, ["x".repeat(MB)]: 1 })),
  backslashes: json((body) => ({ ...body, odd: "\\".repeat(MB) })),
  "escaped-quotes": json((body) => ({ ...body, odd: '\\"'.repeat(500_000) })),
  quotes: json((body) => ({ ...body, odd: '"'.repeat(MB) })),
  "names-of-security-codes": json((body) => ({ ...body, odd: "cvv".repeat(MB) })),
  "security-codes": json((body) => ({ ...body, odd: 'cvv":'.repeat(500_000) })),
  digits: json((body) => ({ ...body, odd: "4".repeat(3 * MB) })),
  "digits-and-spaces": json((body) => ({ ...body, odd: "4 ".repeat(MB) })),
  "digits-and-dashes": json((body) => ({ ...body, odd: "4-".repeat(MB) })),
  "at-signs": json((body) => ({ ...body, odd: "a@".repeat(MB) })),
  "mail-domains": json((body) => ({ ...body, odd: `a@${"a.".repeat(MB)}` })),
  bearers: json((body) => ({ ...body, odd: "Bearer ".repeat(400_000) })),
  "percent-signs": json((body) => ({ ...body, odd: "%25".repeat(MB) })),
  ampersands: json((body) => ({ ...body, odd: "&amp;".repeat(600_000) })),
  "multipart-lines": json((body) => ({ ...body, odd: '--x\r\nname="a"\r\n'.repeat(150_000) })),
  "equals-signs": json((body) => ({ ...body, odd: "a=".repeat(MB) })),
  spaces: json((body) => ({ ...body, odd: " ".repeat(3 * MB) })),
  "line-breaks": json((body) => ({ ...body, odd: "\n".repeat(MB) })),
  "stack-traces": json((body) => ({ ...body, odd: "    at x (/a/b.js:1:1)\n".repeat(100_000) })),
  slashes: json((body) => ({ ...body, odd: "/a".repeat(MB) })),
  "angle-brackets": json((body) => ({ ...body, odd: "<".repeat(3 * MB) })),
  "live-keys": json((body) => ({ ...body, odd: "sk_test_".repeat(400_000) })),
};

/** Headers that are larger than usual. */
const headersOf = (count: number, size: number) =>
  answer({
    more: Array.from({ length: count }, (_, index) => [`X-Filler-${index}`, "x".repeat(size)] as const),
  });

const isRead = ({ status, path }: Passing) => status === 200 && !path.includes("create");

/** Too much of something: bytes, levels, members, time. */
export const FLOODS: readonly Attack[] = [
  ...Object.entries(BOMBS).map(
    ([name, damage]): Attack => ({
      name: `bomb/${name}`,
      area: 3,
      ...(name === "gzip" && { fast: true }),
      damage,
      ...SURVIVED,
    }),
  ),
  {
    name: "bomb/every-answer",
    area: 3,
    victim: "every",
    when: isRead,
    damage: BOMBS.gzip as Damage,
    exit: [1, 3, 4],
  },
  { name: "coding/gzip-20-times", area: 3, damage: codedTimes(20), exit: [0, 1] },
  {
    name: "coding/gzip-declared-10000-times",
    area: 3,
    damage: answer({ headers: { "Content-Encoding": Array(10_000).fill("gzip").join(",") } }),
    ...SURVIVED,
  },
  ...Object.entries(ENDLESS).map(
    ([name, damage]): Attack => ({
      name: `endless/${name}`,
      area: 3,
      damage,
      ...SURVIVED,
    }),
  ),
  ...Object.entries(SLOW).map(
    ([name, damage]): Attack => ({ name: `slow/${name}`, area: 3, damage, ...SURVIVED }),
  ),
  {
    name: "slow/every-answer-after-a-second",
    area: 4,
    victim: "every",
    damage: (passing, connection) => {
      setTimeout(() => connection.end(bytesOf({}, passing)), 1000);
    },
    ...PASSED,
  },
  ...Object.entries(DEEP).map(
    ([name, body]): Attack => ({
      name: `deep/${name}`,
      area: 3,
      ...(name === "arrays-10000-deep" && { fast: true }),
      damage: answer({ body }),
      ...SURVIVED,
    }),
  ),
  {
    name: "deep/every-answer",
    area: 3,
    victim: "every",
    when: isRead,
    damage: answer({ body: inData(deep("[", "]", 10_000)) }),
    exit: [1, 3],
  },
  { name: "deep/arrays-100-deep", area: 4, damage: answer({ body: inData(deep("[", "]", 100)) }), ...PASSED },
  ...Object.entries(WIDE).map(
    ([name, body]): Attack => ({
      name: `wide/${name}`,
      area: 3,
      damage: answer({ body }),
      // Megabytes of odd text are no violation.
      exit: [0],
      verdicts: { "getDispute/accepted": ["pass"] },
    }),
  ),
  { name: "headers/of-20-kb", area: 4, victim: "every", damage: headersOf(20, 1000), ...PASSED },
  { name: "headers/one-of-100-kb", area: 4, victim: "every", damage: headersOf(1, 100_000), ...PASSED },
  { name: "headers/a-thousand", area: 4, victim: "every", damage: headersOf(1000, 10), ...PASSED },
  { name: "headers/of-2-mb", area: 3, damage: headersOf(200, 10_000), ...SURVIVED },
];
