import { setTimeout as delay } from "node:timers/promises";
import { READS } from "../../fixtures/health/reads.ts";
import type { Answer } from "../../fixtures/http/answer.ts";
import type { Client } from "../../fixtures/http/client.ts";
import { outcomeOf } from "../../fixtures/http/wording.ts";
import { plural } from "../../reports/text/wording.ts";
import type { OperationId } from "../../schemas/contract.ts";
import type { Entry } from "../reconcile/journal.ts";
import { type Invariant, invariant } from "../results/invariant.ts";
import { entryOf } from "./control.ts";

/** The time that the API gets to recover from the load. */
const RECOVERY_MS = 10_000;
const PAUSE_MS = 250;

const LIST = new Intl.ListFormat("en-GB");

/** Finds the reads that work before the load. */
export async function workingReads(client: Client): Promise<OperationId[]> {
  const answers = await Promise.all(READS.map(({ id }) => read(client, id)));
  return answers.flatMap((answer) => (answer.isSuccess ? [answer.operation.id as OperationId] : []));
}

/** The entry of the transfer after the load, if one was sent, and what it and the reads show. */
interface Recovery {
  readonly entries: readonly Entry[];
  readonly invariants: readonly Invariant[];
}

/**
 * Asks again for what worked before the load, until it works or the time is over; then sends one transfer with
 * `reference`, if there is one. After an interrupt it sends nothing.
 */
export async function recover(
  client: Client,
  working: readonly OperationId[],
  reference: string | undefined,
  stop: { readonly interrupted: boolean },
): Promise<Recovery> {
  const deadline = performance.now() + RECOVERY_MS;
  let failing: Answer[] = [];
  for (let waiting = working; waiting.length > 0 && !stop.interrupted; ) {
    const answers = await Promise.all(waiting.map((id) => read(client, id)));
    failing = answers.filter((answer) => !answer.isSuccess);
    if (failing.length === 0 || performance.now() > deadline) break;
    waiting = failing.map(({ operation }) => operation.id as OperationId);
    await delay(PAUSE_MS);
  }
  if (stop.interrupted) return { entries: [], invariants: [] };
  if (reference === undefined) return { entries: [], invariants: [judge(failing, working.length)] };
  const transfer = await pay(client, reference);
  if (!transfer.isSuccess) failing.push(transfer);
  return {
    entries: [entryOf(transfer, reference)],
    invariants: [judge(failing, working.length, transfer)],
  };
}

function judge(failing: readonly Answer[], reads: number, transfer?: Answer): Invariant {
  const all = transfer ? `a transfer and ${plural(reads, "read")}` : plural(reads, "read");
  if (failing.length === 0) return invariant("L13", "held", `${all} worked after it`);
  // A refusal has reasons of its own, such as a daily limit that the load has reached.
  const hasCrashed = failing.some((answer) => answer.isCrash && !answer.isThrottled);
  const what = failing.map((answer) => `${answer.operation.id} ${outcomeOf(answer)}`);
  const text = `${LIST.format(what)}, ${RECOVERY_MS / 1000} s after it`;
  return invariant(
    "L13",
    hasCrashed ? "broken" : "warned",
    text,
    failing.map(({ requestId }) => requestId),
  );
}

const read = (client: Client, id: OperationId) => client.send(id, client.builder.build(id), "recovery");

function pay(client: Client, transferReference: string): Promise<Answer> {
  const draft = client.builder.build("createTransfer", { body: { transferReference } });
  return client.send("createTransfer", draft, "recovery");
}
