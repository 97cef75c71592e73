import { sha256 } from "../../../../reports/digest.ts";
import { type Attack, attacks } from "../attack.ts";
import { cutAt, respond, silence } from "../damages.ts";
import { type Damage, type Passing, TRAP } from "../hostile-target.ts";

const error = (status: number, message: string) =>
  respond({ status, body: JSON.stringify({ status: "error", message }) });
const empty = (status: number, headers: Readonly<Record<string, string>> = {}) =>
  respond({ status, body: "", headers });

/** What a target does after it has paid. */
const AFTERWARDS: Readonly<Record<string, Damage>> = {
  "and-then-it-resets-the-connection": cutAt(0),
  "and-then-it-cuts-the-answer-in-its-head": cutAt(20),
  "and-then-it-says-nothing": silence,
  "and-then-it-switches-protocols": (_, connection) =>
    void connection.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n"),
  "and-then-it-returns-nothing": empty(200),
  "and-then-it-returns-a-page": respond({
    headers: { "Content-Type": "text/html" },
    body: "<!doctype html>ok",
  }),
  "and-then-it-redirects-with-307": respond({ status: 307, headers: { Location: TRAP } }),
  "and-then-it-says-400": error(400, "invalid"),
  "and-then-it-says-401": error(401, "invalid"),
  "and-then-it-says-409": error(409, "duplicate"),
  "and-then-it-says-429": empty(429, { "Retry-After": "0" }),
  "and-then-it-says-500": empty(500),
  "and-then-it-says-503": empty(503, { "Retry-After": "0" }),
};

const isPaid = ({ status }: Passing) => status === 200 || status === 201;

/** A run that pays within these caps. */
const PAYING = {
  victim: "createTransfer",
  when: isPaid,
  select:
    "createTransfer/accepted,createTransfer/idempotency/*,createTransfer/refused-is-not-listed,createTransfer/amount/*,listTransfers/accepted",
  variables: {
    MAX_PAYOUTS: "40",
    MAX_PAYOUT_TOTAL: "1000000",
    PROBE_WRITES: "false",
    REQUEST_TIMEOUT_MS: "500",
  },
} as const;

const AT = "2026-01-01T00:00:00.000Z";
const OPEN = `{"type":"open","run":"aaaaaaaa","pid":1,"at":"${AT}"}`;
const RESERVED = `{"type":"reserve","run":"aaaaaaaa","n":1,"operation":"createTransfer","amount":100,"reference":"r","at":"${AT}"}`;

/** Moments to kill a command, in milliseconds after its first payment: the same in every run. */
const moments = (command: string, longestMs: number) =>
  Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => {
      const number = Number.parseInt(sha256(`${command} ${index + 1}`).slice(0, 8), 16);
      return [`${command}-${index + 1}`, number % longestMs];
    }),
  );

/** Payments that are lost, rejected afterwards, repeated or cut short: all that is paid is in the ledger, within the caps. */
export const MONEY: readonly Attack[] = [
  ...attacks("paid", AFTERWARDS, (damage) => ({ ...PAYING, damage, exit: [1, 4] })),
  {
    name: "paid/and-then-every-second-answer-is-lost",
    ...PAYING,
    when: (passing) => isPaid(passing) && passing.count % 2 === 0,
    damage: cutAt(0),
    exit: [0, 1, 4],
  },
  {
    name: "paid/and-rejected-where-no-check-looks",
    ...PAYING,
    damage: respond({ status: 400, body: '{"status":"error","message":"invalid","errors":{}}' }),
    select: "createTransfer/bankCode/missing,createTransfer/accountNumber/type,listTransfers/accepted",
    // Without a response in time, nothing is known to be rejected.
    variables: { ...PAYING.variables, REQUEST_TIMEOUT_MS: "5000" },
    exit: [1],
    verdicts: { "createTransfer/rejections/leave-nothing": ["fail"] },
  },
  {
    name: "paid/one-more-than-the-cap",
    victim: "createTransfer",
    select: "createTransfer/*",
    variables: { ...PAYING.variables, MAX_PAYOUTS: "3" },
    exit: [3],
    says: /MAX_PAYOUTS/,
  },
  {
    name: "ledger/of-a-run-that-was-killed",
    select: "createTransfer/accepted",
    variables: { TARGET_NAME: "t", MAX_PAYOUTS: "1", PROBE_WRITES: "false" },
    files: { "reports/ledger/t.jsonl": `${OPEN}\n${RESERVED}\n` },
    exit: [4],
    verdicts: { "createTransfer/accepted": ["not-tested", "inconclusive"] },
  },
  ...attacks("kill", moments("certify", 4000), (killedAfter) => ({
    victim: "createTransfer",
    killedAfter,
    select: "createTransfer/*,listTransfers/accepted",
    // What the killed run left open is counted, so that some checks may have no budget.
    exit: [0, 1, 4],
  })),
  ...attacks("kill", moments("load", 3000), (killedAfter) => ({
    command: "load",
    killedAfter,
    args: ["transfers", "--profile", "smoke"],
    variables: { RATE: "20", DURATION: "3s" },
    exit: [0, 4],
  })),
];
