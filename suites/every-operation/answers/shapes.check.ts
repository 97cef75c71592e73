import { Inconclusive, ifDecided } from "../../../fixtures/engine/http/findings.ts";
import type { ApiResponse } from "../../../fixtures/engine/http/response.ts";
import {
  expectRejectionAsDocumented,
  expectSuccessAsDocumented,
  expectThat,
} from "../../../fixtures/engine/judge/matchers.ts";
import { withOptionalFields } from "../../../fixtures/engine/judge/optional-fields.ts";
import { resolve } from "../../../fixtures/engine/lists/items.ts";
import { locate } from "../../../fixtures/engine/lists/list.ts";
import { checksIn } from "../../../fixtures/engine/run/check.ts";
import { requireControl } from "../../../fixtures/engine/run/control.ts";
import { plural } from "../../../reports/wording.ts";
import {
  documentsRejection,
  documentsSuccess,
  operations,
  successBodyRequirements,
} from "../../../schemas/contract.ts";
import { marksRequired } from "../../../schemas/operation.ts";
import { rejectedRequests } from "../../../schemas/probes.ts";
import { invalidRequests, responseToDefect } from "../requests/requests.ts";
import {
  differentRequests,
  enoughResponses,
  expectDifferent,
  expectNone,
  expectShapes,
  responsesOf,
} from "./recorded.ts";

const check = checksIn("late");

// Every response that an operation gave in this run has the documented form, not only those that a check asked for.
// An operation whose request is undocumented gets a single one, which the check of its acceptance judges.
for (const operation of operations.filter(({ fieldProbes }) => fieldProbes !== "none")) {
  const { id, requirements, bound } = operation;

  if (documentsSuccess(operation)) {
    const title = "returns the documented status and body with every success";
    const must = successBodyRequirements(operation);
    check(`${id}/answers/success-shape`, title, { must }, async (ctx) => {
      const { response: control, notTested } = await enoughResponses(ctx, id);
      const judged = expectShapes(ctx, id, "success", expectSuccessAsDocumented, (wrong) =>
        control && wrong.includes(control) ? `${id}/accepted` : undefined,
      );
      if (judged === 0)
        throw notTested ?? new Inconclusive("no request of this run was accepted", `${id}/accepted`);
    });
  }

  if (documentsRejection(operation)) {
    const title = "returns the documented error body with every rejection";
    check(`${id}/answers/rejection-shape`, title, { must: requirements.rejection ?? [] }, async (ctx) => {
      await responsesOf(ctx, id);
      // In a run of all checks, these have been sent before.
      const invalid = await Promise.all(
        invalidRequests(operation).map((defect) => ifDecided(responseToDefect(ctx, id, defect))),
      );
      expectShapes(ctx, id, "rejection", expectRejectionAsDocumented, (wrong) => {
        if (rejectedRequests(operation).length > 0 && wrong.some((response) => invalid.includes(response)))
          return `${id}/rejections/shape`;
        const statuses = wrong.map(({ status }) => status);
        const condition = bound.find(({ shape, status }) => shape && statuses.includes(status));
        return condition && `${id}/${condition.id}`;
      });
    });
  }
}

// A cache that keeps a list for a while without regard to limit breaks the rule only when it was filled with a wide
// page, so every page of the run is judged, whatever it was asked for.
for (const { id, list } of operations) {
  if (!list?.paged) continue;
  const title = "returns at most limit items on every page of the run";
  check(`${id}/answers/limit`, title, { must: list.paged.limit, scope: "paging" }, async (ctx) => {
    const recorded = await responsesOf(ctx, id);
    const { itemsIn } = await locate(ctx, id);
    const pages = recorded.flatMap((response) => {
      const limit = limitAsked(response);
      return limit === undefined ? [] : [{ response, limit, count: itemsIn(response.json).length }];
    });
    const long = pages.filter(({ limit, count }) => count > limit);
    const wrong = long.map(({ response }) => response);
    expectNone(ctx, wrong, `returned ${plural(long[0]?.count ?? 0, "item")}`, `at most ${long[0]?.limit}`);
    const most = Math.max(0, ...pages.map(({ count }) => count));
    if (most < 2)
      throw new Inconclusive(`no page has more than ${plural(most, "item")}, but this check needs 2`);
  });
}

/** The limit that a successful request asked for; `undefined` unless it is written once, as a plain whole number. */
function limitAsked({ isSuccess, jsonProblem, request }: ApiResponse): number | undefined {
  if (!isSuccess || jsonProblem) return undefined;
  const [asked, ...more] = new URL(request.path, request.origin).searchParams.getAll("limit");
  return more.length === 0 && /^[1-9]\d*$/.test(asked ?? "") ? Number(asked) : undefined;
}

// Section 2: transaction results carry an identifier. A transfer may be repeated, so it has checks of its own.
for (const operation of operations) {
  const { id, noun, success, effect, recordedRejection } = operation;
  const { has } = success;
  if (effect !== "money" || has === undefined || recordedRejection) continue;
  // The checks of optional fields pay for the second payment of the others.
  const options = { must: ["R008"], ...(!marksRequired(operation) && { pays: [0, 1] as const }) } as const;
  check(`${id}/${has}-unique`, `returns a different ${has} for each payment`, options, async (ctx) => {
    await requireControl(ctx, id);
    const accepted = () => differentRequests(ctx.run.responsesTo(id));
    if (accepted().length < 2) await withOptionalFields(ctx, id);
    expectDifferent(ctx, accepted(), (payment) => payment.written(has) ?? "", {
      repeated: (value) =>
        `returned the ${has} ${value} for two payments: it is not clear which one is meant`,
      expected: `a different one for each request for ${noun}`,
      none: new Inconclusive("no second payment was accepted: there is nothing to compare with"),
    });
  });

  // RFC 8259, section 6: readers that hold numbers as doubles see another one.
  check(
    `${id}/${has}-exact`,
    `returns a ${has} that no reader of JSON rounds`,
    { should: "RFC 8259" },
    async (ctx) => {
      const control = await requireControl(ctx, id);
      for (const payment of [control, ...differentRequests(ctx.run.responsesTo(id))]) {
        const isExact = !(Number(payment.written(has)) > Number.MAX_SAFE_INTEGER);
        const actual = `returned the ${has} ${payment.written(has)}, a number that most readers of JSON round`;
        expectThat(isExact, payment, actual, `at most ${Number.MAX_SAFE_INTEGER}`);
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
    await requireControl(ctx, id);
    const created = () => differentRequests(ctx.run.responsesTo(id));
    if (created().length < 2) await ctx.send(id, {}, { retry: false, mayBeBusy: true });
    const read = ({ json }: ApiResponse) => {
      const reference = resolve(json, "/data/reference");
      return typeof reference === "string" ? reference : undefined;
    };
    expectDifferent(ctx, created(), read, {
      repeated: (value) => `returned the data.reference ${JSON.stringify(value)} of another record`,
      expected: "a reference of its own",
      none: new Inconclusive("no two records were created with a data.reference: nothing to compare with"),
    });
  });
}
