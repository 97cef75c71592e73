import { setTimeout } from "node:timers/promises";
import type { Built } from "../../../fixtures/engine/http/build.ts";
import { claimRefund, refundDraft } from "../../../fixtures/engine/run/control.ts";
import {
  type ApiResponse,
  type CheckContext,
  type CheckOptions,
  checksIn,
  demand,
  NotTested,
  scalars,
  undecided,
} from "../../../fixtures/engine/vocabulary.ts";
import { type OperationId, operations } from "../../../schemas/contract.ts";
import type { OpenItemId } from "../../../schemas/open-items.ts";
import { ROUNDS, raceInRounds, worthOf } from "./race.ts";

const check = checksIn("repeats");

/** A write that can be carried out once; the checks of transfers race for themselves, since they count payouts. */
interface Race {
  readonly id: OperationId;
  /** What the requests of a race have in common. */
  readonly same: string;
  readonly options: CheckOptions;
  readonly item: OpenItemId;
  readonly draft: (ctx: CheckContext) => Built;
}

const RACES: readonly Race[] = [
  ...operations.flatMap(({ id, effect, takes, recordedRejection }): Race[] =>
    takes && !recordedRejection
      ? [
          {
            id,
            same: `the same ${takes.field}`,
            options:
              effect === "money"
                ? { critical: "practice", probe: true, pays: [0, ROUNDS.length] }
                : { should: "practice", probe: true },
            item: "N40",
            draft: (ctx) => ctx.draft(id),
          },
        ]
      : [],
  ),
  {
    id: "refundTransaction",
    same: "the same transactionRef",
    options: { critical: "G21", pays: [0, ROUNDS.length], probe: true },
    item: "G21",
    draft: (ctx) => refundDraft(ctx, claimRefund(ctx)),
  },
];

/** Pause before the repeat that shows whether the deployment rejects a second request at all. */
const PAUSE_MS = 500;

for (const { id, same, options, item, draft } of RACES) {
  const title = `carries out only one of several requests with ${same} that arrive at the same moment`;
  check(`${id}/race`, title, options, async (ctx) => {
    ctx.needProbeWrites();
    await ctx.ordinary(id);
    const prepare = async (made: number) => nextDraft(ctx, draft, made);
    const races = await raceInRounds(ctx, id, prepare, (one, via) =>
      ctx.send(id, {}, { draft: one, via, mayBeBusy: true }),
    );
    await setTimeout(PAUSE_MS);
    let decided = 0;
    for (const { one, responses } of races) {
      const [first, ...more] = distinct(responses.filter(({ isSuccess }) => isSuccess));
      const later = await ctx.send(
        id,
        {},
        {
          draft: one,
          retry: false,
          mayBeBusy: true,
          repeats: [...responses],
        },
      );
      if (later.isCrash) undecided(`${later.outcome} to a repeat after the race`);
      // Where a second request is always carried out, or answered like the first, another check says so.
      if (!first || later.handling !== "rejected" || later.isThrottled) continue;
      const actual = `carried out ${more.length + 1} of ${responses.length} requests with ${same} that arrived at the same moment, and rejects one that comes later`;
      demand(more.length === 0, first, actual, "one that is carried out", [...more, later]);
      decided += 1;
    }
    if (decided > 0)
      ctx.observe(item, `at most one of several requests with ${same} is carried out in ${worthOf(decided)}`);
  });
}

/** The request of the next race; `undefined` if the data of the operator do not suffice for a further one. */
function nextDraft(ctx: CheckContext, draft: Race["draft"], made: number): Built | undefined {
  try {
    return draft(ctx);
  } catch (error) {
    if (error instanceof NotTested && made > 0) return undefined;
    throw error;
  }
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
