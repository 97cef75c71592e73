import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { READS } from "../../fixtures/engine/health/health.ts";
import type { Built } from "../../fixtures/engine/http/build.ts";
import type { Client } from "../../fixtures/engine/http/client.ts";
import type { ApiResponse } from "../../fixtures/engine/http/response.ts";
import { excerpt } from "../../fixtures/engine/http/wording.ts";
import type { Redactor } from "../../fixtures/engine/redaction/redaction.ts";
import { CommandError } from "../../reports/command-line/command.ts";
import { listed, plural } from "../../reports/wording.ts";
import { contract, operations } from "../../schemas/contract.ts";
import type { Change, Operation } from "../../schemas/operation.ts";
import { FRESH } from "../../schemas/recipe.ts";
import type { References, Step } from "../k6/requests.ts";
import { digestOf } from "../reconcile/evidence.ts";
import { referencesOfRun } from "../reconcile/listing.ts";
import type { Entry } from "../results/recording/lines.ts";
import { type Invariant, invariant } from "../results/result.ts";
import type { Stop } from "./guard.ts";
import type { HeldMoney } from "./money.ts";

/** A request that is sent before the load and, if it worked, once more after it; `stake` is what it may move. */
export const Trial = z.object({
  operation: z.enum(operations.map(({ id }) => id)),
  refusal: z.string().optional(),
  stake: z.number().optional(),
});

export type Trial = z.infer<typeof Trial>;

export type When = "before" | "after";

type Asked = Omit<Trial, "stake"> & Pick<Step, "creationsAgo">;

/** Lists the reads that need no data, and each kind of request of a load, each once. */
export function trialsOf({ target }: Client, sent: readonly Trial[]): Trial[] {
  const reads = READS.map(({ id }) => id).filter((id) => !target.outOfScope.includes(id));
  const all: Trial[] = [
    ...reads.map((operation) => ({ operation })),
    ...sent.map(({ operation, refusal, stake }) => ({ operation, refusal, stake })),
  ];
  return [...new Map(all.map((trial) => [nameOf(trial), trial])).values()];
}

const nameOf = ({ operation, refusal }: Trial) => [operation, refusal ?? []].flat().join(".");

const isTransfer = ({ operation, refusal }: Trial) => operation === "createTransfer" && refusal === undefined;

/** Whether it may be sent as often as one likes: it is a read, or asks for a rejection. */
const isFree = ({ stake }: Trial) => stake === undefined;

/** What the ledger calls a trial that may move money. */
export function referenceOf(when: When, trial: Trial, { control, recovery, prefix }: References) {
  if (isTransfer(trial)) return when === "before" ? control : recovery;
  return `${prefix}${when}-${nameOf(trial)}`;
}

/** Builds the request of a step from the operator's data. */
export const buildStep = (client: Client, step: Asked): Built =>
  client.builder.build(step.operation, changeOf(step, client));

function changeOf({ operation, creationsAgo, refusal }: Asked, { builder }: Client): Change {
  const { bound }: Operation = contract[operation];
  const condition = bound?.find(({ id }) => id === refusal);
  if (condition) return condition.change;
  if (operation === "listTransfers" && creationsAgo !== undefined)
    return { query: { transferReference: FRESH } };
  if (operation === "createTransfer" && builder.formOf("note", operation) !== "none")
    return { body: { transferNote: builder.note(operation) } };
  return {};
}

type Sent = Awaited<ReturnType<typeof send>>;

const sendAll = (client: Client, trials: readonly Trial[], when: When): Promise<Sent[]> =>
  Promise.all(trials.map((trial) => send(client, trial, when)));

async function send(client: Client, trial: Trial, when: When) {
  const { builder, target } = client;
  const { operation, refusal, stake } = trial;
  const reference = referenceOf(when, trial, referencesOfRun(client));
  // Each address may have only one open account.
  const [, secondEmail] = target.values.VIRTUAL_ACCOUNT_EMAILS ?? [];
  const opensAnother = operation === "initializeVirtualAccount" && refusal === undefined && when === "after";
  const draft = isTransfer(trial)
    ? builder.build(operation, { body: { transferReference: reference } })
    : opensAnother && secondEmail
      ? builder.build(operation, { body: { email: secondEmail } })
      : buildStep(client, trial);
  const response = await client.send(operation, draft, when === "after" ? "recovery" : when);
  return { trial, response, entries: stake === undefined ? [] : [entryOf(response, reference)] };
}

/** The entry of a request for money that this process sent, not k6. */
function entryOf(response: ApiResponse, reference: string): Entry {
  const refused = response.carriedOut === "no" ? "business-refused" : "unknown";
  return {
    operation: response.operation.id,
    reference,
    outcome: response.kind === "done" ? "accepted" : refused,
    status: response.status ?? 0,
    identifier: digestOf(response.identifier),
  };
}

/** Whether the API did not do what a trial asks for. */
const fails = ({ trial: { refusal }, response }: Sent): boolean =>
  response.kind !== (refusal === undefined ? "done" : "rejected");

/** Finds out what works before the load, the transfer first; throws a {@link CommandError} (3) if the API does not accept it. */
export async function tryBefore(
  client: Client,
  redactor: Redactor,
  held: Pick<HeldMoney, "close">,
  trials: readonly Trial[],
) {
  const control = await sendAll(client, trials.filter(isTransfer), "before");
  const rejected = control.find(fails);
  if (rejected) throw refusalOf(rejected, redactor, held);
  const others = trials.filter((trial) => !isTransfer(trial));
  const sent = await sendAll(client, others, "before");
  const failing = sent.filter(fails).map(({ trial }) => trial);
  return {
    /** What may have moved money before the load; the first is the transfer, if there are transfers in it. */
    control: [...control, ...sent].flatMap(({ entries }) => entries),
    slowestMs: Math.max(0, ...sent.map(({ response }) => response.durationMs)),
    working: trials.filter((trial) => !failing.includes(trial)),
  };
}

/** Closes the ledger of a run whose first transfer the API did not accept, and says so. */
function refusalOf({ response, entries }: Sent, redactor: Redactor, held: Pick<HeldMoney, "close">) {
  const references = entries.map(({ reference }) => reference);
  held.close(entries, references, () => false);
  return new CommandError(3, [
    `the API did not accept the one transfer that precedes the load: it ${response.outcome} (${excerpt(response, redactor)}). It may have paid ${references} all the same, so it counts as paid in the ledger. Check BANK_CODE, ACCOUNT_NUMBER, ACCOUNT_NAME and TRANSFER_AMOUNT; no load was sent`,
  ]);
}

const RECOVERY_MS = 10_000;
const PAUSE_MS = 250;

/** Asks again for what worked, until it works or the time is over; then sends, once, what moves money, unless it must stop. */
export async function recover(
  client: Client,
  working: readonly Trial[],
  stop: Readonly<Stop>,
): Promise<{ readonly entries: readonly Entry[]; readonly invariants: readonly Invariant[] }> {
  const deadline = performance.now() + RECOVERY_MS;
  const last = new Map<Trial, Sent>();
  for (let waiting = working.filter(isFree); waiting.length > 0 && !stop.interrupted; ) {
    for (const sent of await sendAll(client, waiting, "after")) last.set(sent.trial, sent);
    waiting = [...last.values()].filter(mayRecover).map(({ trial }) => trial);
    if (waiting.length === 0 || performance.now() > deadline) break;
    await delay(PAUSE_MS);
  }
  if (stop.interrupted) return { entries: [], invariants: [] };
  const payments = stop.hasPaidTwice ? [] : working.filter((trial) => !isFree(trial));
  const sent = await sendAll(client, payments, "after");
  return {
    entries: sent.flatMap(({ entries }) => entries),
    invariants: [judge([...last.values(), ...sent])],
  };
}

/** What the API carries out although it must reject it is not sent again. */
const mayRecover = (sent: Sent) =>
  fails(sent) && (sent.trial.refusal === undefined || sent.response.statusClass !== 2);

function judge(again: readonly Sent[]): Invariant {
  if (again.length === 0) return invariant("L13", "unjudged", "nothing that worked before it was sent again");
  const failing = again.filter(fails);
  if (failing.length === 0)
    return invariant("L13", "held", `${plural(again.length, "request")} worked as before it`);
  // A refusal has reasons of its own, such as a daily limit that the load has reached, and so has a machine that cannot send.
  const hasCrashed = failing.some(({ response: { kind, failure } }) =>
    failure ? failure.kind !== "machine" : kind === "crashed",
  );
  const what = failing.map(({ trial, response }) => `${nameOf(trial)} ${response.outcome}`);
  return invariant(
    "L13",
    hasCrashed ? "broken" : "warned",
    `${listed(what)}, and worked before the load, which may have used something up, such as connections`,
    failing.map(({ response }) => response.requestId),
  );
}
