import { gzipSync } from "node:zlib";
import { type Attack, attacks, type Expected, FAILED, PASSED, SURVIVED } from "../attack.ts";
import { chunk, cutAt, json, respond, slowly } from "../damages.ts";
import { type Damage, TRAP } from "../hostile-target.ts";

type Change = (body: Buffer) => string | Buffer;
const text =
  (change: (body: string) => string): Change =>
  (body) =>
    change(body.toString());
const first = (from: string | RegExp, to: string) => text((body) => body.replace(from, to));
const withBytes =
  (bytes: string): Change =>
  (body) =>
    Buffer.concat([body.subarray(0, -1), Buffer.from(`,"x":"${bytes}"}`, "latin1")]);
const withMember = (name: string, value: unknown) => json((body) => ({ ...body, [name]: value }));
const renamed = (rename: (name: string) => string) =>
  json((body) => Object.fromEntries(Object.entries(body).map(([name, value]) => [rename(name), value])));

/** Bodies that a careless reader would take for the documented one. */
const WRONG_BODIES: Readonly<Record<string, Change>> = {
  "in-a-text": text((body) => JSON.stringify(body)),
  twice: text((body) => body + body),
  "utf-16-little-endian": (body) => Buffer.from(`\ufeff${body.toString()}`, "utf16le"),
  "overlong-utf-8": withBytes("\xc0\xaf"),
  "surrogates-in-utf-8": withBytes("\xed\xa0\x80"),
  "nul-in-a-text": first('"message":"', '"message":"\0'),
  "data-in-a-prototype": text((body) => `{"status":"success","message":"ok","__proto__":${body}}`),
  "names-in-capitals": renamed((name) => name.toUpperCase()),
  "names-with-a-space": renamed((name) => `${name} `),
};

/** Odd bodies that are the documented one. */
const RIGHT_BODIES: Readonly<Record<string, Change>> = {
  "lone-surrogate-escaped": withMember("odd", "\ud800"),
  "nul-escaped": withMember("odd", "\0"),
  "number-beyond-double": first("{", '{"odd":1e999,'),
  "number-of-a-thousand-digits": first("{", `{"odd":${"9".repeat(1000)},`),
  "name-empty": withMember("", 1),
  "name-of-the-prototype": first("{", '{"__proto__":{"status":1},"constructor":null,'),
  "escaped-names": first('"status"', '"\\u0073tatus"'),
};

/** Content codings that are declared and not used, or used and not declared. */
const WRONG_CODINGS: Readonly<Record<string, Damage>> = {
  "gzip-undeclared": respond({ body: (body) => gzipSync(body) }),
  "gzip-header-twice-over-gzip-once": respond({
    body: (body) => gzipSync(body),
    more: Array(2).fill(["Content-Encoding", "gzip"]),
  }),
  "gzip-as-transfer-coding-over-plain-json": respond(({ body }) => ({
    headers: { "Content-Length": null, "Transfer-Encoding": "gzip, chunked" },
    raw: Buffer.from(`${chunk(body.toString())}0\r\n\r\n`),
  })),
};

/** The body in chunks that this function writes. */
const chunked = (
  write: (body: string) => string,
  headers: Readonly<Record<string, string | null>> = {},
): Damage =>
  respond(({ body }) => ({
    headers: { "Content-Length": null, "Transfer-Encoding": "chunked", ...headers },
    raw: Buffer.from(write(body.toString())),
  }));
const withHeaders = (headers: Readonly<Record<string, string | null>>) => respond({ headers });

const BROKEN_FRAMING: Readonly<Record<string, Damage>> = {
  "chunk-size-too-small": chunked((body) => `5\r\n${body}\r\n0\r\n\r\n`),
  "chunk-size-too-large": chunked((body) => `ffff\r\n${body}\r\n0\r\n\r\n`),
  "no-last-chunk": chunked((body) => chunk(body)),
  "chunks-and-length": chunked((body) => `${chunk(body)}0\r\n\r\n`, { "Content-Length": "5" }),
  "transfer-coding-unknown": withHeaders({ "Transfer-Encoding": "xchunked", "Content-Length": null }),
  "length-too-small": withHeaders({ "Content-Length": "20" }),
  "length-zero": withHeaders({ "Content-Length": "0" }),
  "status-line-missing": (passing, connection) => connection.end(passing.body),
  "header-with-nul": respond({ more: [["X-Odd", "a\0b"]] }),
  "answer-of-tls": (_, connection) => connection.end(Buffer.from([0x15, 3, 1, 0, 2, 2, 70])),
};

const LEGAL_FRAMING: Readonly<Record<string, Damage>> = {
  "one-byte-at-a-time": slowly(1, 0),
  "chunk-extensions": chunked((body) => `${chunk(body, ';name="value"')}0;last\r\n\r\n`),
  "chunk-size-with-zeros": chunked((body) => `0000${chunk(body)}000\r\n\r\n`),
  trailers: chunked((body) => `${chunk(body)}0\r\nX-Checksum: 1\r\nX-Other: 2\r\n\r\n`),
  "header-values-in-latin-1": respond({ more: [["X-Name", "Z\u00fcrich"]] }),
  "header-empty": respond({ more: [["X-Empty", ""]] }),
};

/** How far into a response its connection is reset. */
const CUTS = Object.fromEntries(
  [0, 13, 200, -200, -1].map((place) => [
    `reset-${place < 0 ? `${-place}-bytes-before-the-end` : `after-${place}-bytes`}`,
    cutAt(place),
  ]),
);

/** Statuses that are none, and those of responses without a body. */
const STATUSES: Readonly<Record<string, Expected>> = {
  204: SURVIVED,
  205: SURVIVED,
  304: SURVIVED,
  600: FAILED,
  999: FAILED,
};

/** Where a redirect leads, which the client never follows. */
const REDIRECTS: Readonly<Record<string, string>> = {
  "with-302": TRAP,
  "to-itself": "?",
  "to-a-file": "file:///etc/passwd",
  "to-a-very-long-place": `${TRAP}?${"a".repeat(60_000)}`,
};

/** Responses that lie in body, coding, framing or status, and odd ones that do not. */
export const RESPONSES: readonly Attack[] = [
  ...attacks("body", WRONG_BODIES, (body) => ({ damage: respond({ body }), ...FAILED })),
  ...attacks("body", RIGHT_BODIES, (body) => ({ damage: respond({ body }), ...PASSED })),
  ...attacks("coding", WRONG_CODINGS, (damage) => ({ damage, ...FAILED })),
  ...attacks("framing", BROKEN_FRAMING, (damage) => ({ damage, ...FAILED })),
  ...attacks("framing", LEGAL_FRAMING, (damage) => ({ victim: "every", damage, ...PASSED })),
  ...attacks("framing", CUTS, (damage) => ({ damage, ...SURVIVED })),
  ...attacks("status", STATUSES, (expected, status) => ({
    damage: respond({ status: Number(status) }),
    ...expected,
    exit: [1, 4],
  })),
  ...attacks("redirect", REDIRECTS, (Location) => ({
    damage: respond({ status: 302, headers: { Location } }),
    ...FAILED,
  })),
  {
    name: "status/101-switching-protocols",
    damage: (passing, connection) => {
      // It stays open, as after a real switch.
      connection.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n");
      connection.write(passing.body);
    },
    ...SURVIVED,
  },
];
