import { setTimeout as delay } from "node:timers/promises";
import type { Answer } from "../../fixtures/engine/http/answer.ts";
import type { Client } from "../../fixtures/engine/http/client.ts";
import { excerpt, outcomeOf } from "../../fixtures/engine/http/wording.ts";
import type { Redactor } from "../../fixtures/engine/redaction/redaction.ts";
import { CommandError } from "../../reports/command-line/command.ts";
import type { References } from "../k6/templates/reference.ts";
import { carriedOut, digestOf, type Entry } from "../reconcile/journal.ts";
import { addsUp, learnListing } from "../reconcile/listing.ts";
import type { Reservations } from "./reservations.ts";

/**
 * Sends the control: one transfer that shows how the list shows a payout. Ends the run with a {@link CommandError} (3)
 * if the API does not accept it, because a load of rejected transfers proves nothing. A control that was rejected and is
 * listed all the same stays in the ledger.
 */
export async function sendControl(
  client: Client,
  redactor: Redactor,
  reservations: Reservations,
  references: References,
): Promise<Entry> {
  const { control: reference } = references;
  const draft = client.builder.build("createTransfer", { body: { transferReference: reference } });
  const answer = await client.send("createTransfer", draft, "control");
  const entry = entryOf(answer, reference);
  if (answer.isSuccess) return entry;
  const isListed = carriedOut(entry) === "no" && (await mayBePaid(client, references));
  reservations.settle([entry], [], isListed ? [reference] : []);
  reservations.close();
  const anyway = isListed
    ? `The transfer list shows ${reference} all the same, so it counts as paid in the ledger. `
    : "";
  throw new CommandError(3, [
    `the API did not accept the one transfer that precedes the load: it ${outcomeOf(answer)} (${excerpt(answer, redactor)}). ${anyway}Check BANK_CODE, ACCOUNT_NUMBER, ACCOUNT_NAME and TRANSFER_AMOUNT; no load was sent`,
  ]);
}

/** Whether the list shows a rejected control under a status of a payout that was made or may still be made. */
async function mayBePaid(client: Client, references: References): Promise<boolean> {
  process.stderr.write("The API rejected a transfer; looking up whether it was paid all the same.\n");
  await delay(client.target.settleMs);
  const listing = await learnListing(client, references);
  if (!listing.control) return false;
  const found = await listing.entry(references.control);
  // A list whose statuses do not add up proves nothing, and what is in it may be paid.
  return !found || !addsUp(found) || found.paid + found.unverified > 0;
}

/** The entry of a request for money that this process sent, not k6. */
export function entryOf(answer: Answer, reference: string): Entry {
  const refused = answer.carriedOut === "no" ? "business-refused" : "unknown";
  return {
    operation: answer.operation.id,
    reference,
    outcome: answer.isSuccess ? "accepted" : refused,
    status: answer.status ?? 0,
    identifier: digestOf(answer.identifier),
  };
}
