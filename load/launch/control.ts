import type { Redactor } from "../../fixtures/config/redaction.ts";
import type { Client } from "../../fixtures/http/client.ts";
import { excerpt, outcomeOf } from "../../fixtures/http/wording.ts";
import { CommandError } from "../../reports/text/command.ts";
import type { Outcome } from "../k6/outcome.ts";
import { controlReference } from "../k6/reference.ts";
import type { Entry } from "../reconcile/journal.ts";

/** The control transfer as the journal has it, and why the run ends if the API did not accept it. */
export interface Control {
  readonly entry: Entry;
  readonly problem?: CommandError;
}

/**
 * Sends the control: one transfer that shows how the list shows a payout. The run ends if the API does not accept it,
 * because a load of rejected transfers proves nothing.
 */
export async function sendControl(client: Client, redactor: Redactor): Promise<Control> {
  const reference = controlReference(client.builder.runId);
  const draft = client.builder.build("createTransfer", { body: { transferReference: reference } });
  const answer = await client.send("createTransfer", draft, "control");
  const identifier = answer.field("transactionId");
  const entryWith = (outcome: Outcome): Entry => ({
    operation: "createTransfer",
    reference,
    outcome,
    status: answer.status ?? 0,
    identifier: typeof identifier === "string" ? identifier : null,
  });
  if (answer.isSuccess) return { entry: entryWith("accepted") };
  return {
    entry: entryWith(answer.carriedOut === "no" ? "business-refused" : "unknown"),
    problem: new CommandError(3, [
      `the API did not accept the one transfer that precedes the load: it ${outcomeOf(answer)} (${excerpt(answer, redactor)}). Check BANK_CODE, ACCOUNT_NUMBER, ACCOUNT_NAME and TRANSFER_AMOUNT; no load was sent`,
    ]),
  };
}
