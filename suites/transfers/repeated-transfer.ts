import { openBook, type Repeated } from "../../fixtures/engine/lists/book.ts";
import {
  type ApiResponse,
  type CheckContext,
  type CheckOptions,
  check,
  demand,
  listOf,
  type SendOptions,
  skip,
  undecided,
  Violation,
} from "../../fixtures/engine/vocabulary.ts";
import { groupBy } from "../../reports/grouping.ts";

const ID = "createTransfer";

type Responses = readonly ApiResponse[];

/** A reference that was sent several times, and the responses to it in the order in which they arrived. */
interface Sent {
  readonly reference: string;
  readonly responses: Responses;
}

/** One transfer that a check sends several times. */
export type RepeatedTransfer = Awaited<ReturnType<typeof repeatedTransfer>>;

/** Prepares one transfer that a check sends several times; throws `Inconclusive` unless the ordinary one is accepted. */
export async function repeatedTransfer(ctx: CheckContext) {
  // How the list counts transfers, and how soon it shows them, is learned from the ordinary transfer.
  await openBook(ctx);
  const draft = ctx.draft(ID);
  const { reference, responses } = countedAtEnd(ctx, draft.reference, []);
  const send = (change: Readonly<Record<string, unknown>> = {}, options: SendOptions = {}) => {
    const changed = { ...draft, body: { ...draft.body, ...change } };
    return ctx.send(ID, {}, { draft: changed, repeats: responses, mayBeBusy: true, ...options });
  };
  return { draft, reference, responses, send };
}

/** Sends an accepted transfer again, as it was. */
export async function sendAgain(ctx: CheckContext, first: ApiResponse): Promise<Sent> {
  const sent = countedAtEnd(ctx, first.referenceSent, [first]);
  const draft = { ...ctx.draft(ID), body: first.bodySent, reference: sent.reference };
  await ctx.send(ID, {}, { draft, repeats: sent.responses, mayBeBusy: true });
  return sent;
}

/** An accepted transfer that may be sent again. */
interface Repeatable {
  readonly first: ApiResponse;
  /** When a request with its reference was last sent that was not rejected, in milliseconds since the epoch. */
  readonly lastSent: number;
  readonly timesSent: number;
}

/**
 * The accepted transfers of this run with the ordinary content, of which every request was the same, or rejected; that whose
 * reference was sent last the longest ago comes first. None is a transfer that shows what a single one looks like. Throws
 * `Inconclusive` if there is none.
 */
export async function repeatable(ctx: CheckContext): Promise<[Repeatable, ...Repeatable[]]> {
  const { run } = ctx;
  const ordinary = contentOf(await ctx.ordinary(ID));
  const isSame = (response: ApiResponse) =>
    response.isSentWith(run.target.secretKey) && contentOf(response) === ordinary;
  const usual = run
    .responsesTo(ID)
    .filter((response) => isSame(response) && !run.namesSingle(response.textSent));
  const all = [...groupBy(usual, ({ referenceSent }) => referenceSent)].flatMap(([reference, responses]) => {
    const [first] = responses.filter(({ kind }) => kind === "done");
    if (!first || !run.builder.isInUsualForm(reference)) return [];
    const sent = run.naming(ID, reference).filter(({ carriedOut }) => carriedOut !== "no");
    const lastSent = Math.max(...sent.map(({ startedAt }) => startedAt.getTime()));
    return sent.every(isSame) ? [{ first, lastSent, timesSent: sent.length }] : [];
  });
  const [oldest, ...others] = all.toSorted((a, b) => a.lastSent - b.lastSent);
  if (oldest) return [oldest, ...others];
  undecided("the run made no transfer that it may send again", {
    advice: `select ${ID}/idempotency/* as well`,
  });
}

const contentOf = ({ bodySent: { transferReference: _, ...content } }: ApiResponse) =>
  JSON.stringify(Object.entries(content).toSorted(([a], [b]) => (a < b ? -1 : 1)));

/**
 * Sends two blocked transfers, and an ordinary one of another merchant with the reference of the second; once per run, and
 * early, so that all of them have settled when a check looks at them.
 */
export const blockedTwins = (ctx: CheckContext) =>
  ctx.run.once("transfer/blocked twins", async () => {
    for (const scope of ["blocked-transfer", "second-merchant"] as const)
      if (ctx.target.outOfScope.includes(scope)) skip(`OUT_OF_SCOPE excludes ${scope}`, "out-of-scope");
    await ctx.other.profile();
    const body = ctx.need("BLOCKED_TRANSFER");
    const alone = await ctx.send(ID, { body });
    // The other one is compared with it, so no check may send it again.
    if (alone.kind === "done") ctx.run.keepSingle(alone);
    const blocked = await ctx.send(ID, { body });
    const transferReference = blocked.referenceSent;
    return { alone, blocked, theirs: await ctx.other.send(ID, { body: { transferReference } }) };
  });

/** Notes a reference that is sent again: if a MUST check sends it, its payouts are counted again at the end of the run. */
function countedAtEnd({ run, info }: CheckContext, reference: string, responses: ApiResponse[]) {
  const sent = { reference, responses };
  if (info.level === "MUST") run.repeated.push(sent);
  return sent;
}

/**
 * Registers that a reference is paid once, however `sends` repeats it. What `sends` returns, if anything, runs after
 * the judgement; a request that is lost or rejected may use up its reference, so at `least` payouts are made.
 */
export function paysOnce(
  name: string,
  when: string,
  { least, ...phase }: { readonly least: 0 | 1 } & Pick<CheckOptions, "phase">,
  sends: (ctx: CheckContext, transfer: RepeatedTransfer) => Promise<unknown>,
) {
  const options = { ...phase, must: ["R087"], pays: [least, 1] } as const;
  check(`${ID}/idempotency/${name}`, `pays once when ${when}`, options, async (ctx) => {
    const transfer = await repeatedTransfer(ctx);
    const afterwards = await sends(ctx, transfer);
    await expectPaidOnce(ctx, transfer);
    if (typeof afterwards === "function") afterwards();
  });
}

/**
 * Judges what became of one reference that was sent several times (section 4.16: a retry reuses it unless a new
 * payout is intended). Replay, rejection and "in progress" are all conformant responses; a second live payout is not.
 */
export async function expectPaidOnce(ctx: CheckContext, sent: Sent) {
  const { settling } = ctx.run;
  const { reference, responses } = sent;
  const different = identifiers(responses).size;
  // Repeats may be paid again after a while, and an acknowledged transfer need not show at first.
  await settling.pause();
  const shown = await settling.until(
    () => listedPayouts(ctx, reference),
    (found) => found?.all !== 0 || different === 0,
  );
  expectNoSurplus(ctx, sent, shown);
  if (different === 0) return judgeUnacknowledged(ctx, reference, shown);
  if (shown?.all === 0) failAsLost(ctx, lastOf(responses));
  if (different > 1) reportIdentifiers(ctx, responses, shown);
  else if (!shown)
    ctx.passWeakly(
      "only transactionIds could be compared: the list does not show transfers by their reference",
      ["LIST_POINTERS"],
    );
}

/** Demands that a repeat was not paid again, whether or not the list shows the first payout under this reference. */
export async function expectNotPaidAgain(ctx: CheckContext, sent: Sent) {
  const shown = await listedPayouts(ctx, sent.reference);
  expectNoSurplus(ctx, sent, shown);
  if (identifiers(sent.responses).size > 1) reportIdentifiers(ctx, sent.responses, shown);
}

/** What the list shows for a reference that was sent again; `undefined` if its transfers cannot be counted. */
export const listedPayouts = async (ctx: CheckContext, reference: string): Promise<Repeated | undefined> =>
  (await openBook(ctx))?.ofRepeated(reference);

/** Demands one live payout; rejected repeats may be listed too, under a status that pays nothing. */
function expectNoSurplus(ctx: CheckContext, sent: Sent, shown: Repeated | undefined) {
  const different = identifiers(sent.responses).size;
  const only =
    different === 0 ? "although no response acknowledged one" : "although the responses name only one";
  const when = different > 1 ? `and the responses name ${different} transactionIds` : only;
  if (shown?.surplus) throw paidAgain(sent, shown.all, when);
  const { entry } = shown ?? {};
  if (!entry) return;
  for (const status of entry.rejected)
    ctx.observe("G05", `a reference that was sent again is also listed as ${status}`);
}

/** A violation: a reference was paid more than once. The finding shows the last of the responses to it. */
export const paidAgain = ({ reference, responses }: Sent, rows: number, when: string) =>
  new Violation(
    lastOf(responses),
    `paid the reference ${reference} more than once: ${rows} transfers are listed, ${when}`,
    "one payout, however often the reference is sent",
    responses,
  );

export function lastOf(responses: Responses): ApiResponse {
  const last = responses.at(-1);
  if (last) return last;
  throw new Error("nothing was sent for this reference");
}

/** Fails for an accepted transfer that is not listed, if the operator says by when it must be visible. */
export function failAsLost({ target }: CheckContext, response: ApiResponse): never {
  const after = `after ${target.settleMs / 1000} s`;
  if (!target.settleIsPromised)
    undecided(`an accepted transfer is not listed ${after}`, {
      advice: "set SETTLE_SECONDS to the time after which it must be, to decide this",
    });
  const actual = `accepted the transfer, but lists nothing under its reference ${after}`;
  demand(false, response, actual, "the transfer in the list");
}

/** How the API responded to further sends of a reference, in a few words. */
export function repliesToRepeats(responses: Responses): string {
  const answered = responses.filter(({ status }) => status !== undefined);
  // In a race, the first request to get a response need not be the one that was carried out.
  const first = answered.find(({ kind }) => kind === "done") ?? answered[0];
  const words = answered
    .filter((response) => response !== first)
    .map((response) => {
      const hasFailed = response.failure || response.statusClass === 5;
      if (response.kind !== "done") return `${hasFailed ? "a crash" : "a rejection"} (${response.status})`;
      return first && idOf(response) === idOf(first) ? "the first transactionId" : "another transactionId";
    });
  return [...new Set(words)].join(", then ") || "nothing";
}

const idOf = (response: ApiResponse) => JSON.stringify(response.field("transactionId"));

/** The different identifiers in the successful responses to one reference. */
export const identifiers = (responses: Responses) =>
  new Set(responses.filter(({ kind }) => kind === "done").map(idOf));

/** A client counts a payout for each transactionId, whatever the list shows: the result carries it (section 2). */
function reportIdentifiers(ctx: CheckContext, responses: Responses, shown: Repeated | undefined) {
  const accepted = responses.filter(({ kind }) => kind === "done");
  const other = accepted.find((response) => idOf(response) !== idOf(accepted[0] ?? response));
  if (!other) throw new Error("the responses name one transactionId");
  const listed = shown && shown.all > 0 ? "although the list shows one payout" : "and the list shows none";
  const returned = `returned ${identifiers(responses).size} transactionIds for one reference, ${listed}`;
  const message = `${returned}: a client counts a payout for each; expected the first transactionId or a rejection`;
  ctx.warn(message, { critical: true, response: other, others: accepted.filter((one) => one !== other) });
}

async function judgeUnacknowledged(ctx: CheckContext, reference: string, shown: Repeated | undefined) {
  const book = shown?.all ? await openBook(ctx) : undefined;
  // A rejection may be recorded, under a status that pays nothing.
  if (!book || (await book.of(reference)).paid === 0)
    undecided("no request with this reference was accepted", "createTransfer/accepted");
  ctx.warn("paid a reference that no response acknowledged", { critical: true });
}

/** What the list shows under a reference. */
export const listedUnder = (ctx: CheckContext, transferReference: string) =>
  listOf(ctx, "listTransfers").widest({ transferReference });
