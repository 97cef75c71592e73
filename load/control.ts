import { effected, isSuccess } from "../fixtures/classify.ts";
import { Refusal } from "../fixtures/command-line.ts";
import type { Redactor } from "../fixtures/redaction.ts";
import { excerpt, outcomeOf } from "../fixtures/wording.ts";
import type { Client } from "./client.ts";
import type { Entry } from "./journal.ts";
import { controlReference } from "./k6/reference.ts";

/**
 * Sends the one transfer that shows what a payout looks like in the list. A load of refused requests would prove
 * nothing, so whatever is not accepted ends the run.
 */
export async function sendControl(
  client: Client,
  redactor: Redactor,
): Promise<{ entry: Entry; refusal?: Refusal }> {
  const reference = controlReference(client.runId);
  const answer = await client.send("createTransfer", { body: { transferReference: reference } });
  const identifier = answer.field("transactionId");
  const entry = (outcome: Entry["outcome"]): Entry => ({
    operation: "createTransfer",
    reference,
    outcome,
    status: answer.status ?? 0,
    identifier: typeof identifier === "string" ? identifier : null,
  });
  if (isSuccess(answer)) return { entry: entry("accepted") };
  return {
    entry: entry(effected(answer) === "refused" ? "business-refused" : "unknown"),
    refusal: new Refusal(3, [
      `one transfer sent before the load was not accepted: it ${outcomeOf(answer)} (${excerpt(answer, redactor)}). Check BANK_CODE, ACCOUNT_NUMBER, ACCOUNT_NAME and TRANSFER_AMOUNT; no load was sent`,
    ]),
  };
}
