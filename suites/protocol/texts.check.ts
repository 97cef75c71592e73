import { judgeAnswered } from "../../fixtures/answered.ts";
import type { Bench } from "../../fixtures/bench.ts";
import { isStatus5xx } from "../../fixtures/classify.ts";
import { lacking } from "../../fixtures/findings.ts";
import { check } from "../../fixtures/test.ts";
import { outcomeOf, violation } from "../../fixtures/wording.ts";
import { contract, type OperationId } from "../../schemas/contract.ts";
import { needWrites, stakeOf } from "./ordinary.ts";

/** A field of each operation that takes any text. */
const FREE_TEXT: readonly (readonly [id: OperationId, part: "query" | "body", field: string])[] = [
  ["createQrTransaction", "body", "message"],
  ["createCardTransaction", "body", "message"],
  ["createNddTransaction", "body", "message"],
  ["createTransfer", "body", "transferNote"],
  ["createPaymentPage", "body", "pageDescription"],
  ["createDiscountCode", "body", "code"],
  ["updateSubscription", "body", "planName"],
  ["checkCustomLink", "body", "customLink"],
  ["listTransfers", "query", "transferReference"],
  ["listRecipients", "query", "searchRecipientAccountName"],
  ["listCustomers", "query", "search"],
  ["listDiscountCodes", "query", "code"],
  ["listPageProducts", "query", "searchProduct"],
];

const AWKWARD = `Ọláìtán Ñ "quoted" 'single' <b>&amp;</b> ;-- %00 \\`;
/** Longer than a text column of most databases. */
const LONG = 64 * 1024;

for (const [id, part, field] of FREE_TEXT) {
  const send = async (bench: Bench, text: string, what: string) => {
    needWrites(bench, id);
    needExpendable(bench, id);
    const answer = await bench.send(id, { [part]: { [field]: text } });
    judgeAnswered(answer);
    if (isStatus5xx(answer) || answer.failure)
      throw violation(answer, `${outcomeOf(answer)} to ${what} in ${field}`, "no breakdown");
  };

  check(`${id}/http/awkward-text`, { level: "SHOULD", source: "practice", ...stakeOf(id) }, (bench) =>
    send(bench, `${AWKWARD} ${bench.run.builder.fresh()}`, "quotes and letters beyond ASCII"),
  );

  // A query of this length is refused by many servers for its length alone.
  if (part === "query") continue;
  check(`${id}/http/long-text`, { level: "SHOULD", source: "N43", ...stakeOf(id), probe: true }, (bench) => {
    return send(bench, `${bench.run.builder.fresh()} `.padEnd(LONG, "a"), "64 kB of text");
  });
}

/** A subscription keeps what is written into it. */
function needExpendable(bench: Bench, id: OperationId) {
  if (contract[id].effect === "update" && bench.values.SUBSCRIPTION_EXPENDABLE !== true)
    throw lacking(["SUBSCRIPTION_EXPENDABLE"]);
}
