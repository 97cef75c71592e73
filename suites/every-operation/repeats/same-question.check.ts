import { setTimeout } from "node:timers/promises";
import { z } from "zod";
import {
  type ApiResponse,
  type CheckContext,
  checksIn,
  demand,
  demandRejected,
  ifDecided,
  listOf,
  needAnswer,
  type Page,
  skip,
  undecided,
} from "../../../fixtures/engine/vocabulary.ts";
import { contract, type OperationId, operations } from "../../../schemas/contract.ts";
import { type Defect, errorSchemas, type Operation } from "../../../schemas/operation.ts";
import { TRANSFER_STATUSES } from "../../../schemas/operations/transfers.ts";
import { questionsOf } from "../../../schemas/probes.ts";
import { responseTo, unknownBearer } from "../authentication/credentials.ts";
import { responseToDefect } from "../requests.ts";

const check = checksIn("repeats");

// Late in the run, after many other calls, and on a new connection, the same question gets the same kind of response.
for (const operation of operations) {
  const { id } = operation;
  const { refused, read, unknownKey: asksKey, requirements } = questionsOf(operation);
  const title = "responds in the same way when a request is repeated late in the run";
  const always = (run: CheckContext["run"]) => (isKeyRefused(run, id) ? expectKeyAlwaysAccepted : undefined);
  check(`${id}/same-question`, title, { must: requirements, always }, async (ctx) => {
    await expectKeyAlwaysAccepted(ctx);
    await askAll([
      ...(refused ? [() => judgeRefused(ctx, id, refused)] : []),
      ...(asksKey ? [() => repeatUnknownKey(ctx, id)] : []),
      ...(read ? [() => repeatRead(ctx, id)] : []),
    ]);
  });

  if (!refused || !errorSchemas(operation).some((schema) => "errors" in Object(Object(schema).shape)))
    continue;
  const sameErrors = "names the same fields in errors each time that it rejects the same request";
  check(`${id}/same-errors`, sameErrors, { should: requirements }, async (ctx) => {
    const { first, again } = await repeatRefused(ctx, id, refused);
    for (const response of [first, again]) {
      needAnswer(response);
      if (response.kind !== "rejected") undecided(response.outcome, `${id}/same-question`);
    }
    // The same defect is in the same fields each time: any other field is left over from another request.
    const [earlier, later] = [namedIn(first), namedIn(again)];
    const common = later.filter((name) => earlier.includes(name));
    const other = [...earlier, ...later].find((name) => !common.includes(name));
    const actual = `named ${other} in errors only one of the two times that it rejected the same request`;
    demand(common.length === 0 || other === undefined, again, actual, "the same fields", [first]);
  });
}

const isKeyRefused = ({ keyRefusals: { proof } }: CheckContext["run"], id: OperationId) =>
  proof?.rejected.operation.id === id;

/** Fails the one check that names a deployment which accepts its key only sometimes. */
async function expectKeyAlwaysAccepted({ run, info }: CheckContext) {
  const { proof } = run.keyRefusals;
  if (!proof || proof.rejected.operation.id !== info.operation) return;
  const { accepted, rejected } = proof;
  const actual = `${rejected.outcome} to a request with the key, and ${accepted.outcome} to the same request at other times: an instance of the API may not know the key`;
  demand(false, rejected, actual, "the same response, whichever instance gets the request", [accepted]);
}

// What two filters found together, they find each time: one that is built anew for each request may mix up its values.
for (const [id, rule, statuses] of [
  ["listTransfers", "R011", TRANSFER_STATUSES],
  ["listRecipients", "R012", [true, false]],
] as const) {
  const filters = filtersOf(contract[id]);
  const title = `finds each time what ${filters.join(" and ")} found together`;
  check(`${id}/filters-find-each-time`, title, { should: [rule], scope: "paging" }, async (ctx) => {
    const first = (await lastFound(ctx, id, filters)) ?? (await findByStatus(ctx, id, statuses));
    if (!first) skip(`no request with ${filters.join(" and ")} found anything`);
    const pages = await askTimes(ctx, first, ASKED_AGAIN);
    if (pages.every(({ items }) => items.length > 0)) return;
    // What was found may have changed, and not every instance may know it yet.
    await ctx.run.settling.all();
    const settled = await askTimes(ctx, first, ASKED_SETTLED);
    const lost = settled.find(
      ({ items }, index) =>
        items.length === 0 &&
        [settled.slice(0, index), settled.slice(index)].every((some) => some.some(isFound)),
    );
    if (!lost) return;
    const empty = settled.filter((page) => !isFound(page)).length;
    const actual = `found nothing ${empty} of ${settled.length} times for a question that found something before and after`;
    demand(false, lost.response, actual, "the same items each time", [first]);
  });
}

/** How often a question is asked again that found something, and how often if it then found nothing. */
const ASKED_AGAIN = 5;
const ASKED_SETTLED = 16;

const isFound = ({ items }: Page) => items.length > 0;

/** The filters of a list, all of which may be left out. */
function filtersOf({ query }: Operation): string[] {
  return Object.entries(query?.shape ?? {}).flatMap(([name, field]) =>
    field instanceof z.ZodOptional ? [name] : [],
  );
}

/** The last response to all filters together that has items, if possible of transfers that keep their status. */
async function lastFound(ctx: CheckContext, id: OperationId, filters: readonly string[]) {
  const found: ApiResponse[] = [];
  for (const response of ctx.run.responsesTo(id)) {
    const { searchParams } = new URL(response.request.path, response.request.origin);
    if (!filters.every((name) => searchParams.getAll(name).length === 1)) continue;
    if (response.kind !== "done" || !response.isSentWith(ctx.target.secretKey)) continue;
    if (isFound(await listOf(ctx, id).itemsOf(response))) found.push(response);
  }
  const isFinal = ({ request }: ApiResponse) => !/status=(pending|unverified)\b/i.test(request.path);
  return found.findLast(isFinal) ?? found.at(-1);
}

/** Asks for what a text finds under each status, until something is found. */
async function findByStatus(ctx: CheckContext, id: OperationId, statuses: readonly unknown[]) {
  const { list }: Operation = contract[id];
  const known = await listOf(ctx, id).filters();
  const filter = known.find((one) => list && list.search in one.filter)?.filter;
  if (!filter) return undefined;
  for (const status of statuses) {
    const page = await listOf(ctx, id).first({ ...filter, status });
    if (isFound(page)) return page.response;
  }
  return undefined;
}

/** Asks one question several times, one after the other; responses that say nothing about the list are left out. */
async function askTimes(ctx: CheckContext, first: ApiResponse, times: number): Promise<Page[]> {
  const id = first.operationId;
  const pages: Page[] = [];
  for (let time = 0; time < times; time += 1) {
    const response = await ctx.sendAgain(first);
    // 404 may say that the filters find nothing.
    if (response.kind === "done" || response.status === 404)
      pages.push(await listOf(ctx, id).itemsOf(response));
  }
  return pages;
}

/** Asks every question, and reports one that decided nothing only after the others. */
async function askAll(questions: readonly (() => Promise<void>)[]) {
  const asked: Promise<void>[] = [];
  for (const ask of questions) {
    const answer = ask();
    asked.push(answer);
    await ifDecided(answer);
  }
  await Promise.all(asked);
}

/** Sends a request twice that must be refused; once per run. */
async function repeatRefused(ctx: CheckContext, id: OperationId, { change, what }: Defect) {
  const pair = await ctx.run.once(`refused twice/${id}`, async () => {
    const first = await responseToDefect(ctx, id, { change, what }, { mayBeBusy: true });
    const isUsable = !isAccepted(first) && first.kind !== "unavailable";
    return { first, again: isUsable ? await askAgain(ctx, first, isRefused) : first };
  });
  for (const response of [pair.first, pair.again]) ctx.note(response);
  return pair;
}

async function judgeRefused(ctx: CheckContext, id: OperationId, refused: Defect) {
  const { first, again } = await repeatRefused(ctx, id, refused);
  needAnswer(first);
  // Another check decides whether it may be accepted.
  if (!isAccepted(first)) await expectRefusedAgain(ctx, first, again, refused.what);
}

async function repeatUnknownKey(ctx: CheckContext, id: OperationId) {
  const authorization = unknownBearer(ctx);
  const first = await responseTo(ctx, id, "unknown-key", { authorization, headers: [] });
  if (isAccepted(first)) undecided("a key that was never issued was accepted", `${id}/auth/unknown-key`);
  const again = await askAgain(ctx, first, isRefused);
  await expectRefusedAgain(ctx, first, again, "the key was never issued");
}

async function repeatRead(ctx: CheckContext, id: OperationId) {
  const first = await ctx.ordinary(id);
  const again = await askAgain(ctx, first, ({ kind }) => kind === "done");
  needAnswer(again);
  const before = `the API ${first.outcome} to the same request before`;
  demand(again.kind === "done", again, `${again.outcome} although ${before}`, "a success again", [first]);
}

/** Pause before a question is asked for the last time. */
const PAUSE_MS = 500;

/** Sends a recorded request again; and once more if the response is of another kind, since any server may fail for a moment. */
async function askAgain(
  ctx: CheckContext,
  first: ApiResponse,
  isSameKind: (response: ApiResponse) => boolean,
): Promise<ApiResponse> {
  const second = await ctx.sendAgain(first);
  // If the API now carries out what it rejected before, no further proof is needed.
  if (isSameKind(second) || isAccepted(second)) return second;
  await setTimeout(PAUSE_MS);
  return ctx.sendAgain(first);
}

const isRefused = ({ kind }: ApiResponse) => kind === "rejected";
const isAccepted = ({ kind }: ApiResponse) => kind === "done" || kind === "seems done";

/** Demands that a request that was refused is refused again. */
async function expectRefusedAgain(ctx: CheckContext, first: ApiResponse, again: ApiResponse, what: string) {
  const before = `the API ${first.outcome} to the same request before`;
  needAnswer(again);
  if (isAccepted(again)) await demandRejected(ctx, again, { what: `${what}, and ${before}` });
  const isSame = first.kind === "crashed" || isRefused(again) || isAccepted(again);
  demand(isSame, again, `${again.outcome} although ${before}`, "a rejection again", [first]);
}

/** The fields that a rejection names as wrong (section 7, shapes A and B). */
const namedIn = (response: ApiResponse): string[] => Object.keys(Object(response.field("errors")));
