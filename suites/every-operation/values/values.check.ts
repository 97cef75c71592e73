import {
  type ApiResponse,
  acceptedRows,
  checksIn,
  rejectedRows,
  sendOtherRows,
  skip,
} from "../../../fixtures/engine/vocabulary.ts";
import { operations } from "../../../schemas/contract.ts";
import { consentToRepeat, needExpendable } from "../requests.ts";
import { judgeRejected } from "./accepted.ts";
import { compareRow, expectNothingLost, expectShownAsSent, type ShownBefore } from "./echoed.ts";
import { foundByReference, listedRecords, showsRecords } from "./find-made.ts";
import { ENOUGH, expectOnlyItsOwn, FOLLOWING, inventedFields, sendWithAndWithout } from "./only-its-own.ts";
import { expectSameData } from "./same-data.ts";

const check = checksIn("after-writes");
const checkLate = checksIn("late");

// Rows of choices: valid values of every class in the fields that take any, and ways to send a request that do not change
// what it means. Most rows ride along with requests that the run sends anyway, and this check sends the others. A rule of
// the deployment may reject a value, but no row breaks anything, and none reads anything else.
for (const operation of operations) {
  const { id, noun, free, singleUse, effect, requirements } = operation;
  if (typeof singleUse === "object") continue;
  const title = free
    ? `takes valid values of every kind in ${noun}`
    : `takes ${noun} in whatever way it is sent`;
  const options = { should: requirements.types ?? requirements.success, ...consentToRepeat(id) };
  check(`${id}/values/accepted`, title, options, async (ctx) => {
    needExpendable(ctx, id);
    await ctx.ordinary(id);
    const before = effect === "read" ? await ctx.send(id, {}, { retry: false, mayBeBusy: true }) : undefined;
    await sendOtherRows(ctx, id);
    for (const rejected of await rejectedRows(ctx, id)) await judgeRejected(ctx, rejected);
    if (before) await expectSameData(ctx, id, before);
  });
}

// A value comes back as it was sent, where a response or a list shows it under the same name.
for (const { id, noun, effect, free } of operations) {
  if (effect === "read" || !free || !showsRecords(id)) continue;
  const title = `shows the values of ${noun} as they were sent, wherever it shows them`;
  checkLate(`${id}/values/echoed`, title, { critical: "practice" }, async (ctx) => {
    const control = await ctx.ordinary(id);
    const mayProbe = effect === "update" || ctx.target.allow.probeWrites;
    if (mayProbe) {
      await sendOtherRows(ctx, id);
      await rejectedRows(ctx, id);
    }
    const ordinary = [
      control.text,
      ...(await listedRecords(ctx, control)).map(({ record }) => JSON.stringify(record)),
    ];
    const shown: ShownBefore = { units: new Map(), fields: new Set(), ordinary: ordinary.join() };
    const compare = async (response: ApiResponse) =>
      expectShownAsSent(ctx, response, await listedRecords(ctx, response), shown);
    let compared = await compare(control);
    const accepted = acceptedRows(ctx, id);
    for (const one of accepted) compared += await compareRow(ctx, one, mayProbe, compare);
    const found = mayProbe ? await foundByReference(ctx, control) : undefined;
    const isFound = found?.some === true && found.only;
    if (mayProbe) for (const one of accepted) await expectNothingLost(ctx, one, shown, isFound);
    if (compared === 0) skip("no response or list shows a value under the name that it was sent under");
  });
}

// A service that fills an object again for each request, or a prepared statement, may keep in it what an earlier one had.
for (const { id, noun, effect } of operations) {
  if ((effect !== "create" && effect !== "money") || !showsRecords(id) || inventedFields(id).length === 0)
    continue;
  const title = `shows ${noun} without values that only other requests had`;
  const payments = effect === "money" && ({ pays: [0, 1 + FOLLOWING] } as const);
  checkLate(
    `${id}/values/only-its-own`,
    title,
    { critical: "practice", probe: true, ...payments },
    async (ctx) => {
      const control = await ctx.ordinary(id);
      if (Number(expectOnlyItsOwn(ctx, id)) >= ENOUGH) return;
      ctx.needProbeWrites();
      await sendOtherRows(ctx, id);
      for (const { response } of [{ response: control }, ...acceptedRows(ctx, id)])
        await listedRecords(ctx, response);
      if (expectOnlyItsOwn(ctx, id) !== undefined) await sendWithAndWithout(ctx, id);
      if (!expectOnlyItsOwn(ctx, id)) skip(`nothing shows a value of ${noun} that may be left out`);
    },
  );
}
