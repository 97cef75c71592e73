import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "../../fixtures/engine/http/client.ts";
import type { ApiResponse } from "../../fixtures/engine/http/response.ts";
import { excerpt, outcomeOf } from "../../fixtures/engine/http/wording.ts";
import type { Redactor } from "../../fixtures/engine/redaction/redaction.ts";
import { CommandError } from "../../reports/command-line/command.ts";
import { groupBy } from "../../reports/grouping.ts";
import { plural } from "../../reports/wording.ts";
import { contract } from "../../schemas/contract.ts";
import type { References } from "../k6/templates/reference.ts";
import { carriedOut, digestOf, type Entry } from "../reconcile/journal.ts";
import { addsUp, learnListing } from "../reconcile/listing.ts";
import { type Invariant, invariant } from "../results/invariant.ts";
import type { HeldMoney } from "./money.ts";
import { isFree, isTransfer, nameOf, referenceOf, send, type Trial, type When, works } from "./trials.ts";

/** The entry of a request for money that this process sent, not k6. */
function entryOf(answer: ApiResponse, reference: string): Entry {
  const refused = answer.carriedOut === "no" ? "business-refused" : "unknown";
  return {
    operation: answer.operation.id,
    reference,
    outcome: answer.isSuccess ? "accepted" : refused,
    status: answer.status ?? 0,
    identifier: digestOf(answer.identifier),
  };
}

/** The time that the API gets to recover from the load. */
const RECOVERY_MS = 10_000;
const PAUSE_MS = 250;

const LIST = new Intl.ListFormat("en-GB");

/** The trials that worked before the load, and those that did not. */
export interface Tried {
  readonly working: readonly Trial[];
  readonly failing: readonly Trial[];
}

/** A trial that was sent, and its answer. */
interface Sent {
  readonly trial: Trial;
  readonly answer: ApiResponse;
}

/**
 * Finds out what works before the load. The transfer comes first, as the control: it shows how the list shows a payout. Throws a
 * {@link CommandError} (3) if the API does not accept it, because a load of rejected transfers proves nothing; one that is
 * listed all the same stays in the ledger.
 */
export async function tryBefore(
  client: Client,
  redactor: Redactor,
  held: Pick<HeldMoney, "close">,
  trials: readonly Trial[],
  references: References,
) {
  const control = await sendAll(client, trials.filter(isTransfer), "before", references);
  const rejected = control.find(fails);
  if (rejected) throw await refusalOf(rejected.answer, client, redactor, held, references);
  const others = trials.filter((trial) => !isTransfer(trial));
  const sent = await sendAll(client, others, "before", references);
  const failing = sent.filter(fails).map(({ trial }) => trial);
  return {
    entries: entriesOf([...control, ...sent], "before", references),
    slowestMs: Math.max(0, ...sent.map(({ answer }) => answer.durationMs)),
    tried: { failing, working: trials.filter((trial) => !failing.includes(trial)) },
  };
}

/** Closes the ledger of a run whose control the API did not accept, and says so. */
async function refusalOf(
  answer: ApiResponse,
  client: Client,
  redactor: Redactor,
  held: Pick<HeldMoney, "close">,
  references: References,
): Promise<CommandError> {
  const { control: reference } = references;
  const entry = entryOf(answer, reference);
  const isListed = carriedOut(entry) === "no" && (await mayBePaid(client, references));
  held.close([entry], isListed ? [reference] : [], () => "no");
  const anyway = isListed
    ? `The transfer list shows ${reference} all the same, so it counts as paid in the ledger. `
    : "";
  return new CommandError(3, [
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

/** What may have moved money after the load, and what all that was sent after it shows. */
interface Recovery {
  readonly entries: readonly Entry[];
  readonly invariants: readonly Invariant[];
}

/**
 * Asks again for what worked before the load, until it works or the time is over; then sends, once, what moves money
 * (only if it `paysAgain`) or creates something. After an interrupt it sends nothing.
 */
export async function recover(
  client: Client,
  tried: Tried,
  references: References,
  { paysAgain, stop }: { readonly paysAgain: boolean; readonly stop: { readonly interrupted: boolean } },
): Promise<Recovery> {
  const once = tried.working.filter((trial) => !isFree(trial) && (paysAgain || trial.stake === undefined));
  const deadline = performance.now() + RECOVERY_MS;
  const last = new Map<Trial, Sent>();
  for (let waiting = tried.working.filter(isFree); waiting.length > 0 && !stop.interrupted; ) {
    for (const sent of await sendAll(client, waiting, "after", references)) last.set(sent.trial, sent);
    waiting = [...last.values()].filter((sent) => fails(sent) && mayRecover(sent)).map(({ trial }) => trial);
    if (waiting.length === 0 || performance.now() > deadline) break;
    await delay(PAUSE_MS);
  }
  if (stop.interrupted) return { entries: [], invariants: [] };
  const sent = await sendAll(client, once, "after", references);
  return {
    entries: entriesOf(sent, "after", references),
    invariants: [judge([...last.values(), ...sent], tried.failing)],
  };
}

const fails = ({ trial, answer }: Sent) => !works(trial, answer);

/** What the API carries out although it must reject it is not sent again. */
const mayRecover = ({ trial, answer }: Sent) => trial.refusal === undefined || !answer.looksAccepted;

const sendAll = (client: Client, trials: readonly Trial[], when: When, references: References) =>
  Promise.all(
    trials.map(
      async (trial): Promise<Sent> => ({ trial, answer: await send(client, trial, when, references) }),
    ),
  );

const entriesOf = (sent: readonly Sent[], when: When, references: References): Entry[] =>
  sent.flatMap(({ trial, answer }) =>
    trial.stake === undefined ? [] : [entryOf(answer, referenceOf(when, trial, references))],
  );

function judge(again: readonly Sent[], before: readonly Trial[]): Invariant {
  const failedBefore =
    before.length > 0
      ? `; not tried, since it failed before the load: ${LIST.format(before.map(nameOf))}`
      : "";
  if (again.length === 0) return invariant("L13", "unjudged", `nothing was sent again${failedBefore}`);
  const failing = again.filter(fails);
  if (failing.length === 0) {
    const kinds = [...groupBy(again, kindOf)].map(([kind, { length }]) => plural(length, kind));
    return invariant("L13", "held", `${LIST.format(kinds)} worked as before it${failedBefore}`);
  }
  // A refusal has reasons of its own, such as a daily limit that the load has reached.
  const hasCrashed = failing.some(({ answer }) => answer.isCrash && !answer.isThrottled);
  const what = failing.map(({ trial, answer }) => `${nameOf(trial)} ${outcomeOf(answer)}`);
  return invariant(
    "L13",
    hasCrashed ? "broken" : "warned",
    `${LIST.format(what)}, and worked before the load${failedBefore}`,
    failing.map(({ answer }) => answer.requestId),
  );
}

function kindOf({ trial: { operation, refusal } }: Sent): string {
  if (refusal !== undefined) return "documented rejection";
  return contract[operation].effect === "read" ? "read" : "write";
}
