import { answer, json } from "../answers.ts";
import type { Attack } from "../attack.ts";
import type { Passing } from "../hostile-target.ts";

const base64 = (text: string) => Buffer.from(text).toString("base64");
const each = (text: string, write: (letter: string) => string) => [...text].map(write).join("");
const hex = (letter: string) => letter.charCodeAt(0).toString(16).padStart(2, "0");

/** How a target may write what it was sent. */
export const ENCODINGS: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  "in-capitals": (text) => text.toUpperCase(),
  "url-encoded": encodeURIComponent,
  "url-encoded-twice": (text) => encodeURIComponent(encodeURIComponent(text)),
  "url-encoded-in-full": (text) => each(text, (letter) => `%${hex(letter)}`),
  "html-entities": (text) => each(text, (letter) => `&#${letter.charCodeAt(0)};`),
  "html-entities-in-hex": (text) => each(text, (letter) => `&#x${hex(letter)};`),
  "unicode-escapes": (text) => each(text, (letter) => `\\u00${hex(letter)}`),
  "json-in-json": (text) => JSON.stringify(JSON.stringify({ text })),
  base64,
  "base64-of-url": (text) => Buffer.from(text).toString("base64url"),
  spaced: (text) => each(text, (letter) => `${letter} `),
  "on-lines": (text) => text.replaceAll(/(.{8})/g, "$1\n"),
};

/** The secrets in a request: the key, and the data of cards and accounts. */
export const secretsIn = ({ sent }: Passing): string[] => {
  const found = [
    /Bearer ([\w-]+)/.exec(sent)?.[1],
    /"accountNumber":\s*"(\d+)"/.exec(sent)?.[1],
    /"emailAddress":\s*"([^"]+)"/.exec(sent)?.[1],
    /"number":\s*"(\d+)"/i.exec(sent)?.[1],
  ];
  return found.filter((secret) => secret !== undefined);
};

/** Where a target may put it. */
const PLACES: Readonly<Record<string, (secret: string) => Attack["damage"]>> = {
  "in-a-member": (secret) => answer({ body: json((body) => ({ ...body, odd: secret })) }),
  "in-a-name": (secret) => answer({ body: json((body) => ({ ...body, [secret]: 1 })) }),
  "in-the-message": (secret) => answer({ body: json((body) => ({ ...body, message: secret })) }),
  "in-the-identifier": (secret) =>
    answer({ body: json((body) => ({ ...body, transactionId: `${body.transactionId}${secret}` })) }),
  "in-the-wrong-type": (secret) => answer({ body: json((body) => ({ ...body, status: [secret] })) }),
  "in-a-page": (secret) => answer({ headers: { "Content-Type": "text/html" }, body: `<html>${secret}` }),
  "in-broken-json": (secret) => answer({ body: (body) => `${body.toString()}${secret}` }),
  "in-a-header": (secret) => answer({ more: [["X-Odd", header(secret)]] }),
  "in-a-header-name": (secret) => answer({ more: [[`X-${secret.replaceAll(/[^\w-]/g, "")}`, "1"]] }),
  "in-the-reason-phrase": (secret) => answer({ line: `HTTP/1.1 200 ${header(secret)}` }),
  "in-a-cookie": (secret) => answer({ more: [["Set-Cookie", `id=${header(secret)}; Path=/`]] }),
  "in-the-media-type": (secret) =>
    answer({ headers: { "Content-Type": `application/json; x=${header(secret)}` } }),
  "in-a-redirect": (secret) => answer({ status: 302, headers: { Location: `/x?key=${header(secret)}` } }),
};

/** What of a text a header can carry. */
const header = (text: string) => text.replaceAll(/[^ -~]/g, "");

const SELECT =
  "createTransfer/accepted,createTransfer/answers/no-secrets,getDispute/accepted,getDispute/answers/success-shape,createCardTransaction/accepted";
/** Whatever the verdicts: no secret may be shown. */
const EXITS = [0, 1, 3, 4];

const anything = (name: string, fast: boolean, damage: NonNullable<Attack["damage"]>): Attack => ({
  name,
  area: 5,
  ...(fast && { fast }),
  victim: "every",
  when: ({ status, operation }) => status !== 401 && /create|getDispute/.test(operation ?? ""),
  damage,
  select: SELECT,
  exit: EXITS,
});

/** Targets that show what they were sent. */
export const SECRETS: readonly Attack[] = [
  ...Object.entries(ENCODINGS).map(([name, encode]) =>
    anything(`echo/${name}`, false, (passing, connection) => {
      const shown = secretsIn(passing).map(encode).join(" ");
      const change = json((body) => ({
        ...body,
        message: `you sent ${shown}`,
        transactionId: body.transactionId && `${body.transactionId}${shown}`,
        odd: { shown, [shown]: encode(passing.sent.slice(0, 2000)) },
      }));
      answer({ body: change, more: [["X-Odd", header(shown)]] })(passing, connection);
    }),
  ),
  ...Object.entries(PLACES).map(([name, put]) =>
    anything(`echo/${name}`, name === "in-the-identifier", (passing, connection) =>
      put(secretsIn(passing).join(" "))?.(passing, connection),
    ),
  ),
];
