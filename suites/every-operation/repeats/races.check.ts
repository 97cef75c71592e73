import {
  type ApiResponse,
  checksIn,
  demand,
  scalars,
  undecided,
} from "../../../fixtures/engine/vocabulary.ts";
import { operations } from "../../../schemas/contract.ts";
import { ROUNDS, raceInRounds } from "./race.ts";

const check = checksIn("repeats");

// Transfers are counted, so they race for themselves, and so do refunds.
for (const { id, effect, takes, recordedRejection } of operations) {
  if (!takes || recordedRejection) continue;
  const same = `the same ${takes.field}`;
  const options =
    effect === "money"
      ? ({ critical: "practice", pays: [0, ROUNDS.length] } as const)
      : ({ should: "practice" } as const);
  const title = `carries out only one of several requests with ${same} that arrive at the same moment`;
  check(`${id}/race`, title, { ...options, probe: true }, async (ctx) => {
    ctx.needProbeWrites();
    await ctx.ordinary(id);
    const prepare = async () => ctx.draft(id);
    const races = await raceInRounds(ctx, id, prepare, (one, via) =>
      ctx.send(id, {}, { draft: one, via, mayBeBusy: true }),
    );
    // What comes next shows whether the deployment rejects a second request at all.
    await ctx.run.settling.pause();
    for (const { one, responses } of races) {
      const [first, ...more] = distinct(responses.filter(({ kind }) => kind === "done"));
      const repeats = [...responses];
      const later = await ctx.send(id, {}, { draft: one, retry: false, mayBeBusy: true, repeats });
      if (later.failure || later.statusClass === 5) undecided(`${later.outcome} to a repeat after the race`);
      // Where a second request is always carried out, or answered like the first, another check says so.
      if (!first || later.kind !== "rejected") continue;
      const actual = `carried out ${more.length + 1} of ${responses.length} requests with ${same} that arrived at the same moment, and rejects one that comes later`;
      demand(more.length === 0, first, actual, "one that is carried out", [...more, later]);
    }
  });
}

/** The successes that stand for different records: a repeat may be answered like the first request. */
function distinct(successes: readonly ApiResponse[]): ApiResponse[] {
  const known = new Map(successes.map((one) => [identityIn(one) ?? one, one]));
  return [...known.values()];
}

/** What identifies a new record: its reference. That of a payment is the client's, so all data except times counts instead. */
function identityIn(response: ApiResponse): string | undefined {
  const data: unknown = response.field("data");
  if (response.operation.effect === "money")
    return data === undefined
      ? undefined
      : JSON.stringify(scalars(data).filter(([, value]) => !isTime(value)));
  const { reference } = Object(data);
  return reference === undefined ? undefined : JSON.stringify(reference);
}

const isTime = (value: unknown) => /\d:\d\d/.test(String(value));
