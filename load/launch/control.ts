import type { Client } from "../../fixtures/http/client.ts";
import { excerpt, outcomeOf } from "../../fixtures/http/wording.ts";
import type { Redactor } from "../../fixtures/redaction/redaction.ts";
import { CommandError } from "../../reports/text/command.ts";
import type { Outcome } from "../k6/outcome.ts";
import type { References } from "../k6/reference.ts";
import type { Entry } from "../reconcile/journal.ts";
import type { Reservations } from "./reservations.ts";

/**
 * Sends the control: one transfer that shows how the list shows a payout. Ends the run with a {@link CommandError} (3)
 * if the API does not accept it, because a load of rejected transfers proves nothing.
 */
export async function sendControl(
  client: Client,
  redactor: Redactor,
  reservations: Reservations,
  { control: reference }: References,
): Promise<Entry> {
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
  if (answer.isSuccess) return entryWith("accepted");
  reservations.settle([entryWith(answer.carriedOut === "no" ? "business-refused" : "unknown")]);
  reservations.close();
  throw new CommandError(3, [
    `the API did not accept the one transfer that precedes the load: it ${outcomeOf(answer)} (${excerpt(answer, redactor)}). Check BANK_CODE, ACCOUNT_NUMBER, ACCOUNT_NAME and TRANSFER_AMOUNT; no load was sent`,
  ]);
}
