import { gzipSync } from "node:zlib";
import { type Attack, attacks } from "../attack.ts";
import { bomb, cutAt, endless, json, MB, respond, silence } from "../damages.ts";
import { type Damage, type Passing, TRAP } from "../hostile-target.ts";
import { ENCODINGS, echoed } from "./texts.ts";

const REFUSAL = '{"status":"error","message":"invalid"}';
const withId = (change: (id: unknown) => unknown) =>
  respond({ body: json((body) => ({ ...body, transactionId: change(body.transactionId) })) });

/** What a target does after it has paid; without all of the responses, the load is not green. */
const AFTERWARDS: Readonly<Record<string, Damage>> = {
  "paid-and-then-it-returns-nothing": respond({ body: "" }),
  "paid-and-then-it-says-400": respond({ status: 400, body: REFUSAL }),
  "paid-and-then-it-says-500": respond({ status: 500, body: "" }),
  "paid-and-then-it-cuts-the-answer": cutAt(20),
  "paid-and-then-it-redirects-with-307": respond({ status: 307, headers: { Location: TRAP } }),
  "paid-and-then-it-returns-another-coding": respond({ headers: { "Content-Encoding": "gzip" } }),
};

/** What a target may do to the generator and to the reports of a load, whatever its verdict. */
const ODDITIES: Readonly<Record<string, Damage>> = {
  "echoes-secrets-plain": echoed(ENCODINGS.plain),
  "echoes-secrets-base64": echoed(ENCODINGS.base64),
  "returns-deep-json": respond({
    body: (body) => body.toString().replace("{", `{"odd":${"[".repeat(5000)}${"]".repeat(5000)},`),
  }),
  "returns-identifiers-of-a-megabyte": withId((id) => `${id}${"x".repeat(MB)}`),
  "returns-identifiers-that-are-commands": withId(
    (id) => `\u202e##vso[task.complete]\u009b31m ::error::x =1+1 ${id}`,
  ),
  "returns-a-status-line-of-commands": respond({ line: "HTTP/1.1 2x0 ::error::\u001b[31mPASSED" }),
  "returns-lines-of-its-log": withId(() => '\n["end"]\n["exception",1]\n'),
};

/** What becomes of the transfer list once the load is over and its transfers are looked up. */
const LISTS: Readonly<Record<string, Damage>> = {
  "is-empty": respond({ body: '{"status":"success","message":"ok","data":[]}' }),
  "is-deep": respond({ body: `{"data":${"[".repeat(50_000)}${"]".repeat(50_000)}}` }),
  "is-a-bomb": bomb((bytes) => gzipSync(bytes), "gzip"),
  "is-endless": endless({ headers: { "Content-Length": null } }, Buffer.alloc(MB, " ")),
  "is-cut": cutAt(-20),
  "is-silent": silence,
  "has-moved": respond({ status: 302, headers: { Location: TRAP } }),
  "is-broken": respond({ status: 500, body: "" }),
  "is-busy": respond({ status: 429, body: "", headers: { "Retry-After": "99999" } }),
  "rejects-the-key": respond({ status: 401, body: "{}" }),
  "has-300000-items": respond({ body: JSON.stringify({ data: Array(300_000).fill("item") }) }),
};

/** Lists that show more than was asked for, and may still show all that they must. */
const WIDE_LISTS: Readonly<Record<string, Damage>> = {
  "has-3-mb-in-an-item": respond({ body: json((body) => ({ ...body, odd: ["x".repeat(3 * MB)] })) }),
  "repeats-everything-a-thousand-times": respond({
    body: (body) => `{"data":[${Array(1000).fill(body.toString()).join(",")}]}`,
  }),
};

const SHORT = {
  command: "load",
  args: ["transfers", "--profile", "smoke"],
  variables: { RATE: "20", DURATION: "1s" },
} as const;
const PAYING = {
  ...SHORT,
  victim: "createTransfer",
  // One transfer precedes the load, and the preflight asks where transfers are; both go well.
  when: ({ status, count }: Passing) => (status === 200 || status === 201) && count > 4,
} as const;
const LOOKED_UP = {
  ...SHORT,
  victim: "listTransfers",
  when: ({ status, sent }: Passing) => status === 200 && /-reconcile-\d/.test(sent),
  variables: { ...SHORT.variables, REQUEST_TIMEOUT_MS: "1000" },
} as const;

/** What is done to a load, and to the requests after it that look up what it paid. */
export const LOADS: readonly Attack[] = [
  ...attacks("load", AFTERWARDS, (damage) => ({ ...PAYING, damage, exit: [1, 4] })),
  ...attacks("load", ODDITIES, (damage) => ({ ...PAYING, damage, exit: [0, 1, 4] })),
  ...attacks("load-list", LISTS, (damage) => ({ ...LOOKED_UP, damage, exit: [1, 4] })),
  ...attacks("load-list", WIDE_LISTS, (damage) => ({ ...LOOKED_UP, damage, exit: [0, 1, 4] })),
  {
    name: "load/one-of-two-instances-refuses-the-key",
    ...SHORT,
    victim: "listCustomers",
    when: ({ status, count }) => status === 200 && count > 4 && count % 2 === 0,
    damage: respond({ status: 401, body: REFUSAL }),
    args: ["readers", "--profile", "smoke"],
    exit: [1],
    says: /\d+ rejected keys \(default limit: at most 1 %\)/,
  },
  {
    name: "load/first-transfer-is-rejected-and-paid",
    ...SHORT,
    victim: "createTransfer",
    damage: respond({ status: 400, body: REFUSAL }),
    exit: [3],
    says: /it counts as paid in the ledger/,
  },
  {
    name: "load/breakpoint-is-killed",
    command: "load",
    victim: "createTransfer",
    args: ["breakpoint", "transfers"],
    variables: { RATE: "40", DURATION: "10s", REQUEST_TIMEOUT_MS: "1000", MAX_PAYOUTS: "2000" },
    killedAfter: 4000,
    exit: [0, 1, 3, 4],
    seconds: 300,
  },
];
