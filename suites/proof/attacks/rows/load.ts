import { answer, cutAt, json } from "../answers.ts";
import type { Attack } from "../attack.ts";
import { type Damage, type Passing, TRAP } from "../hostile-target.ts";
import { ENCODINGS, secretsIn } from "./secrets.ts";

const SMOKE = ["transfers", "--profile", "smoke"];
const SHORT = { RATE: "20", DURATION: "1s" };

const REFUSAL = '{"status":"error","message":"invalid"}';

const AFTERWARDS: Readonly<Record<string, Damage>> = {
  "returns-nothing": answer({ body: "" }),
  "says-400": answer({ status: 400, body: REFUSAL }),
  "says-500": answer({ status: 500, body: "" }),
  "cuts-the-answer": cutAt(20),
  "redirects-with-307": answer({ status: 307, headers: { Location: TRAP } }),
  "returns-another-coding": answer({ headers: { "Content-Encoding": "gzip" } }),
  "returns-deep-json": answer({
    body: (body) => body.toString().replace("{", `{"odd":${"[".repeat(5000)}${"]".repeat(5000)},`),
  }),
  "returns-an-escape-sequence": answer({
    body: json((body) => ({ ...body, transactionId: `\u001b[31m\n::error::x${body.transactionId}` })),
  }),
};

/** Shows what was sent in every member that a report may quote, and in the name of one. */
const echoing =
  (encode: (text: string) => string): Damage =>
  (passing, connection) => {
    const shown = secretsIn(passing).map(encode).join(" ");
    const change = json((body) => ({
      ...body,
      message: `you sent ${shown}`,
      transactionId: body.transactionId && `${body.transactionId}${shown}`,
      [shown]: shown,
    }));
    answer({ body: change })(passing, connection);
  };

const ECHOES = ["plain", "url-encoded-in-full", "base64", "on-lines"];

/** What a target may do to the generator and to the reports of a load. */
const ODDITIES: Readonly<Record<string, Damage>> = {
  ...Object.fromEntries(
    ECHOES.map((name) => [`echoes-secrets-${name}`, echoing(ENCODINGS[name] ?? String)] as const),
  ),
  "returns-identifiers-of-a-megabyte": answer({
    body: json((body) => ({ ...body, transactionId: `${body.transactionId}${"x".repeat(1024 * 1024)}` })),
  }),
  "returns-identifiers-that-are-commands": answer({
    body: json((body) => ({
      ...body,
      transactionId: `\u202e##vso[task.complete]\u009b31m ::error::x =1+1 ${body.transactionId}`,
    })),
  }),
  "returns-a-status-line-of-commands": answer({ line: "HTTP/1.1 2x0 ::error::\u001b[31mPASSED" }),
  "returns-identifiers-that-are-objects": answer({
    body: json((body) => ({ ...body, transactionId: { id: body.transactionId } })),
  }),
  "returns-lines-of-its-log": answer({
    body: json((body) => ({ ...body, transactionId: '\n["end"]\n["exception",1]\n' })),
  }),
};

/** One transfer precedes the load, and the preflight asks where transfers are; both go well. */
const isPaid = ({ status, count }: Passing) => (status === 200 || status === 201) && count > 4;

/** What is done to a load run, which pays too. */
export const LOAD: readonly Attack[] = [
  ...Object.entries(AFTERWARDS).map(
    ([name, damage]): Attack => ({
      name: `load/paid-and-then-it-${name}`,
      area: name === "returns-an-escape-sequence" ? 5 : 2,
      command: "load",
      victim: "createTransfer",
      when: isPaid,
      damage,
      args: SMOKE,
      variables: SHORT,
      // The last two are odd, and conformant.
      exit: /deep|escape/.test(name) ? [0, 1, 4] : [1, 4],
      seconds: 120,
    }),
  ),
  ...Object.entries(ODDITIES).map(
    ([name, damage]): Attack => ({
      name: `load/${name}`,
      area: name.startsWith("echoes") ? 5 : 3,
      command: "load",
      victim: "createTransfer",
      when: isPaid,
      damage,
      args: SMOKE,
      variables: SHORT,
      exit: [0, 1, 4],
      seconds: 120,
    }),
  ),
  {
    name: "load/one-of-two-instances-refuses-the-key",
    area: 1,
    command: "load",
    victim: "listCustomers",
    when: ({ status, count }) => status === 200 && count > 4 && count % 2 === 0,
    damage: answer({ status: 401, body: REFUSAL }),
    args: ["readers", "--profile", "smoke"],
    variables: SHORT,
    exit: [4],
    says: /got no usable response \(\d+ auth-error\)/,
  },
  {
    name: "load/first-transfer-is-rejected-and-paid",
    area: 2,
    command: "load",
    victim: "createTransfer",
    damage: answer({ status: 400, body: REFUSAL }),
    args: SMOKE,
    variables: SHORT,
    exit: [3],
    says: /it counts as paid in the ledger/,
  },
];
