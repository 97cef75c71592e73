import { setTimeout } from "node:timers/promises";
import { proxyFor } from "../../../fixtures/engine/config/proxy.ts";
import {
  moment,
  needDirectConnection,
  sendPartially,
} from "../../../fixtures/engine/http/connection/transport.ts";
import {
  type ApiResponse,
  type CheckContext,
  demand,
  type SendOptions,
  skip,
  undecided,
} from "../../../fixtures/engine/vocabulary.ts";
import { contract, type OperationId } from "../../../schemas/contract.ts";

type Via = NonNullable<SendOptions["via"]>;

/**
 * How many requests race, each on a connection of its own, and over how many milliseconds they are completed. A guard that
 * is missing may lose only to many requests, only to two, or only to one that comes a little later.
 */
export const ROUNDS = [
  { racers: 10, spreadMs: 0 },
  { racers: 2, spreadMs: 2 },
  { racers: 5, spreadMs: 20 },
];

interface RaceOptions<T> {
  /** The most racers in a round. */
  readonly most?: number;
  /** All complete their requests at the same moment in every round. */
  readonly together?: true;
  /** Judges a race before the next one is prepared. */
  readonly judge?: (one: T, responses: readonly ApiResponse[]) => Promise<unknown>;
}

/**
 * Races once in every round, as far as the budget and the data suffice: `prepare` makes what is raced for when the race
 * before it is over, and each racer sends it, or what is meant for its place, counted from 0. Throws `NotTested` if the
 * budget leaves no room for a race.
 */
export async function raceInRounds<T>(
  ctx: CheckContext,
  id: OperationId,
  prepare: () => Promise<T | undefined>,
  send: (one: T, via: Via, place: number) => Promise<ApiResponse>,
  { most = Number.POSITIVE_INFINITY, together, judge }: RaceOptions<T> = {},
) {
  const races: { readonly one: T; readonly responses: ApiResponse[] }[] = [];
  for (const { racers, spreadMs } of ROUNDS) {
    const money = contract[id].effect === "money" ? ctx.run.ledger.room : racers;
    const room = Math.min(racers, money, most);
    const one = room < 2 ? undefined : await prepare();
    if (one === undefined) break;
    const responses = await ctx.run.client.alone(() =>
      race(ctx, id, room, together ? 0 : spreadMs, (via, place) => send(one, via, place)),
    );
    races.push({ one, responses });
    await judge?.(one, responses);
  }
  if (races.length > 0) return races;
  skip("MAX_PAYOUTS leaves no room for a race", "budget", ["MAX_PAYOUTS"]);
}

/** A record to which requests add parts that it shows, each in a request of its own. */
interface Parts<T> {
  readonly id: OperationId;
  readonly names: readonly string[];
  /** What a request adds, in the plural. */
  readonly what: string;
  /** Makes a record that has none of the parts. */
  readonly make: () => Promise<T>;
  readonly add: (record: T, name: string, options?: SendOptions) => Promise<ApiResponse>;
  /** Reads the record once, and looks for these parts. */
  readonly read: (record: T, names: readonly string[]) => Promise<Look>;
}

interface Look {
  readonly response: ApiResponse;
  readonly lost: readonly string[];
}

/** Pause between requests that must not meet; some services drop what comes within a second of another request. */
const PAUSE_MS = 1_500;

/**
 * Demands that a record shows all parts that several requests added at the same moment, or without a pause, if it shows
 * those that are added with one: whoever reads a record, changes it and writes it back whole undoes what others wrote in
 * between. While one is added, a reader must not miss those that were there before.
 */
export async function keepsEveryPart<T>(ctx: CheckContext, parts: Parts<T>) {
  const { id, names, what, make, add } = parts;
  let decided = 0;
  const judge = async (one: T, responses: readonly ApiResponse[], when: string) => {
    const added = names.filter((_, place) => responses[place]?.kind === "done");
    if (added.length < 2) return;
    decided += 1;
    const { response, lost } = await look(ctx, parts, one, added);
    if (lost.length === 0) return;
    if (!(await keepsOneAfterTheOther(ctx, parts, added)))
      skip(`${what} do not all remain even if they come one after the other`);
    const actual = `does not show ${lost.join(" and ")}, although it accepted each of several ${what} that ${when}`;
    demand(false, response, actual, "all of them, as if there were a pause between them", responses);
  };
  // Each part only once: a second request could add again what was lost. Whoever comes later undoes nothing.
  await raceInRounds(
    ctx,
    id,
    make,
    (one, via, place) => add(one, names[place] ?? "", { via, mayBeBusy: true }),
    {
      most: names.length,
      together: true,
      // At once, since a part may leave this record when it is added to the next one.
      judge: (one, responses) => judge(one, responses, "arrived at the same moment"),
    },
  );
  if (decided === 0) undecided(`no two ${what} that arrived at the same moment were accepted`);
  const last = await make();
  const inRow: ApiResponse[] = [];
  for (const name of names) inRow.push(await add(last, name));
  await judge(last, inRow, "came right after one another");
  await showsWhatItHas(ctx, parts);
}

/** Reads a record until it shows these parts, for SETTLE_SECONDS at most. */
const look = <T>(ctx: CheckContext, { read }: Parts<T>, record: T, names: readonly string[]): Promise<Look> =>
  ctx.run.settling.until(
    () => read(record, names),
    ({ lost }) => lost.length === 0,
  );

/** While something is added, a record is read so often, with so many milliseconds in between. */
const READS = 6;
const EVERY_MS = 4;

/** Demands that a record shows a part each time while others are added, if it shows it before and afterwards. */
async function showsWhatItHas<T>(ctx: CheckContext, parts: Parts<T>) {
  const { names, what, make, add, read } = parts;
  const [first = "", ...others] = names;
  const record = await make();
  const added = await add(record, first);
  if (added.kind !== "done" || (await look(ctx, parts, record, [first])).lost.length > 0) return;
  await ctx.run.settling.all();
  for (const other of others) {
    const reads = Array.from({ length: READS }, async (_, n) => {
      await setTimeout(n * EVERY_MS);
      return read(record, [first]);
    });
    const [response, ...seen] = await Promise.all([add(record, other), ...reads]);
    const missing = seen.find((one) => one.response.kind === "done" && one.lost.length > 0);
    if (!missing || (await read(record, [first])).lost.length > 0) continue;
    const actual = `does not show ${first}, which it shows before and afterwards, while it adds ${other}`;
    demand(false, missing.response, `${actual} (${what})`, "what was there all the time", [added, response]);
  }
}

/** Whether a record keeps parts that come with a pause, also when the same ones are then added to another record. */
async function keepsOneAfterTheOther<T>(ctx: CheckContext, parts: Parts<T>, names: readonly string[]) {
  const { make, add } = parts;
  const records = [await make(), await make()] as const;
  for (const record of records) {
    for (const name of names) {
      await setTimeout(PAUSE_MS);
      await add(record, name);
    }
  }
  return (await look(ctx, parts, records[0], names)).lost.length === 0;
}

/** Sends several requests, so that they arrive at the same moment; through a proxy only roughly. */
export const sendAtOnce = (
  ctx: CheckContext,
  id: OperationId,
  count: number,
  send: (options?: SendOptions) => Promise<ApiResponse>,
) =>
  proxyFor(ctx.values, ctx.target.baseUrl)
    ? Promise.all(Array.from({ length: count }, () => send()))
    : ctx.run.client.alone(() => race(ctx, id, count, 0, (via) => send({ via })));

/** Opens every connection and sends all but the last byte of each request, then the last bytes of all. */
function race(
  ctx: CheckContext,
  id: OperationId,
  racers: number,
  spreadMs: number,
  send: (via: Via, place: number) => Promise<ApiResponse>,
): Promise<ApiResponse[]> {
  needDirectConnection(ctx.target);
  let ready = 0;
  const start = moment();
  const runners = Array.from({ length: racers }, (_, place) =>
    send(async (request, sending) => {
      const held = await sendPartially(ctx.target, contract[id], request, sending);
      ready += 1;
      if (ready === racers) start.come();
      await start.came;
      if (spreadMs > 0) await setTimeout((spreadMs * place) / (racers - 1));
      return held.release();
    }, place),
  );
  // A connection that cannot be opened must not leave the others waiting at the barrier.
  for (const runner of runners) runner.catch(start.come);
  return Promise.all(runners);
}
