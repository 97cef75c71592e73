import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { answer, chunk, cutAt, json, slowly } from "../answers.ts";
import { type Attack, attacks, FAILED, PASSED, SURVIVED } from "../attack.ts";
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
const without = (name: string) =>
  json((body) => Object.fromEntries(Object.entries(body).filter(([other]) => other !== name)));
const renamed = (rename: (name: string) => string) =>
  json((body) => Object.fromEntries(Object.entries(body).map(([name, value]) => [rename(name), value])));

/** Bodies that are not the documented one, or not JSON at all. */
const WRONG_BODIES: Readonly<Record<string, Change>> = {
  empty: () => "",
  "white-space": () => " \r\n\t ",
  null: () => "null",
  true: () => "true",
  "a-text": () => '"ok"',
  "a-number": () => "0",
  "an-empty-array": () => "[]",
  "an-empty-object": () => "{}",
  "in-an-array": text((body) => `[${body}]`),
  "in-an-object": text((body) => `{"result":${body}}`),
  "in-a-text": text((body) => JSON.stringify(body)),
  "in-base64": (body) => body.toString("base64"),
  "not-a-number": first("{", '{"amount":NaN,'),
  infinity: first("{", '{"amount":-Infinity,'),
  "hexadecimal-number": first("{", '{"amount":0x10,'),
  "leading-zero": first("{", '{"amount":010,'),
  "trailing-comma": first(/\}$/, ",}"),
  "single-quotes": text((body) => body.replaceAll('"', "'")),
  "names-without-quotes": text((body) => body.replace(/"(\w+)":/g, "$1:")),
  comment: text((body) => `/* ok */${body}`),
  "text-before": text((body) => `ok${body}`),
  "text-after": text((body) => `${body}<!-- 12 ms -->`),
  twice: text((body) => body + body),
  "twice-on-lines": text((body) => `${body}\n${body}\n`),
  padded: text((body) => `callback(${body})`),
  guarded: text((body) => `)]}',\n${body}`),
  "without-its-end": (body) => body.subarray(0, -1),
  "without-its-beginning": (body) => body.subarray(1),
  xml: () => "<status>success</status>",
  html: () => "<html><body>Welcome</body></html>",
  form: () => "status=success&message=ok",
  yaml: () => "status: success\nmessage: ok\n",
  "utf-16-little-endian": (body) => Buffer.from(`\ufeff${body.toString()}`, "utf16le"),
  "utf-16-big-endian": (body) => Buffer.from(`\ufeff${body.toString()}`, "utf16le").swap16(),
  "invalid-utf-8": withBytes("\xff\xfe"),
  "overlong-utf-8": withBytes("\xc0\xaf"),
  "surrogates-in-utf-8": withBytes("\xed\xa0\x80"),
  "nul-before": text((body) => `\0${body}`),
  "nul-in-a-text": first('"message":"', '"message":"\0'),
  "control-character-in-a-text": first('"message":"', '"message":"\x1b[31m'),
  "line-break-in-a-text": first('"message":"', '"message":"\n'),
  "data-in-a-prototype": text((body) => `{"status":"success","message":"ok","__proto__":${body}}`),
  "status-missing": without("status"),
  "message-missing": without("message"),
  "data-missing": without("data"),
  "data-null": withMember("data", null),
  "data-a-text": withMember("data", "ok"),
  "data-true": withMember("data", true),
  "status-true": withMember("status", true),
  "status-a-number": withMember("status", 200),
  "message-null": withMember("message", null),
  "message-an-object": withMember("message", { en: "ok" }),
  "names-in-capitals": renamed((name) => name.toUpperCase()),
  "names-with-a-space": renamed((name) => `${name} `),
};

/** Odd bodies that are the documented one. */
const RIGHT_BODIES: Readonly<Record<string, Change>> = {
  "white-space-around": text((body) => `\r\n\t ${body} \n`),
  "lone-surrogate-escaped": withMember("odd", "\ud800"),
  "nul-escaped": withMember("odd", "\0"),
  "number-beyond-double": first("{", '{"odd":1e999,'),
  "number-of-a-thousand-digits": first("{", `{"odd":${"9".repeat(1000)},`),
  "name-empty": withMember("", 1),
  "name-of-the-prototype": first("{", '{"__proto__":{"status":1},"constructor":null,'),
  "escaped-names": first('"status"', '"\\u0073tatus"'),
};

const ENCODERS = {
  gzip: gzipSync,
  deflate: deflateSync,
  "deflate-raw": deflateRawSync,
  br: brotliCompressSync,
};
const codingOf = (encoder: string) => ({ "Content-Encoding": encoder.replace("-raw", "") });
const DECLARED = "gzip x-gzip GZIP deflate br zstd compress gzip,br identity,gzip snappy utf-8".split(" ");

/** Content codings that are declared and not used, or used and not declared. */
const WRONG_CODINGS: Readonly<Record<string, Damage>> = {
  ...Object.fromEntries(
    DECLARED.map((coding) => [
      `${coding === coding.toLowerCase() ? "" : "capital-"}${coding.toLowerCase()}-over-plain-json`,
      answer({ headers: { "Content-Encoding": coding } }),
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(ENCODERS).flatMap(([name, encode]) => [
      [`${name}-undeclared`, answer({ body: (body) => encode(body) })],
      [`${name}-cut`, answer({ body: (body) => encode(body).subarray(0, -10), headers: codingOf(name) })],
    ]),
  ),
  "gzip-header-twice-over-gzip-once": answer({
    body: (body) => gzipSync(body),
    more: Array(2).fill(["Content-Encoding", "gzip"]),
  }),
  "gzip-of-other-bytes": answer({ body: () => gzipSync("no JSON"), headers: codingOf("gzip") }),
  "gzip-as-transfer-coding-over-plain-json": (passing, connection) =>
    answer({
      headers: { "Content-Length": null, "Transfer-Encoding": "gzip, chunked" },
      raw: Buffer.from(`${chunk(passing.body.toString())}0\r\n\r\n`),
    })(passing, connection),
};

const RIGHT_CODINGS: Readonly<Record<string, Damage>> = {
  ...Object.fromEntries(
    Object.entries(ENCODERS).map(([name, encode]) => [
      `${name}-declared`,
      answer({ body: (body) => encode(body), headers: codingOf(name) }),
    ]),
  ),
  identity: answer({ headers: codingOf("identity") }),
};

/** The body in chunks that this function writes. */
const chunked =
  (write: (body: string) => string, headers: Readonly<Record<string, string | null>> = {}): Damage =>
  (passing, connection) =>
    answer({
      headers: { "Content-Length": null, "Transfer-Encoding": "chunked", ...headers },
      raw: Buffer.from(write(passing.body.toString())),
    })(passing, connection);
const withHeaders = (headers: Readonly<Record<string, string | null>>) => answer({ headers });

const BROKEN_FRAMING: Readonly<Record<string, Damage>> = {
  "chunks-that-are-none": chunked((body) => body),
  "chunk-size-of-letters": chunked((body) => `zz\r\n${body}\r\n0\r\n\r\n`),
  "chunk-size-negative": chunked((body) => `-5\r\n${body}\r\n0\r\n\r\n`),
  "chunk-size-beyond-64-bits": chunked((body) => `ffffffffffffffffff\r\n${body}\r\n0\r\n\r\n`),
  "chunk-size-too-small": chunked((body) => `5\r\n${body}\r\n0\r\n\r\n`),
  "chunk-size-too-large": chunked((body) => `ffff\r\n${body}\r\n0\r\n\r\n`),
  "no-last-chunk": chunked((body) => chunk(body)),
  "chunks-and-length": chunked((body) => `${chunk(body)}0\r\n\r\n`, { "Content-Length": "5" }),
  "transfer-coding-unknown": withHeaders({ "Transfer-Encoding": "xchunked", "Content-Length": null }),
  "length-too-large": withHeaders({ "Content-Length": "99999" }),
  "length-too-small": withHeaders({ "Content-Length": "20" }),
  "length-zero": withHeaders({ "Content-Length": "0" }),
  "length-negative": withHeaders({ "Content-Length": "-1" }),
  "length-of-letters": withHeaders({ "Content-Length": "many" }),
  "length-beyond-64-bits": withHeaders({ "Content-Length": "99999999999999999999" }),
  "lengths-that-differ": answer({ more: [["Content-Length", "7"]] }),
  "status-line-missing": (passing, connection) => connection.end(passing.body),
  "status-line-of-http-0.9": answer({ line: "OK" }),
  "status-line-of-another-protocol": answer({ line: "ICY 200 OK" }),
  "status-line-of-http-3": answer({ line: "HTTP/3.0 200 OK" }),
  "status-line-in-small-letters": answer({ line: "http/1.1 200 OK" }),
  "status-of-two-digits": answer({ line: "HTTP/1.1 20 OK" }),
  "status-of-four-digits": answer({ line: "HTTP/1.1 2000 OK" }),
  "header-without-colon": answer({ line: "HTTP/1.1 200 OK\r\nnonsense" }),
  "header-with-space-before-colon": answer({ line: "HTTP/1.1 200 OK\r\nX-Odd : 1" }),
  "header-with-nul": answer({ more: [["X-Odd", "a\0b"]] }),
  "header-name-empty": answer({ more: [["", "1"]] }),
  "garbage-before": answer({ before: "\x16\x03\x01garbage\r\n" }),
  "answer-of-tls": (_, connection) => connection.end(Buffer.from([0x15, 3, 1, 0, 2, 2, 70])),
};

const LEGAL_FRAMING: Readonly<Record<string, Damage>> = {
  "one-byte-at-a-time": slowly(1, 0),
  "chunks-of-one-byte": chunked((body) => `${[...body].map((letter) => chunk(letter)).join("")}0\r\n\r\n`),
  "chunk-extensions": chunked((body) => `${chunk(body, ';name="value"')}0;last\r\n\r\n`),
  "chunk-size-with-zeros": chunked((body) => `0000${chunk(body)}000\r\n\r\n`),
  trailers: chunked((body) => `${chunk(body)}0\r\nX-Checksum: 1\r\nX-Other: 2\r\n\r\n`),
  "end-of-connection-ends-the-body": withHeaders({ "Content-Length": null }),
  "no-reason-phrase": answer({ line: "HTTP/1.1 200 " }),
  "http-1.0": answer({ line: "HTTP/1.0 200 OK", headers: { "Content-Length": null } }),
  "headers-in-capitals": answer({ more: [["X-CAPITALS", "1"]] }),
  "header-values-in-latin-1": answer({ more: [["X-Name", "Z\u00fcrich"]] }),
  "header-empty": answer({ more: [["X-Empty", ""]] }),
  "same-header-a-hundred-times": answer({
    more: Array.from({ length: 100 }, (_, index) => ["Set-Cookie", `c${index}=1`] as const),
  }),
};

/** How far into a response its connection is reset. */
const CUTS = Object.fromEntries(
  [0, 1, 8, 12, 13, 40, 200, -200, -100, -20, -2, -1].map((place) => [
    `reset-${place < 0 ? `${-place}-bytes-before-the-end` : `after-${place}-bytes`}`,
    cutAt(place),
  ]),
);

const statuses = (list: readonly number[]) => Object.fromEntries(list.map((status) => [status, status]));
/** Statuses that are no success of a read, around the body of one. */
const WRONG_STATUSES = statuses([201, 202, 203, 206, 226, 299, 500, 501, 505, 599, 600, 999]);
/** Those whose body may not be there, and a 4xx, which may be about the operator's data. */
const OPEN_STATUSES = statuses([204, 205, 304, 418]);

const REDIRECTS: Readonly<Record<string, Damage>> = {
  ...Object.fromEntries(
    [300, 301, 302, 303, 307, 308].map((status) => [status, answer({ status, headers: { Location: TRAP } })]),
  ),
  ...Object.fromEntries(
    Object.entries({
      itself: "?",
      "a-file": "file:///etc/passwd",
      "another-scheme": "javascript:alert(1)",
      nowhere: "",
      "a-very-long-place": `${TRAP}?${"a".repeat(60_000)}`,
    }).map(([name, Location]) => [`to-${name}`, answer({ status: 302, headers: { Location } })]),
  ),
};

/** What every response of a deployment is replaced by, its preflight included. */
const EVERYWHERE = { victim: "every", when: () => true, exit: [3] } as const;

/** Responses that lie in body, coding, framing or status, and odd ones that do not. */
export const RESPONSES: readonly Attack[] = [
  ...attacks("body", WRONG_BODIES, (body) => ({ damage: answer({ body }), ...FAILED })),
  ...attacks("body", RIGHT_BODIES, (body) => ({ damage: answer({ body }), ...PASSED })),
  ...attacks("coding", WRONG_CODINGS, (damage) => ({ damage, ...FAILED })),
  ...attacks("coding", RIGHT_CODINGS, (damage) => ({ damage, ...PASSED })),
  ...attacks("framing", BROKEN_FRAMING, (damage) => ({ damage, ...FAILED })),
  ...attacks("framing", LEGAL_FRAMING, (damage) => ({ victim: "every", damage, ...PASSED })),
  ...attacks("framing", CUTS, (damage) => ({ damage, ...SURVIVED })),
  ...attacks("status", WRONG_STATUSES, (status) => ({ damage: answer({ status }), ...FAILED, exit: [1, 4] })),
  ...attacks("status", OPEN_STATUSES, (status) => ({ damage: answer({ status }), ...SURVIVED })),
  ...attacks("redirect", REDIRECTS, (damage) => ({ damage, ...FAILED })),
  {
    name: "status/101-switching-protocols",
    damage: (passing, connection) => {
      // It stays open, as after a real switch.
      connection.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n");
      connection.write(passing.body);
    },
    ...SURVIVED,
  },
  {
    name: "redirect/every-answer",
    ...EVERYWHERE,
    damage: answer({ status: 302, headers: { Location: `${TRAP}/login` }, body: "" }),
  },
  {
    name: "login-page/every-answer",
    ...EVERYWHERE,
    damage: answer({
      status: 200,
      headers: { "Content-Type": "text/html" },
      body: "<!doctype html><title>Log in</title><form action=/login>",
    }),
    says: /login page/,
  },
];
