import { answer, cutAt, json } from "../answers.ts";
import type { Attack } from "../attack.ts";
import { type Damage, type Passing, TRAP } from "../hostile-target.ts";

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
