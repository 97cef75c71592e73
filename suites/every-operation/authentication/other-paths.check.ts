import { Inconclusive, missingVariables, needAnswer } from "../../../fixtures/engine/http/findings.ts";
import type { ApiResponse } from "../../../fixtures/engine/http/response.ts";
import { successMismatch } from "../../../fixtures/engine/http/wording.ts";
import { expectRejected } from "../../../fixtures/engine/judge/expect-rejected.ts";
import { expectOutcome } from "../../../fixtures/engine/judge/matchers.ts";
import { type Basis, checksIn, checksUnder } from "../../../fixtures/engine/run/check.ts";
import { CheckContext, type SendOptions } from "../../../fixtures/engine/run/check-context.ts";
import { contract, type OperationId, operations } from "../../../schemas/contract.ts";
import { isUnauthenticated, responseTo, unknownBearer, unknownKey } from "./credentials.ts";

const check = checksIn("bad-keys");

/** Another path at which an operation may answer, and how a request gets there. */
interface OtherPath {
  readonly id: string;
  readonly path: string;
  readonly basis: Basis;
  readonly reach: (ctx: CheckContext, id: OperationId) => SendOptions;
}

const OTHER_PATHS: readonly OtherPath[] = [
  {
    id: "other-path-form",
    path: "the other documented form of the path",
    basis: { must: ["R003"] },
    reach: ({ run }, id) => ({ pathForm: run.settings.pathForms[id] === "prefixed" ? "bare" : "prefixed" }),
  },
  {
    id: "trailing-slash",
    path: "the path with a slash at the end",
    basis: { critical: ["R003"] },
    reach: () => ({ pathSuffix: "/" }),
  },
];

/** A caller without a valid key: without any, or with one that was never issued. */
type Caller = "no-key" | "unknown-key";

// Section 1: every operation requires authentication, wherever it answers; section 4 shows two forms of its path.
for (const { id, noun, effect } of operations) {
  const check = checksUnder(`${id}/auth`, "bad-keys");
  for (const other of OTHER_PATHS)
    check(other.id, `refuses ${noun} without a valid key at ${other.path}`, other.basis, async (ctx) => {
      const keyless = await needsKeyAt(ctx, id, other, "no-key");
      // Something asks for a key there, and may take any.
      if ("must" in other.basis && effect === "read" && isUnauthenticated(keyless))
        await needsKeyAt(ctx, id, other, "unknown-key");
    });

  const title = `refuses ${noun} whose only keys are invalid ones in the query`;
  check("key-in-query", title, { critical: ["R003"] }, async (ctx) => {
    const change = { query: { api_key: "bogus", access_token: "bogus" } };
    const response = await responseTo(ctx, id, "key-in-query", { authorization: null }, change);
    const what = "the only keys are an api_key and an access_token in the query, which were never issued";
    if (!isUnauthenticated(response)) await expectRejected(ctx, response, { what });
  });
}

/**
 * Demands that nothing is carried out without a valid key at another path; returns the last response. A request that could
 * change something goes there only after an empty request has found something that does not ask for a key.
 */
async function needsKeyAt(ctx: CheckContext, id: OperationId, other: OtherPath, caller: Caller) {
  const isKeyless = caller === "no-key";
  const authorization = isKeyless ? null : unknownBearer(ctx);
  const reach = other.reach(ctx, id);
  const send = (name: string, more: SendOptions = {}, from = ctx) =>
    // Something that is not part of the service may answer there, so the response is not judged as the service's.
    responseTo(from, id, `${other.id}-${caller}-${name}`, {
      ...{ authorization, baseUrl: ctx.target.baseUrl, ...reach, ...more },
    });

  /** A server that answers every path in the same way proves nothing about the operation. */
  const isAnsweredEverywhere = async (response: ApiResponse) => {
    if (!response.looksAccepted) return false;
    const { route, effect } = contract[id];
    const scout = new CheckContext(ctx.run, { ...ctx.info, id: `${ctx.info.id}/unknown-path` });
    const separator = route.endsWith("}") ? "/" : "-";
    const pathSuffix = `${separator}${ctx.run.builder.fresh()}${reach.pathSuffix ?? ""}`;
    const elsewhere = await send("unknown", { ...(effect !== "read" && { bytes: "" }), pathSuffix }, scout);
    return elsewhere.status === response.status && elsewhere.fingerprint === response.fingerprint;
  };

  if (contract[id].effect !== "read") {
    const empty = await send("empty", { bytes: "" });
    if (!mayBeTheOperation(ctx, id, empty) || (await isAnsweredEverywhere(empty))) return empty;
  }
  const response = await send("ordinary");
  if (!mayBeTheOperation(ctx, id, response)) return response;
  const how = isKeyless ? "without an Authorization header" : "with a key that was never issued";
  const what = `${other.path} was called ${how}`;
  if (!response.looksAccepted) await expectRejected(ctx, response, { what });
  if (response.isSuccess && successMismatch(response) === undefined)
    expectOutcome(await isAnsweredEverywhere(response), response, what, "a rejection");
  return response;
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
    await ctx.sendInvalid(id, {}, { baseUrl, pathForm: "bare", mayBeBusy: true }),
    await ctx.sendInvalid(id, {}, { baseUrl, pathForm: "prefixed", mayBeBusy: true }),
  ];
  for (const response of responses) expectOutcome(!isAccepted(response), response, TEST_KEY, "a rejection");
  const found = responses.filter((response) => !isMissing(response));
  if (found.length === 0)
    throw new Inconclusive("the live host has this operation under neither path form", {
      advice: "check LIVE_BASE_URL, which is the part before /api/user-service/external/v1/profile",
    });
  const rejection = found.find(isUnauthenticated) ?? found[0] ?? responses[0];
  if (!rejection) return;
  needAnswer(rejection);
  if (rejection.status === undefined) throw new Inconclusive(`${rejection.outcome}: nothing was rejected`);
  if (rejection.is2xx && rejection.jsonProblem)
    throw new Inconclusive("the live host returns web pages", { advice: "check LIVE_BASE_URL" });
  if (!isUnauthenticated(rejection))
    ctx.passWeakly(`${rejection.outcome}, perhaps for another reason than the test key`);
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
    await ctx.send("getProfile", {}, { authorization, retry: "never", mayBeBusy: true });
  }
  const response = await ctx.send("getProfile", {}, { retry: "never", mayBeBusy: true });
  const fate = response.isSuccess ? "is accepted" : `is not accepted: the API ${response.outcome}`;
  ctx.observe("N41", `right after ${BURST} bad keys, a valid key ${fate}`);
});
