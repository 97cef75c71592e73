import { setTimeout } from "node:timers/promises";
import {
  moment,
  needDirectConnection,
  sendPartially,
} from "../../../fixtures/engine/http/connection/partial.ts";
import {
  type ApiResponse,
  type CheckContext,
  type SendOptions,
  skip,
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

/**
 * How likely the rounds show a missing guard that loses every second race: a sentence for an observation, so that a
 * reader knows what "no race was lost" is worth.
 */
export const worthOf = (rounds: number) =>
  `${rounds} races: a guard that loses every second one would have been seen with a probability of ${Math.round(100 * (1 - 0.5 ** rounds))} %`;

/**
 * Races once in every round, as far as the budget and the data suffice: `prepare` makes what is raced for when the race
 * before it is over, and each racer sends it, or what is meant for its place, counted from 0. Throws `NotTested` if the
 * budget leaves no room for a race.
 */
export async function raceInRounds<T>(
  ctx: CheckContext,
  id: OperationId,
  prepare: (made: number) => Promise<T | undefined>,
  send: (one: T, via: Via, place: number) => Promise<ApiResponse>,
) {
  const races: { readonly one: T; readonly responses: ApiResponse[] }[] = [];
  for (const { racers, spreadMs } of ROUNDS) {
    const money = contract[id].effect === "money" ? ctx.run.ledger.room : racers;
    const room = Math.min(racers, money);
    const one = room < 2 ? undefined : await prepare(races.length);
    if (one === undefined) break;
    const responses = await ctx.run.client.alone(() =>
      race(ctx, id, room, spreadMs, (via, place) => send(one, via, place)),
    );
    races.push({ one, responses });
  }
  if (races.length > 0) return races;
  skip("MAX_PAYOUTS leaves no room for a race", "budget", ["MAX_PAYOUTS"]);
}

/** Opens every connection and sends all but the last byte of each request, then the last bytes of all. */
export function race(
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
