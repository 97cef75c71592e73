import { answer, cutAt, silence } from "../answers.ts";
import type { Attack } from "../attack.ts";
import { type Damage, type Passing, TRAP } from "../hostile-target.ts";

/** What a target does after it has paid. */
const AFTERWARDS: Readonly<Record<string, Damage>> = {
  "resets-the-connection": cutAt(0),
  "cuts-the-answer-in-its-head": cutAt(20),
  "cuts-the-answer-in-its-body": cutAt(-5),
  "says-nothing": silence,
  "switches-protocols": (_, connection) =>
    void connection.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n"),
  "returns-nothing": answer({ body: "" }),
  "returns-a-page": answer({ headers: { "Content-Type": "text/html" }, body: "<!doctype html>ok" }),
  "redirects-with-307": answer({ status: 307, headers: { Location: TRAP } }),
  "redirects-with-308": answer({ status: 308, headers: { Location: TRAP } }),
  "says-400": answer({ status: 400, body: '{"status":"error","message":"invalid"}' }),
  "says-401": answer({ status: 401, body: '{"status":"error","message":"invalid"}' }),
  "says-409": answer({ status: 409, body: '{"status":"error","message":"duplicate"}' }),
  "says-429": answer({ status: 429, body: "", headers: { "Retry-After": "0" } }),
  "says-500": answer({ status: 500, body: "" }),
  "says-502": answer({ status: 502, body: "<html>bad gateway</html>" }),
  "says-503": answer({ status: 503, body: "", headers: { "Retry-After": "0" } }),
  "says-504": answer({ status: 504, body: "<html>timeout</html>" }),
};

const CAPS = {
  MAX_PAYOUTS: "40",
  MAX_PAYOUT_TOTAL: "1000000",
  PROBE_WRITES: "false",
  REQUEST_TIMEOUT_MS: "500",
};
const PAYING =
  "createTransfer/accepted,createTransfer/idempotency/*,createTransfer/refused-is-not-listed,createTransfer/amount/*,listTransfers/accepted";
const isPaid = ({ status }: Passing) => status === 200 || status === 201;

const AT = "2026-01-01T00:00:00.000Z";
const OPEN = `{"type":"open","run":"aaaaaaaa","pid":1,"at":"${AT}"}`;
const RESERVED = `{"type":"reserve","run":"aaaaaaaa","n":1,"operation":"createTransfer","amount":100,"reference":"r","at":"${AT}"}`;

/** Ledgers that something damaged: what earlier runs paid is not known then. */
const LEDGERS: Readonly<Record<string, string>> = {
  "null-line": `${OPEN}\nnull\n`,
  "empty-line": `${OPEN}\n\n${RESERVED}\n`,
  "line-cut": `${OPEN}\n${RESERVED.slice(0, 40)}\n`,
  "last-line-cut": `${OPEN}\n${RESERVED.slice(0, 40)}`,
  "last-line-without-its-break": `${OPEN}\n${RESERVED}`,
  "member-missing": `${OPEN}\n{"type":"reserve","run":"aaaaaaaa","n":1}\n`,
  "amount-a-text": `${OPEN}\n${RESERVED.replace("100", '"100"')}\n`,
  "amount-negative": `${OPEN}\n${RESERVED.replace("100", "-100")}\n`,
  "amount-beyond-double": `${OPEN}\n${RESERVED.replace("100", "1e999")}\n`,
  "number-in-the-middle": `${OPEN}\n400\n${RESERVED}\n`,
  "two-on-a-line": `${OPEN}${RESERVED}\n`,
  "nul-bytes": `${OPEN}\n${"\0".repeat(4096)}\n`,
  "only-nul-bytes": "\0".repeat(100),
  "byte-order-mark": `\ufeff${OPEN}\n`,
  "another-type": `${OPEN}\n{"type":"forget","run":"aaaaaaaa"}\n`,
  deep: `${OPEN}\n${"[".repeat(100_000)}\n`,
  html: "<html></html>\n",
};

/** Payments that are lost, refused afterwards or repeated: all that is paid stands in the ledger, within the caps. */
export const MONEY: readonly Attack[] = [
  ...Object.entries(AFTERWARDS).map(
    ([name, damage]): Attack => ({
      name: `paid/and-then-it-${name}`,
      area: 2,
      ...(name === "says-400" && { fast: true }),
      victim: "createTransfer",
      when: isPaid,
      damage,
      select: PAYING,
      variables: CAPS,
      exit: [1, 4],
      seconds: 120,
    }),
  ),
  {
    name: "paid/and-then-every-second-answer-is-lost",
    area: 2,
    victim: "createTransfer",
    when: (passing) => isPaid(passing) && passing.count % 2 === 0,
    damage: cutAt(0),
    select: PAYING,
    variables: CAPS,
    exit: [0, 1, 4],
    seconds: 120,
  },
  {
    name: "paid/and-rejected-where-no-check-looks",
    area: 2,
    victim: "createTransfer",
    when: isPaid,
    damage: answer({ status: 400, body: '{"status":"error","message":"invalid","errors":{}}' }),
    select: "createTransfer/bankCode/missing,createTransfer/accountNumber/type,listTransfers/accepted",
    // Without an answer in time, nothing is known to be rejected.
    variables: { ...CAPS, REQUEST_TIMEOUT_MS: "5000" },
    exit: [1],
    verdicts: { "createTransfer/rejections/leave-nothing": ["fail"] },
  },
  {
    name: "paid/one-more-than-the-cap",
    area: 2,
    victim: "createTransfer",
    select: "createTransfer/*",
    variables: { ...CAPS, MAX_PAYOUTS: "3" },
    exit: [3],
    says: /MAX_PAYOUTS/,
  },
  ...Object.entries(LEDGERS).map(
    ([name, content]): Attack => ({
      name: `ledger/${name}`,
      area: 2,
      ...(name === "null-line" && { fast: true }),
      select: "createTransfer/accepted",
      variables: { TARGET_NAME: "t" },
      files: { "reports/ledger/t.jsonl": content },
      exit: [3],
      says: /line \d+ of the ledger .* cannot be read/,
    }),
  ),
  {
    name: "ledger/of-a-run-that-was-killed",
    area: 2,
    select: "createTransfer/accepted",
    variables: { TARGET_NAME: "t", MAX_PAYOUTS: "1", PROBE_WRITES: "false" },
    files: { "reports/ledger/t.jsonl": `${OPEN}\n${RESERVED}\n` },
    exit: [4],
    verdicts: { "createTransfer/accepted": ["not-tested", "inconclusive"] },
  },
];
