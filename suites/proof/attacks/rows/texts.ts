import { type Attack, attacks } from "../attack.ts";
import { type Changes, json, respond } from "../damages.ts";
import type { Damage, Passing } from "../hostile-target.ts";

/** Texts that a reader of reports, logs or tables would obey. */
const PAYLOADS: Readonly<Record<string, string>> = {
  "escape-sequence": "\u001b[2J\u001b[31mPASSED\u001b[0m",
  "carriage-return": "FAILED\rPASSED",
  "github-error": "\n::error::everything is fine",
  "azure-command": "text ##vso[task.complete result=Succeeded]",
  "formula-after-a-line": "a\"\r\n=cmd|' /C calc'!A0",
  script: "<script>alert(1)</script>",
  "attribute-of-html": '" onmouseover="alert(1)" x="',
  "link-of-markdown": "[click](javascript:alert(1))",
  "code-of-markdown": "``` <b>bold</b> ```",
  "table-of-markdown": "a|b|c\n-|-|-",
  "end-of-cdata": "]]></system-out><script>",
  "non-character": "a\ufffe\uffffb",
  "lone-surrogate": "a\ud800b",
  "right-to-left": "\u202egnp.exe\u2066x\u2069",
  "look-up-of-log4j": ["$", "{jndi:ldap://127.0.0.1/x}"].join(""),
  "shell-substitution": "$(touch pwned) `touch pwned` '; touch pwned; '",
};

/** Puts a text into everything that reports show: messages, identifiers, names, headers, and a body that fails. */
function poisoned(payload: string): Damage {
  const inHeader = payload.replaceAll(/[^\t -~\u0080-\u00ff]/g, "");
  const change = json((body) => ({
    ...body,
    message: payload,
    ...(typeof body.transactionId === "string" && { transactionId: payload + body.transactionId }),
    ...(body.data !== undefined && { data: { [payload]: payload }, status: [payload] }),
    [payload]: [payload],
  }));
  return respond(({ status }) => ({
    body: change,
    more: [["X-Odd", inHeader]],
    line: `HTTP/1.1 ${status} ${inHeader}`,
  }));
}

/** How a target may write what it was sent. */
export const ENCODINGS = {
  plain: (text) => text,
  base64: (text) => Buffer.from(text).toString("base64"),
} satisfies Readonly<Record<string, (text: string) => string>>;

/** The secrets in a request, in one text: the key, and the data of cards and accounts. */
const secretsIn = ({ sent }: Passing): string =>
  [/Bearer ([\w-]+)/, /"accountNumber":\s*"(\d+)"/, /"emailAddress":\s*"([^"]+)"/, /"number":\s*"(\d+)"/i]
    .flatMap((pattern) => pattern.exec(sent)?.[1] ?? [])
    .join(" ");

/** What of a text a header can carry. */
const header = (text: string) => text.replaceAll(/[^ -~]/g, "");

/** Where a target may put it. */
const PLACES: Readonly<Record<string, (secret: string) => Changes>> = {
  "in-a-member": (secret) => ({ body: json((body) => ({ ...body, odd: secret })) }),
  "in-a-name": (secret) => ({ body: json((body) => ({ ...body, [secret]: 1 })) }),
  "in-the-message": (secret) => ({ body: json((body) => ({ ...body, message: secret })) }),
  "in-the-identifier": (secret) => ({
    body: json((body) => ({ ...body, transactionId: `${body.transactionId}${secret}` })),
  }),
  "in-the-wrong-type": (secret) => ({ body: json((body) => ({ ...body, status: [secret] })) }),
  "in-a-page": (secret) => ({ headers: { "Content-Type": "text/html" }, body: `<html>${secret}` }),
  "in-broken-json": (secret) => ({ body: (body) => `${body.toString()}${secret}` }),
  "in-a-header": (secret) => ({ more: [["X-Odd", header(secret)]] }),
  "in-a-header-name": (secret) => ({ more: [[`X-${secret.replaceAll(/[^\w-]/g, "")}`, "1"]] }),
  "in-the-reason-phrase": (secret) => ({ line: `HTTP/1.1 200 ${header(secret)}` }),
  "in-a-cookie": (secret) => ({ more: [["Set-Cookie", `id=${header(secret)}; Path=/`]] }),
  "in-the-media-type": (secret) => ({ headers: { "Content-Type": `application/json; x=${header(secret)}` } }),
  "in-a-redirect": (secret) => ({ status: 302, headers: { Location: `/x?key=${header(secret)}` } }),
};

/** Shows secrets in a message, an identifier, a name and a header, and the request itself. */
export const echoed = (encode: (text: string) => string) =>
  respond((passing) => {
    const shown = encode(secretsIn(passing));
    const body = json((members) => ({
      ...members,
      message: `you sent ${shown}`,
      transactionId: members.transactionId && `${members.transactionId}${shown}`,
      odd: { shown, [shown]: encode(passing.sent.slice(0, 2000)) },
    }));
    return { body, more: [["X-Odd", header(shown)]] };
  });

const echo = (damage: Damage): Omit<Attack, "name"> => ({
  victim: "every",
  when: ({ status, operation }) => status !== 401 && /create|getDispute/.test(operation ?? ""),
  damage,
  select:
    "createTransfer/accepted,createTransfer/answers/no-secrets,getDispute/accepted,getDispute/answers/success-shape,createCardTransaction/accepted",
  // Whatever the verdicts: no secret may be shown.
  exit: [0, 1, 3, 4],
});

/** Targets whose texts are commands for whatever shows them, or secrets that they were sent. */
export const TEXTS: readonly Attack[] = [
  ...attacks("payload", PAYLOADS, (payload) => ({
    victim: "every",
    when: ({ status, operation }) => status !== 401 && /createTransfer|getDispute/.test(operation ?? ""),
    damage: poisoned(payload),
    select: "createTransfer/accepted,getDispute/accepted,getDispute/record,getDispute/answers/error-codes",
    variables: { COLUMNS: "40" },
    payload,
    exit: [1],
  })),
  ...attacks("echo", ENCODINGS, (encode) => echo(echoed(encode))),
  ...attacks("echo", PLACES, (put) => echo(respond((passing) => put(secretsIn(passing))))),
];
