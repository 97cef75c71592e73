import { setTimeout } from "node:timers/promises";
import {
  type ApiResponse,
  type CheckContext,
  checksUnder,
  demand,
  type SendOptions,
  undecided,
} from "../../fixtures/engine/vocabulary.ts";
import { sendAtOnce } from "../every-operation/repeats/race.ts";
import { AT_ONCE, accountsIn, referencesIn, responseWithoutReference } from "./virtual-account.ts";

const ID = "initializeVirtualAccount";
const check = checksUnder(ID);

/** How often two requests come in direct succession, and then several at once: a clock with seconds may tick in between. */
const ROUNDS = 3;
/** The last one comes when all others are older than {@link CLOCK_MS}. */
const REQUESTS = ROUNDS * (2 + AT_ONCE) + 1;
/** More than the unit of a clock with seconds. */
const CLOCK_MS = 1_100;

const OMITTED_AGAIN = "rejects no request without a reference as if its reference were used";
const AGAIN = { must: ["R043"], pays: REQUESTS, probe: true } as const;
check("reference-omitted-again", OMITTED_AGAIN, AGAIN, async (ctx) => {
  const responses = await responsesWithoutReference(ctx);
  const accepted = responses.filter(({ kind }) => kind === "done");
  for (const response of responses) {
    const blame = await blameFor(ctx, response);
    const actual = `${response.outcome} to a request without reference, and ${blame}`;
    const expected = "a reference of its own for each request without one";
    demand(blame === undefined, response, actual, expected, accepted.slice(0, 1));
  }
  if (accepted.length < 2) throw tooFew(responses);
});

const GENERATED = "generates a different reference for each request without one";
const UNIQUE = { critical: ["R043"], probe: true } as const;
check("generated-reference-unique", GENERATED, UNIQUE, async (ctx) => {
  const accepted = (await responsesWithoutReference(ctx)).filter(({ kind }) => kind === "done");
  if (accepted.length < 2) throw tooFew(accepted);
  if (accepted.every((response) => referencesIn(response.field("data")).size === 0))
    undecided("the responses to requests without reference show no references to compare");
  const known = new Map<string, ApiResponse>();
  for (const response of accepted) {
    for (const reference of referencesIn(response.field("data"))) {
      const other = known.get(reference);
      const isDifferent = !other || isOnlyAccount(other, response, accepted);
      const actual = `returned the reference ${JSON.stringify(reference)} for two requests without reference`;
      demand(isDifferent, response, actual, "a different one for each", other && [other]);
      known.set(reference, response);
    }
  }
});

/**
 * Sends requests without reference, in rounds: two in direct succession, then several at the same moment, each over a
 * connection of its own, and a last one later if all got the same reference: that of an address, or that of a second. So
 * neither a clock, nor a worker or process that counts for itself, can hide. Done once per run.
 */
async function responsesWithoutReference(ctx: CheckContext): Promise<readonly ApiResponse[]> {
  ctx.needProbeWrites();
  const first = await responseWithoutReference(ctx);
  if (first.kind !== "done")
    undecided(`${first.outcome} to the first request without reference`, `${ID}/reference-omitted`);
  const responses = await ctx.run.once(`${ID}/without-reference`, async () => {
    const sent: ApiResponse[] = [];
    const sender = await senderOf(ctx, { reference: undefined });
    const send = async (options?: SendOptions) => {
      const response = await sender(options);
      sent.push(response);
      return response;
    };
    for (let round = 0; round < ROUNDS; round += 1) {
      await send();
      await send();
      // Addresses with an open account may have no further one.
      if (!sent.some(({ kind }) => kind === "done")) break;
      await sendAtOnce(ctx, ID, AT_ONCE, send);
    }
    if (new Set(sent.flatMap((response) => [...referencesIn(response.field("data"))])).size === 1) {
      await setTimeout(CLOCK_MS);
      await send();
    }
    return sent;
  });
  for (const response of responses) ctx.note(response);
  return [first, ...responses];
}

/** Sends requests that differ from each other in amount and, if the operator gave several, in address, so that none looks like a repetition. */
async function senderOf(ctx: CheckContext, change: { readonly reference?: undefined }, sentBefore = 0) {
  const control = await ctx.ordinary(ID);
  const { VIRTUAL_ACCOUNT_EMAILS: emails = [] } = ctx.values;
  let number = sentBefore;
  return (options: SendOptions = {}) => {
    number += 1;
    const amount = String(Number(control.bodySent.amount) + number);
    // The first two addresses have accounts already.
    const email = emails[(number + 1) % emails.length];
    const body = { amount, ...(email !== undefined && { email }), ...change };
    return ctx.send(ID, { body }, { retry: false, mayBeBusy: true, ...options });
  };
}

/** Words for something that cannot be used again, and the reference where it is not the name of a value. */
const USED = /\b((re)?used|exist(s|ed|ing)?|duplicated?|taken|unique|references?(?!"?\s*[:=#]))\b/i;

/**
 * Says how a rejection blames the reference that a request does not have; `undefined` if it does not. Where it names no
 * field, something else may be used already, such as the address.
 */
async function blameFor(ctx: CheckContext, response: ApiResponse): Promise<string | undefined> {
  if (response.kind === "done" || response.failure || response.kind === "unavailable") return undefined;
  const names = response.namedFields;
  if (names.includes("reference")) return "names reference, which the request does not have";
  const [word] = USED.exec(response.words) ?? [];
  if (names.length > 0 || word === undefined || !(await isAboutReferences(ctx))) return undefined;
  return `says "${word}", but accepts such requests with references of their own`;
}

/**
 * Whether, of requests that arrive at the same moment, all are accepted each time if they have references of their own, and
 * never all if they have none. A service that accepts one request for an address at a time would do so by chance alone.
 */
const isAboutReferences = (ctx: CheckContext) =>
  ctx.run.once(`${ID}/with-references`, async () => {
    const named = await senderOf(ctx, {});
    const unnamed = await senderOf(ctx, { reference: undefined }, REQUESTS);
    const areAllAccepted = async (send: typeof named) =>
      (await sendAtOnce(ctx, ID, AT_ONCE, send)).every(({ kind }) => kind === "done");
    for (let round = 0; round < ROUNDS; round += 1)
      if (!(await areAllAccepted(named)) || (await areAllAccepted(unnamed))) return false;
    return true;
  });

const tooFew = (responses: readonly ApiResponse[]) => {
  const rejected = responses.find(({ kind }) => kind !== "done");
  const last = rejected ? `, and one ${rejected.outcome}` : "";
  return undecided(`fewer than two requests without reference were accepted${last}`, {
    advice: "give several addresses in VIRTUAL_ACCOUNT_EMAILS",
  });
};

/** Whether two requests for one address were given the account that it has, as all others for this address were. */
function isOnlyAccount(one: ApiResponse, other: ApiResponse, accepted: readonly ApiResponse[]): boolean {
  const { email } = one.bodySent;
  if (other.bodySent.email !== email) return false;
  const known = accountsIn(one.field("data"));
  const ofAddress = accepted.filter(({ bodySent }) => bodySent.email === email);
  return ofAddress.every((response) =>
    [...accountsIn(response.field("data"))].some((account) => known.has(account)),
  );
}
