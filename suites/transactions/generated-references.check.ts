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

/** Two in direct succession, several at once, and one when all others are older than {@link CLOCK_MS}. */
const REQUESTS = 2 + AT_ONCE + 1;
/** More than the unit of a clock with seconds. */
const CLOCK_MS = 1_100;

const OMITTED_AGAIN = "rejects no request without a reference as if its reference were used";
const AGAIN = { must: ["R043"], pays: REQUESTS, probe: true } as const;
check("reference-omitted-again", OMITTED_AGAIN, AGAIN, async (ctx) => {
  const responses = await responsesWithoutReference(ctx);
  const accepted = responses.filter(({ kind }) => kind === "done");
  for (const response of responses) {
    const actual = `${response.outcome} to a request without reference, and blames its reference`;
    const expected = "a reference of its own for each request without one";
    demand(!blamesReference(response), response, actual, expected, accepted.slice(0, 1));
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
 * Sends requests without reference: two in direct succession, then several at the same moment, each over a connection of
 * its own, and a last one later if all got the same reference: that of an address, or that of a second. So neither a clock,
 * nor a worker or process that counts for itself, can hide. Done once per run.
 */
async function responsesWithoutReference(ctx: CheckContext): Promise<readonly ApiResponse[]> {
  ctx.needProbeWrites();
  const first = await responseWithoutReference(ctx);
  if (first.kind !== "done")
    undecided(`${first.outcome} to the first request without reference`, `${ID}/reference-omitted`);
  const control = await ctx.ordinary(ID);
  const { VIRTUAL_ACCOUNT_EMAILS: emails = [] } = ctx.values;
  const responses = await ctx.run.once(`${ID}/without-reference`, async () => {
    const sent: ApiResponse[] = [];
    const send = async (options: SendOptions = {}) => {
      // Requests differ in amount and, if the operator gave several, in address, so that none looks like a repetition.
      const amount = String(Number(control.bodySent.amount) + sent.length + 1);
      // The first two addresses have accounts already.
      const email = emails[(sent.length + 2) % emails.length];
      const body = { amount, reference: undefined, ...(email !== undefined && { email }) };
      const response = await ctx.send(ID, { body }, { retry: false, mayBeBusy: true, ...options });
      sent.push(response);
      return response;
    };
    await send();
    await send();
    // Addresses with an open account may have no further one.
    if (sent.some(({ kind }) => kind === "done")) await sendAtOnce(ctx, ID, AT_ONCE, send);
    if (new Set(sent.flatMap((response) => [...referencesIn(response.field("data"))])).size === 1) {
      await setTimeout(CLOCK_MS);
      await send();
    }
    return sent;
  });
  for (const response of responses) ctx.note(response);
  return [first, ...responses];
}

/** Words for something that cannot be used again. */
const USED = /\b((re)?used|exist(s|ed|ing)?|duplicated?|taken|unique)\b/i;
/** The reference, where it is not the name of a value. */
const REFERENCE = /\breferences?\b(?!"?\s*[:=#])/i;

/** Whether a rejection blames the reference that the request does not have; other things may be used already, such as the address. */
function blamesReference({ kind, failure, namedFields, words }: ApiResponse): boolean {
  if (kind === "done" || kind === "unavailable" || failure) return false;
  return (
    namedFields.includes("reference") ||
    (namedFields.length === 0 && USED.test(words) && REFERENCE.test(words))
  );
}

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
