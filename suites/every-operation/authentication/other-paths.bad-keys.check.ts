import { Inconclusive, missingVariables } from "../../../fixtures/engine/http/findings.ts";
import { successMismatch } from "../../../fixtures/engine/http/mismatch.ts";
import type { ApiResponse } from "../../../fixtures/engine/http/response.ts";
import { outcomeOf } from "../../../fixtures/engine/http/wording.ts";
import { expectRejected } from "../../../fixtures/engine/judge/expect-rejected.ts";
import { expectAnswered, expectOutcome } from "../../../fixtures/engine/judge/matchers.ts";
import { type Basis, check, checksUnder } from "../../../fixtures/engine/run/check.ts";
import { CheckContext, type SendOptions } from "../../../fixtures/engine/run/check-context.ts";
import { controlOf } from "../../../fixtures/engine/run/control.ts";
import { contract, type OperationId, operations } from "../../../schemas/contract.ts";
import { isUnauthenticated, responseTo, unknownKey } from "./credentials.ts";

/** Another path at which an operation may answer, and how a request gets there. */
interface OtherPath {
  readonly id: string;
  readonly path: string;
  readonly basis: Basis;
  readonly suffix?: "/";
  readonly reach: (ctx: CheckContext, id: OperationId) => SendOptions;
}

const OTHER_FORM: OtherPath = {
  id: "other-path-form",
  path: "the other documented form of the path",
  basis: { must: ["R003"] },
  reach: ({ run }, id) => ({ pathForm: run.settings.pathForms[id] === "prefixed" ? "bare" : "prefixed" }),
};

const OTHER_PATHS: readonly OtherPath[] = [
  OTHER_FORM,
  {
    id: "trailing-slash",
    path: "the path with a slash at the end",
    basis: { critical: ["R003"] },
    suffix: "/",
    reach: () => ({ pathSuffix: "/" }),
  },
];

/** Who calls without a valid key. */
interface Caller {
  readonly id: string;
  readonly what: string;
  readonly authorization: (ctx: CheckContext) => string | null;
}

const NO_KEY: Caller = {
  id: "no-key",
  what: "without an Authorization header",
  authorization: () => null,
};

const UNKNOWN_KEY: Caller = {
  id: "unknown-key",
  what: "with a key that was never issued",
  authorization: ({ run }) => `Bearer ${unknownKey(run.settings.runId)}`,
};

// Section 1: every operation requires authentication, wherever it answers; section 4 shows two forms of its path.
for (const { id, noun, effect } of operations) {
  const check = checksUnder(`${id}/auth`);
  for (const other of OTHER_PATHS)
    check(other.id, `refuses ${noun} without a valid key at ${other.path}`, other.basis, async (ctx) => {
      const keyless = await needsKeyAt(ctx, id, other, NO_KEY);
      // Something asks for a key there, and may take any.
      if (other === OTHER_FORM && effect === "read" && isUnauthenticated(keyless))
        await needsKeyAt(ctx, id, other, UNKNOWN_KEY);
    });

  const title = `refuses ${noun} whose only key is an invalid one in the query`;
  check("key-in-query", title, { critical: ["R003"] }, async (ctx) => {
    for (const name of ["api_key", "access_token"]) {
      const change = { query: { [name]: "bogus" } };
      const response = await responseTo(ctx, id, `${name}-in-query`, { authorization: null }, change);
      const what = `the only key is the ${name} in the query, which was never issued`;
      if (!isUnauthenticated(response)) await expectRejected(ctx, response, { what });
    }
  });
}

/**
 * Demands that nothing is carried out without a valid key at another path; returns the last response. A request that could
 * change something goes there only after an empty request has found something that does not ask for a key.
 */
async function needsKeyAt(ctx: CheckContext, id: OperationId, other: OtherPath, caller: Caller) {
  await controlOf(ctx, id);
  const isRead = contract[id].effect === "read";
  if (!isRead) {
    const empty = await send(ctx, id, { other, caller, name: "empty" }, { bytes: "" });
    if (!mayBeTheOperation(ctx, id, empty)) return empty;
    if (await isAnsweredEverywhere(ctx, id, { other, caller }, empty)) return empty;
  }
  const response = await send(ctx, id, { other, caller, name: "ordinary" });
  if (!mayBeTheOperation(ctx, id, response)) return response;
  const what = `${other.path} was called ${caller.what}`;
  if (!response.looksAccepted) await expectRejected(ctx, response, { what });
  if (!response.isSuccess || successMismatch(response) !== undefined) return response;
  expectOutcome(
    await isAnsweredEverywhere(ctx, id, { other, caller }, response),
    response,
    what,
    "a rejection",
  );
  return response;
}

/** Where a request goes, and who sends it. */
interface Way {
  readonly other: OtherPath;
  readonly caller: Caller;
}

const send = (
  ctx: CheckContext,
  id: OperationId,
  { other, caller, name }: Way & { readonly name: string },
  more: SendOptions = {},
) =>
  responseTo(ctx, id, `${other.id}-${caller.id}-${name}`, {
    authorization: caller.authorization(ctx),
    // Something that is not part of the service may answer there, so the response is not judged as the service's.
    baseUrl: ctx.target.baseUrl,
    ...other.reach(ctx, id),
    ...more,
  });

/** A server that answers every path in the same way proves nothing about the operation. */
async function isAnsweredEverywhere(ctx: CheckContext, id: OperationId, way: Way, response: ApiResponse) {
  if (!response.looksAccepted) return false;
  const { route, effect } = contract[id];
  const scout = new CheckContext(ctx.run, { ...ctx.info, id: `${ctx.info.id}/unknown-path` });
  const pathSuffix = `${route.endsWith("}") ? "/" : "-"}${ctx.run.builder.fresh()}${way.other.suffix ?? ""}`;
  const empty = effect === "read" ? {} : { bytes: "" };
  const elsewhere = await send(scout, id, { ...way, name: "unknown" }, { ...empty, pathSuffix });
  return elsewhere.status === response.status && elsewhere.fingerprint === response.fingerprint;
}

/** Whether something answered other than a demand for a key or the lack of such a path. */
function mayBeTheOperation({ run }: CheckContext, id: OperationId, response: ApiResponse): boolean {
  if (isUnauthenticated(response) || response.status === 404 || response.status === 405) return false;
  if (response.failure) return run.settings.bothForms.includes(id);
  return !(response.is2xx && response.jsonProblem?.kind === "html");
}

const UNREADABLE = ["html", "undecodable"];
const TEST_KEY = "a test key was sent to the live host";

// Section 5.2 keeps test and live keys apart; that a live host must reject a test key is what the suite's users ask
// for. Only these reads are ever sent to a live host.
for (const { id, noun, effect } of operations) {
  if (effect !== "read") continue;
  const title = `refuses ${noun} on the live host when the key is a test key`;
  const options = { mandate: "mandate", scope: "live-host" } as const;
  check(`${id}/environment/test-key-refused-by-live`, title, options, (ctx) => expectRejectedByLive(ctx, id));
}

/** The live host may have another path form than the deployment under test, so both are tried there. */
async function expectRejectedByLive(ctx: CheckContext, id: OperationId) {
  const baseUrl = liveBaseUrl(ctx);
  const responses = [
    await ctx.sendInvalid(id, {}, { baseUrl, pathForm: "bare" }),
    await ctx.sendInvalid(id, {}, { baseUrl, pathForm: "prefixed" }),
  ];
  for (const response of responses) expectOutcome(!isAccepted(response), response, TEST_KEY, "a rejection");
  const found = responses.filter((response) => !isMissing(response));
  if (found.length === 0)
    throw new Inconclusive("the live host has this operation under neither path form", {
      advice: "check LIVE_BASE_URL, which is the part before /api/user-service/external/v1/profile",
    });
  const rejection = found.find(isUnauthenticated) ?? found[0] ?? responses[0];
  if (!rejection) return;
  expectAnswered(rejection);
  if (rejection.status === undefined) throw new Inconclusive(`${outcomeOf(rejection)}: nothing was rejected`);
  if (rejection.is2xx && rejection.jsonProblem)
    throw new Inconclusive("the live host returns web pages", { advice: "check LIVE_BASE_URL" });
  if (!isUnauthenticated(rejection))
    ctx.passWeakly(`${outcomeOf(rejection)}, perhaps for another reason than the test key`);
}

/** A login page, a catch-all, an error or an unreadable body may have the status of a success, but shows no one's data. */
function isAccepted(response: ApiResponse): boolean {
  const isError =
    /^(error|fail|unauthori)/i.test(String(response.field("status"))) && !response.field("data");
  return response.looksAccepted && !UNREADABLE.includes(response.jsonProblem?.kind ?? "") && !isError;
}

const isMissing = ({ status }: ApiResponse) => status === 404 || status === 405;

function liveBaseUrl({ target }: CheckContext): string {
  if (target.environment === "live") return target.baseUrl;
  if (target.liveBaseUrl === undefined) throw missingVariables(["LIVE_BASE_URL"]);
  return target.liveBaseUrl;
}

/** Few enough that a reasonable limit on bad keys is not reached. */
const BURST = 9;

// These are the last calls of a run: the client may be locked out after them (N41).
const AFTER_BAD_KEYS = `handling of a valid key right after ${BURST} bad ones`;
check("getProfile/auth/after-bad-keys", AFTER_BAD_KEYS, { observe: "N41" }, async (ctx) => {
  for (let n = 1; n <= BURST; n++) {
    const authorization = `Bearer ${unknownKey(`${ctx.run.settings.runId} ${n}`)}`;
    await ctx.send("getProfile", {}, { authorization, retry: false });
  }
  const response = await ctx.send("getProfile", {}, { retry: false });
  const fate = response.isSuccess ? "is accepted" : `is not accepted: the API ${outcomeOf(response)}`;
  ctx.observe("N41", `right after ${BURST} bad keys, a valid key ${fate}`);
});
