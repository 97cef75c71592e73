import { answer, json } from "../../answers.ts";
import { type Attack, FAILED, PASSED } from "../../attack.ts";

type Change = (body: Buffer) => string | Buffer;
const text =
  (change: (body: string) => string): Change =>
  (body) =>
    change(body.toString());

/** Bodies that are not the documented one, or not JSON at all. */
const WRONG: Readonly<Record<string, Change>> = {
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
  "not-a-number": text((body) => body.replace("{", '{"amount":NaN,')),
  infinity: text((body) => body.replace("{", '{"amount":-Infinity,')),
  "hexadecimal-number": text((body) => body.replace("{", '{"amount":0x10,')),
  "leading-zero": text((body) => body.replace("{", '{"amount":010,')),
  "trailing-comma": text((body) => body.replace(/\}$/, ",}")),
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
  "invalid-utf-8": (body) => Buffer.concat([body.subarray(0, -1), Buffer.from(',"x":"\xff\xfe"}', "latin1")]),
  "overlong-utf-8": (body) =>
    Buffer.concat([body.subarray(0, -1), Buffer.from(',"x":"\xc0\xaf"}', "latin1")]),
  "surrogates-in-utf-8": (body) =>
    Buffer.concat([body.subarray(0, -1), Buffer.from(',"x":"\xed\xa0\x80"}', "latin1")]),
  "nul-before": text((body) => `\0${body}`),
  "nul-in-a-text": text((body) => body.replace('"message":"', '"message":"\0')),
  "control-character-in-a-text": text((body) => body.replace('"message":"', '"message":"\x1b[31m')),
  "line-break-in-a-text": text((body) => body.replace('"message":"', '"message":"\n')),
  "data-in-a-prototype": text((body) => `{"status":"success","message":"ok","__proto__":${body}}`),
  "status-missing": json(({ status: _, ...rest }) => rest),
  "message-missing": json(({ message: _, ...rest }) => rest),
  "data-missing": json(({ data: _, ...rest }) => rest),
  "data-null": json((body) => ({ ...body, data: null })),
  "data-a-text": json((body) => ({ ...body, data: "ok" })),
  "data-true": json((body) => ({ ...body, data: true })),
  "status-true": json((body) => ({ ...body, status: true })),
  "status-a-number": json((body) => ({ ...body, status: 200 })),
  "message-null": json((body) => ({ ...body, message: null })),
  "message-an-object": json((body) => ({ ...body, message: { en: "ok" } })),
  "names-in-capitals": json((body) =>
    Object.fromEntries(Object.entries(body).map(([name, value]) => [name.toUpperCase(), value])),
  ),
  "names-with-a-space": json((body) =>
    Object.fromEntries(Object.entries(body).map(([name, value]) => [`${name} `, value])),
  ),
};

/** Odd bodies that are the documented one. */
const RIGHT: Readonly<Record<string, Change>> = {
  "white-space-around": text((body) => `\r\n\t ${body} \n`),
  "lone-surrogate-escaped": json((body) => ({ ...body, odd: "\ud800" })),
  "nul-escaped": json((body) => ({ ...body, odd: "\0" })),
  "number-beyond-double": text((body) => body.replace("{", '{"odd":1e999,')),
  "number-of-a-thousand-digits": text((body) => body.replace("{", `{"odd":${"9".repeat(1000)},`)),
  "name-empty": json((body) => ({ ...body, "": 1 })),
  "name-of-the-prototype": text((body) => body.replace("{", '{"__proto__":{"status":1},"constructor":null,')),
  "escaped-names": text((body) => body.replace('"status"', '"\\u0073tatus"')),
};

/** Answers whose body lies. */
export const BODIES: readonly Attack[] = [
  ...Object.entries(WRONG).map(
    ([name, body]): Attack => ({
      name: `body/${name}`,
      area: 1,
      ...(name === "data-in-a-prototype" && { fast: true }),
      damage: answer({ body }),
      ...FAILED,
    }),
  ),
  ...Object.entries(RIGHT).map(
    ([name, body]): Attack => ({ name: `body/${name}`, area: 4, damage: answer({ body }), ...PASSED }),
  ),
];
