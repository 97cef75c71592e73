import { Violation } from "../../fixtures/engine/http/findings.ts";
import type { ApiResponse } from "../../fixtures/engine/http/response.ts";
import { bodySent, partSent } from "../../fixtures/engine/http/sent.ts";
import { handlingOf, membersOf, outcomeOf } from "../../fixtures/engine/http/wording.ts";
import {
  operationOfCheck,
  sendTolerated,
  shouldRejectCritically,
  shouldRejectSecond,
} from "../../fixtures/engine/judge/check-families.ts";
import { expectRejected } from "../../fixtures/engine/judge/expect-rejected.ts";
import {
  expectAnswered,
  expectNoCrash,
  expectRejectionAsDocumented,
  expectThat,
} from "../../fixtures/engine/judge/matchers.ts";
import { expectOptionalFields } from "../../fixtures/engine/judge/optional-fields.ts";
import { check, type Rules } from "../../fixtures/engine/run/check.ts";
import type { CheckContext, SendOptions } from "../../fixtures/engine/run/check-context.ts";
import { requireControl } from "../../fixtures/engine/run/control.ts";
import { fieldDefect, rejectionTitle } from "../../schemas/changes.ts";
import { contract, type OperationId } from "../../schemas/contract.ts";
import type { OpenItemId } from "../../schemas/open-items.ts";
import type { Defect, Operation } from "../../schemas/operation.ts";
import type { RequirementId } from "../../schemas/requirements.ts";
import { responseToDefect } from "./statuses-and-bodies/requests.ts";

/**
 * Amounts that no client can mean, by name, as the JSON text has them: JavaScript cannot write some of these numbers.
 * The specification sets no bounds (G02), but an API that carries out a payment of zero or less gives money away.
 */
const NOT_POSITIVE = { zero: "0", negative: "-1", "negative-fraction": "-0.01" };
const OUT_OF_SCALE = { thousandth: "0.001", "three-decimals": "100.005", quadrillion: "1e15" };
const OUT_OF_RANGE = { "largest-exponent": "1e308", "beyond-exact-integers": "9007199254740993" };

/** Registers, for an operation that pays, that it refuses odd amounts; with `outOfRange`, also very large ones. */
export function refusesOddAmounts(id: OperationId, { outOfRange }: { readonly outOfRange: boolean }) {
  const send = (ctx: CheckContext, literal: string) => ctx.sendInvalid(id, {}, withAmount(ctx, id, literal));
  for (const [name, literal] of Object.entries(NOT_POSITIVE)) {
    const wrong = {
      what: `amount is ${literal}`,
      field: "amount",
      send: (ctx: CheckContext) => send(ctx, literal),
    };
    shouldRejectCritically(`${id}/amount-${name}`, "G02", wrong);
  }
  for (const [name, literal] of Object.entries({ ...OUT_OF_SCALE, ...(outOfRange && OUT_OF_RANGE) })) {
    const wrong = { what: `amount is ${literal}`, field: "amount" };
    const title = rejectionTitle(contract[id].noun, wrong.what);
    check(`${id}/amount-${name}`, title, { should: "G02" }, async (ctx) => {
      ctx.needProbeWrites();
      const response = await send(ctx, literal);
      await expectRejected(ctx, response, wrong);
      expectNoCrash(response, wrong.what);
    });
  }
  if (!outOfRange) return;
  // It overflows to infinity in a double.
  check(`${id}/amount-overflow`, "does not crash when amount is 1E400", { should: "G02" }, async (ctx) => {
    const response = await sendTolerated(ctx, id, {}, withAmount(ctx, id, "1E400"));
    expectNoCrash(response, "amount is 1E400");
    ctx.observe("G02", `an amount of 1E400 ${handlingOf(response)}`);
  });
}

/** Larger than any cap, and small enough that the sum of several is still a number. */
const BEYOND_ANY_CAP = 1e300;

/** How a request is sent with exactly this amount; if data or a consent is missing, it cannot be carried out. */
function withAmount(ctx: CheckContext, id: OperationId, literal: string): SendOptions {
  const withheld = ctx.missing(id).length > 0;
  const body = { amount: Math.min(Number(literal), Number.MAX_VALUE) };
  const draft = ctx.run.builder.build(id, { body }, { withheld });
  const stake = draft.stake === undefined ? undefined : Math.min(draft.stake, BEYOND_ANY_CAP);
  const { amount: _, ...rest } = draft.body ?? {};
  const bytes = JSON.stringify(rest).replace(/^\{/, `{"amount":${literal},`).replace(/,\}$/, "}");
  return { draft: { ...draft, stake }, bytes };
}

/** Registers an observation of the status codes of an operation whose codes are undocumented. */
export function observeStatus(id: OperationId, item: OpenItemId) {
  const title = `status codes for ${contract[id].noun}, accepted and rejected`;
  check(`${id}/status-codes`, title, { observe: item }, async (ctx) => {
    const success = await requireControl(ctx, id);
    ctx.observe(item, `an accepted request returns ${success.status}`);
    const response = await responseToDefect(ctx, id, NO_AMOUNT);
    if (!response.failure) ctx.observe(item, `a request without amount returns ${response.status}`);
  });
}

const NO_AMOUNT = fieldDefect("amount", undefined);

/** Registers that a rejection has no identifier, which clients would take for a success. */
export function rejectsWithoutIdentifier(id: OperationId, rules: Rules) {
  const { noun, success }: Operation = contract[id];
  const { has = "" } = success;
  const title = `returns no ${has} when it refuses ${noun}`;
  check(`${id}/refusal-without-identifier`, title, { critical: rules }, async (ctx) => {
    const response = await responseToDefect(ctx, id, NO_AMOUNT);
    expectAnswered(response);
    const isWrong = response.identifier !== undefined && (await isRejection(ctx, response));
    expectThat(!isWrong, response, `${outcomeOf(response)} with ${has}`, "a rejection without an identifier");
  });
}

/** Whether a payment without amount was rejected, recorded or not; other checks judge a payment that was carried out. */
async function isRejection(ctx: CheckContext, response: ApiResponse): Promise<boolean> {
  if (!response.is2xx) return true;
  try {
    await expectRejected(ctx, response, NO_AMOUNT);
    return true;
  } catch (error) {
    if (error instanceof Violation) return false;
    throw error;
  }
}

/** Registers that the ordinary request is accepted with all of its optional fields as well. */
export function acceptsOptionalFields(id: OperationId, must: readonly RequirementId[], pays: 0 | 1 = 1) {
  const fields = Object.keys((contract[id] as Operation).optional ?? {});
  const title = `accepts ${contract[id].noun} with ${new Intl.ListFormat("en-GB").format(fields)}`;
  check(`${id}/optional-fields`, title, { must, pays }, (ctx) => expectOptionalFields(ctx, id));
}

/** Registers that a second record cannot have the same value in `field`. */
export const refusesTaken = (id: OperationId, field: string, rules: Rules) =>
  shouldRejectSecond(`${id}/${field}-repeated`, rules, `the ${field} is taken`, (first) => ({
    [field]: partSent(first, field) ?? bodySent(first)[field],
  }));

/** Registers an observation of the members of an undocumented record in a success. */
export const observeMembers = (
  id: `${OperationId}/${string}`,
  item: OpenItemId,
  field: string,
  what: string,
) =>
  check(id, `members of ${what}`, { observe: item }, async (ctx) => {
    const response = await requireControl(ctx, operationOfCheck(id));
    ctx.observe(item, `${what} is ${membersOf(response.field(field))}`);
  });

/** Registers that a request has the documented body if it gets the documented status, which is open. */
export function returnsBodyIf(
  id: `${OperationId}/${string}`,
  must: readonly RequirementId[],
  { status, ...defect }: Defect & { readonly status: number },
) {
  const title = `returns the documented body with a ${status} when ${defect.what}`;
  check(id, title, { must }, async (ctx) => {
    const response = await responseToDefect(ctx, operationOfCheck(id), defect);
    expectAnswered(response);
    if (response.status === status) expectRejectionAsDocumented(response);
  });
}
