import {
  type ApiResponse,
  checksIn,
  demand,
  undecided,
  withOptionalFields,
} from "../../../fixtures/engine/vocabulary.ts";
import { operations, successBodyRequirements } from "../../../schemas/contract.ts";
import { marksRequired } from "../../../schemas/operation.ts";
import { differentRequests, expectDifferent } from "./recorded.ts";

const check = checksIn("late");

// Section 2: transaction results carry an identifier. A transfer may be repeated, so it has checks of its own.
for (const operation of operations) {
  const { id, noun, success, effect, recordedRejection } = operation;
  const { has } = success;
  if (effect !== "money" || has === undefined || recordedRejection) continue;
  // The checks of optional fields pay for the second payment of the others.
  const options = { must: ["R008"], ...(!marksRequired(operation) && { pays: [0, 1] as const }) } as const;
  check(`${id}/${has}-unique`, `returns a different ${has} for each payment`, options, async (ctx) => {
    await ctx.ordinary(id);
    const accepted = () => differentRequests(ctx.run.responsesTo(id));
    if (accepted().length < 2) await withOptionalFields(ctx, id);
    expectDifferent(ctx, accepted(), (payment) => payment.written(has) ?? "", {
      repeated: (value) =>
        `returned the ${has} ${value} for two payments: it is not clear which one is meant`,
      expected: `a different one for each request for ${noun}`,
      none: () => undecided("no second payment was accepted: there is nothing to compare with"),
    });
  });

  // RFC 8259, section 6: readers that hold numbers as doubles see another one.
  check(
    `${id}/${has}-exact`,
    `returns a ${has} that no reader of JSON rounds`,
    { should: "RFC 8259" },
    async (ctx) => {
      const control = await ctx.ordinary(id);
      for (const payment of [control, ...differentRequests(ctx.run.responsesTo(id))]) {
        const isExact = !(Number(payment.written(has)) > Number.MAX_SAFE_INTEGER);
        const actual = `returned the ${has} ${payment.written(has)}, a number that most readers of JSON round`;
        demand(isExact, payment, actual, `at most ${Number.MAX_SAFE_INTEGER}`);
      }
    },
  );
}

// Section 4: a creation returns data.reference, which is of no use if another record has it too.
for (const operation of operations) {
  const { id, noun, effect } = operation;
  if (effect !== "create") continue;
  const title = `returns a different data.reference for each request to create ${noun}`;
  const should = successBodyRequirements(operation);
  check(`${id}/references-differ`, title, { should }, async (ctx) => {
    await ctx.ordinary(id);
    const created = () => differentRequests(ctx.run.responsesTo(id));
    if (created().length < 2) await ctx.send(id, {}, { retry: false, mayBeBusy: true });
    const read = (response: ApiResponse) => {
      const { reference } = Object(response.field("data"));
      return typeof reference === "string" ? reference : undefined;
    };
    expectDifferent(ctx, created(), read, {
      repeated: (value) => `returned the data.reference ${JSON.stringify(value)} of another record`,
      expected: "a reference of its own",
      none: () => undecided("no two records were created with a data.reference: nothing to compare with"),
    });
  });
}
