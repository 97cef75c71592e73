import type { Answer } from "../../fixtures/http/answer.ts";
import type { Client } from "../../fixtures/http/client.ts";
import { excerpt, outcomeOf } from "../../fixtures/http/wording.ts";
import type { Redactor } from "../../fixtures/redaction/redaction.ts";
import { CommandError } from "../../reports/text/command.ts";
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
  const entry = entryOf(answer, reference);
  if (answer.isSuccess) return entry;
  reservations.settle([entry]);
  reservations.close();
  throw new CommandError(3, [
    `the API did not accept the one transfer that precedes the load: it ${outcomeOf(answer)} (${excerpt(answer, redactor)}). Check BANK_CODE, ACCOUNT_NUMBER, ACCOUNT_NAME and TRANSFER_AMOUNT; no load was sent`,
  ]);
}

/** The entry of a transfer that this process sent, not k6. */
export function entryOf(answer: Answer, reference: string): Entry {
  const identifier = answer.field("transactionId");
  const refused = answer.carriedOut === "no" ? "business-refused" : "unknown";
  return {
    operation: "createTransfer",
    reference,
    outcome: answer.isSuccess ? "accepted" : refused,
    status: answer.status ?? 0,
    identifier: typeof identifier === "string" ? identifier : null,
  };
}
