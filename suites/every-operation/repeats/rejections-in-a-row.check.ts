import { setTimeout } from "node:timers/promises";
import {
  type ApiResponse,
  type CheckContext,
  checksIn,
  demand,
  type SendOptions,
  undecided,
} from "../../../fixtures/engine/vocabulary.ts";
import { contract, type OperationId } from "../../../schemas/contract.ts";
import type { Change } from "../../../schemas/operation.ts";
import { FRESH } from "../../../schemas/recipe.ts";
import { cardField } from "../requests.ts";

const check = checksIn("late");

/** Any server may fail for a moment; a circuit breaker stays open for longer. */
const PAUSE_MS = 500;

/** Rejections that a circuit breaker may take for failures of the service behind it: many open after five in a row. */
const ROWS: readonly {
  readonly id: OperationId;
  readonly name: string;
  readonly title: string;
  /** What the rejected requests have in common. */
  readonly what: string;
  readonly times: number;
  readonly change: (ctx: CheckContext) => Change;
  /** The check that decides about the first of them. */
  readonly decidedBy: string;
  readonly options?: { readonly pays: readonly [least: number, most: number] };
  readonly sending?: Pick<SendOptions, "invalid">;
}[] = [
  {
    id: "createCardTransaction",
    name: "after-declined-cards",
    title: "does not fail on a payment right after it declined another card several times",
    what: "by a card that it declines",
    times: 5,
    change: (ctx) => ({ body: { cardNumber: cardField(ctx.values, ctx.need("DECLINING_CARD_NUMBER")) } }),
    decidedBy: "declining-card",
    options: { pays: [0, 6] },
  },
  {
    id: "addSplitSubaccount",
    name: "after-unknown-subaccounts",
    title: "does not fail on a share right after it rejected those of unknown subaccounts",
    what: "of unknown subaccounts",
    times: 10,
    change: () => ({ body: { sub_account_id: FRESH } }),
    decidedBy: "sub_account_id-unknown",
    sending: { invalid: true },
  },
];

/** Whether the API says that it limits requests, not only that it does not serve this one. */
const isLimited = (response: ApiResponse) =>
  response.status === 429 || (response.status === 503 && response.header("retry-after") !== undefined);

const hasFailed = ({ kind, status }: ApiResponse) => kind === "crashed" || status === 503;

// After so many declined payments, a deployment may block the card or its customer. This therefore comes late in the run, and
// any rejection passes. A server error does not.
for (const { id, name, title, what, times, change, decidedBy, options, sending } of ROWS)
  check(`${id}/${name}`, title, { critical: "practice", probe: true, ...options }, async (ctx) => {
    ctx.needProbeWrites();
    const wrong = change(ctx);
    await ctx.ordinary(id);
    if (ctx.run.responsesTo(id).some(isLimited))
      undecided("the API limits such requests, so it may limit the next ones for that reason");
    const send = (more: Change = {}, how: SendOptions = {}) =>
      ctx.send(id, more, { ...how, retry: false, alone: true, mayBeBusy: true });
    const rejected: ApiResponse[] = [];
    // A success in between, of any operation of the same service, would close a breaker or keep it closed.
    const ordinary = await ctx.run.client.alone(async () => {
      while (rejected.length < times && !rejected.some(hasFailed)) rejected.push(await send(wrong, sending));
      return send();
    });
    const [first] = rejected;
    if (first && hasFailed(first))
      undecided(`${contract[id].noun} ${what} ${first.fate}`, `${id}/${decidedBy}`);
    ctx.observe("N40", `${contract[id].noun} right after ${rejected.length} ${what} ${ordinary.fate}`);
    if (!hasFailed(ordinary)) return;
    await setTimeout(PAUSE_MS);
    const again = await send();
    const actual = `${ordinary.outcome}, and then ${again.outcome} to ${contract[id].noun} that it accepts otherwise, right after ${rejected.length} ${what}`;
    demand(!hasFailed(again), again, actual, "no failure", [...rejected, ordinary]);
  });
