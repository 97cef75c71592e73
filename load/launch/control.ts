import { CommandError } from "../../fixtures/config/command-line.ts";
import type { Redactor } from "../../fixtures/config/redaction.ts";
import type { Client } from "../../fixtures/http/client.ts";
import { excerpt, outcomeOf } from "../../fixtures/http/wording.ts";
import { controlReference } from "../k6/reference.ts";
import type { Entry } from "../reconcile/journal.ts";

/**
 * Sends the one transfer that shows what a payout looks like in the list. A load of refused requests would prove
 * nothing, so whatever is not accepted ends the run.
 */
export async function sendControl(
  client: Client,
  redactor: Redactor,
): Promise<{ entry: Entry; refusal?: CommandError }> {
  const reference = controlReference(client.builder.runId);
  const draft = client.builder.build("createTransfer", { body: { transferReference: reference } });
  const answer = await client.send("createTransfer", draft, "control");
  const identifier = answer.field("transactionId");
  const entry = (outcome: Entry["outcome"]): Entry => ({
    operation: "createTransfer",
    reference,
    outcome,
    status: answer.status ?? 0,
    identifier: typeof identifier === "string" ? identifier : null,
  });
  if (answer.isSuccess) return { entry: entry("accepted") };
  return {
    entry: entry(answer.carriedOut === "no" ? "business-refused" : "unknown"),
    refusal: new CommandError(3, [
      `one transfer sent before the load was not accepted: it ${outcomeOf(answer)} (${excerpt(answer, redactor)}). Check BANK_CODE, ACCOUNT_NUMBER, ACCOUNT_NAME and TRANSFER_AMOUNT; no load was sent`,
    ]),
  };
}
