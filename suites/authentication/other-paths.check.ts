import type { Answer } from "../../fixtures/http/answer.ts";
import { successMismatch } from "../../fixtures/http/mismatch.ts";
import { outcomeOf } from "../../fixtures/http/wording.ts";
import { expectRejected } from "../../fixtures/judge/expect-rejected.ts";
import { expectThat } from "../../fixtures/judge/matchers.ts";
import { check } from "../../fixtures/run/check.ts";
import { CheckContext, type SendOptions } from "../../fixtures/run/check-context.ts";
import { controlOf } from "../../fixtures/run/control.ts";
import { contract, type OperationId, operations } from "../../schemas/contract.ts";
import { answerTo, isUnauthenticated } from "./credential-answers.ts";

/** Another path at which an operation may answer, and how a request gets there. */
interface OtherPath {
  readonly id: string;
  readonly what: string;
  readonly suffix?: "/";
  readonly reach: (ctx: CheckContext, id: OperationId) => SendOptions;
}

const OTHER_FORM: OtherPath = {
  id: "other-path-form",
  what: "the other documented form of the path was called without an Authorization header",
  reach: ({ run }, id) => ({ pathForm: run.settings.pathForms[id] === "prefixed" ? "bare" : "prefixed" }),
};

const TRAILING_SLASH: OtherPath = {
  id: "trailing-slash",
  what: "the path with a slash at the end was called without an Authorization header",
  suffix: "/",
  reach: () => ({ pathSuffix: "/" }),
};

// Section 1: every operation requires authentication, wherever it answers; section 4 shows two forms of its path.
for (const { id, noun } of operations) {
  check(
    `${id}/auth/other-path-form`,
    `refuses ${noun} without a key at the other documented form of its path`,
    { must: ["R003"] },
    (ctx) => needsKeyAt(ctx, id, OTHER_FORM),
  );
  check(
    `${id}/auth/trailing-slash`,
    `refuses ${noun} without a key when its path ends with a slash`,
    { critical: ["R003"] },
    (ctx) => needsKeyAt(ctx, id, TRAILING_SLASH),
  );
  check(
    `${id}/auth/key-in-query`,
    `refuses ${noun} whose only key is an invalid one in the query`,
    { critical: ["R003"] },
    async (ctx) => {
      for (const name of ["api_key", "access_token"]) {
        const change = { query: { [name]: "bogus" } };
        const answer = await answerTo(ctx, id, `${name}-in-query`, { authorization: null }, change);
        const what = `the only key is the ${name} in the query, which was never issued`;
        if (!isUnauthenticated(answer)) await expectRejected(ctx, answer, { what });
      }
    },
  );
}

/**
 * Demands that nothing is carried out without a key at another path. A request that could change something goes there
 * only after an empty request has found something that does not ask for a key.
 */
async function needsKeyAt(ctx: CheckContext, id: OperationId, other: OtherPath) {
  await controlOf(ctx, id);
  const isRead = contract[id].effect === "read";
  if (!isRead) {
    const empty = await send(ctx, id, other, "empty", { bytes: "" });
    if (!mayBeTheOperation(ctx, id, empty) || (await isAnsweredEverywhere(ctx, id, other, empty))) return;
  }
  const answer = await send(ctx, id, other, "ordinary");
  if (!mayBeTheOperation(ctx, id, answer)) return;
  if (!answer.looksAccepted) {
    await expectRejected(ctx, answer, other);
    return;
  }
  if (!answer.isSuccess || successMismatch(answer) !== undefined) return;
  if (await isAnsweredEverywhere(ctx, id, other, answer)) return;
  expectThat(false, answer, `${outcomeOf(answer)} although ${other.what}`, "a rejection");
}

const send = (ctx: CheckContext, id: OperationId, other: OtherPath, name: string, more: SendOptions = {}) =>
  answerTo(ctx, id, `${other.id}-${name}`, {
    authorization: null,
    // Something that is not part of the service may answer there, so the answer is not judged as the service's.
    baseUrl: ctx.target.baseUrl,
    ...other.reach(ctx, id),
    ...more,
  });

/** A server that answers every path in the same way proves nothing about the operation. */
async function isAnsweredEverywhere(ctx: CheckContext, id: OperationId, other: OtherPath, answer: Answer) {
  if (!answer.looksAccepted) return false;
  const { route, effect } = contract[id];
  const scout = new CheckContext(ctx.run, { ...ctx.info, id: `${ctx.info.id}/unknown-path` });
  const pathSuffix = `${route.endsWith("}") ? "/" : "-"}${ctx.run.builder.fresh()}${other.suffix ?? ""}`;
  const empty = effect === "read" ? {} : { bytes: "" };
  const elsewhere = await send(scout, id, other, "unknown", { ...empty, pathSuffix });
  return elsewhere.status === answer.status && elsewhere.fingerprint === answer.fingerprint;
}

/** Whether something answered other than a demand for a key or the lack of such a path. */
function mayBeTheOperation({ run }: CheckContext, id: OperationId, answer: Answer): boolean {
  if (isUnauthenticated(answer) || answer.status === 404 || answer.status === 405) return false;
  if (answer.failure) return run.settings.bothForms.includes(id);
  return !(answer.is2xx && answer.jsonProblem?.kind === "html");
}
