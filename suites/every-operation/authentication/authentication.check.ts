import { setTimeout as pause } from "node:timers/promises";
import {
  type ApiResponse,
  type CheckContext,
  checksIn,
  checksUnder,
  demand,
  demandRejected,
  ifDecided,
  listOf,
  membersOf,
} from "../../../fixtures/engine/vocabulary.ts";
import { type OperationId, operations } from "../../../schemas/contract.ts";
import { type Change, type Operation, rejectionTitle } from "../../../schemas/operation.ts";
import { expectNothingMade } from "../requests/leave-nothing.ts";
import { expectKeyRejected, isUnauthenticated, responseTo, unknownBearer } from "./credentials.ts";
import { INVALID_CREDENTIALS, operationsFor, optionsOf } from "./invalid-credentials.ts";
import { expectRejectedByLive } from "./live-host.ts";
import { needsKeyAt, OTHER_PATHS } from "./other-paths.ts";

const check = checksIn("bad-keys");

const NO_HEADER = { authorization: null };

// Section 1: every operation requires authentication; section 5.5: 401 where the operation lists it.
for (const operation of operations) {
  const { id, noun } = operation;
  const check = checksUnder(`${id}/auth`, "bad-keys");
  const lists401 = 401 in operation.responses;
  for (const credential of INVALID_CREDENTIALS.filter((one) => operationsFor(one).includes(operation))) {
    const { id: name, what, workingKey, anyStatus, otherHeader } = credential;
    const scope = credential.scope && { scope: credential.scope };
    const send = (ctx: CheckContext) => {
      const { secretKey } = ctx.target;
      const headers = otherHeader ? [[otherHeader, secretKey] as const] : [];
      return responseTo(ctx, id, name, { authorization: credential.header(secretKey, ctx), headers });
    };
    check(name, rejectionTitle(noun, what), optionsOf(operation, credential), async (ctx) =>
      expectKeyRejected(ctx, await send(ctx), credential),
    );
    if (workingKey || (lists401 && !anyStatus)) continue;
    check(`${name}/status`, `returns 401 when ${what}`, { should: "G10", ...scope }, async (ctx) => {
      const response = await send(ctx);
      const expected = "401, before the request itself is looked at";
      demand(isUnauthenticated(response), response, `${response.outcome} although ${what}`, expected);
    });
  }

  // RFC 9110, section 15.5.2: a 401 says how to authenticate.
  check("challenge", "sends WWW-Authenticate with a 401", { should: "RFC 9110" }, async (ctx) => {
    const response = await responseTo(ctx, id, "no-header", NO_HEADER);
    const { status, text, json } = response;
    if (!lists401) ctx.observe("G10", `a request without a token gets ${status}`);
    const body = text === "" ? "no body" : json === undefined ? "a body that is not JSON" : membersOf(json);
    ctx.observe("N33", `a ${status} because of a missing token has ${body}`);
    const isComplete = response.status !== 401 || response.header("www-authenticate") !== undefined;
    demand(isComplete, response, "returned 401 without WWW-Authenticate", "the header");
  });
}

// A request that meets a record, or uses what the ordinary one leaves out, takes other ways through a service.
for (const operation of operations) {
  const { id, noun, requirements } = operation;
  if (!operation.optional && !operation.takes && !operation.list) continue;
  const title = `refuses ${noun} without a valid key whatever else it has: optional fields, a filter, a used reference`;
  const must = ["R003", ...(requirements.authentication ?? [])] as const;
  check(`${id}/auth/other-states`, title, { must }, async (ctx) => {
    const keys = { "no-header": null, "unknown-key": unknownBearer(ctx) };
    for (const [what, change] of await otherStates(ctx, operation))
      for (const [name, authorization] of Object.entries(keys)) {
        const response = await responseTo(ctx, id, `${name}, and ${what}`, { authorization }, change);
        await expectKeyRejected(ctx, response, {
          what: `${authorization ? "the key was never issued" : "there is no Authorization header"}, and ${what}`,
        });
      }
  });
}

/** After this many milliseconds a connection is idle, and is used again. */
const IDLE_MS = 20;

// Section 1: every operation requires authentication. A cache, a connection, a thread or a session may remember the caller.
for (const { id, noun, effect, requirements } of operations) {
  if (effect !== "read") continue;
  const { authentication = [] } = requirements;
  const title = `refuses ${noun} without a key right after the same request with one`;
  check(`${id}/auth/after-valid-key`, title, { must: ["R003", ...authentication] }, async (ctx) => {
    await ctx.control(id);
    const draft = ctx.draft(id);
    const before = await ctx.send(id, {}, { draft, mayBeBusy: true });
    await pause(IDLE_MS);
    const headers = before.cookies ? [["Cookie", before.cookies] as const] : [];
    const response = await ctx.sendInvalid(id, {}, { draft, authorization: null, headers });
    const what = `the same request with a key came right before it${before.cookies && ", and set its cookies"}`;
    await expectKeyRejected(ctx, response, { what, beside: [before] });
  });
}

// Keys in forms that the specification leaves open; only reads get them.
for (const { id } of operationsFor({ workingKey: true })) {
  const check = checksUnder(`${id}/auth`, "bad-keys");

  const lowerCase = "accepts the scheme Bearer in lower case";
  check("lower-case-scheme", lowerCase, { should: "RFC 9110" }, async (ctx) => {
    const authorization = `bearer ${ctx.target.secretKey}`;
    const response = await responseTo(ctx, id, "lower-case-scheme", { authorization });
    ctx.observe("G20", `the scheme in lower case ${response.fate}`);
    const isAccepted = !isUnauthenticated(response);
    demand(isAccepted, response, `${response.outcome} for the scheme in lower case`, "any letter case");
  });

  check("publishable-key", "handling of a publishable key", { observe: "N32" }, async (ctx) => {
    const authorization = `Bearer ${ctx.need("PUBLISHABLE_KEY")}`;
    const response = await responseTo(ctx, id, "publishable-key", { authorization });
    ctx.observe("N32", `a publishable key ${response.fate}`, {
      alarming: response.statusClass === 2 || undefined,
    });
  });
}

// Section 1: every operation requires authentication, wherever it answers; section 4 shows two forms of its path.
for (const { id, noun, effect, foundBy } of operations) {
  const check = checksUnder(`${id}/auth`, "bad-keys");
  for (const other of OTHER_PATHS)
    check(other.id, `refuses ${noun} without a valid key at ${other.path}`, other.basis, async (ctx) => {
      const keyless = await needsKeyAt(ctx, id, other, null);
      // Something asks for a key there, and may take any.
      if ("must" in other.basis && effect === "read" && isUnauthenticated(keyless))
        await needsKeyAt(ctx, id, other, unknownBearer(ctx));
    });

  const title = `refuses ${noun} whose only keys are invalid ones in the query`;
  check("key-in-query", title, { critical: ["R003"] }, async (ctx) => {
    const change = { query: { api_key: "bogus", access_token: "bogus" } };
    const response = await responseTo(ctx, id, "key-in-query", { authorization: null }, change);
    const what = "the only keys are an api_key and an access_token in the query, which were never issued";
    if (!isUnauthenticated(response)) await demandRejected(ctx, response, { what });
  });

  // A rejection is only half the proof: a rejected request must not have created anything.
  if (!foundBy) continue;
  const createsNothing = `creates nothing when it refuses ${noun} without a valid key`;
  check("leaves-nothing", createsNothing, { phase: "late", must: ["R003"] }, async (ctx) => {
    await responseTo(ctx, id, "no-header", { authorization: null });
    await expectNothingMade(ctx, id, (response) => !response.isSentWith(ctx.target.secretKey));
  });
}

// Section 5.2 keeps test and live keys apart; that a live host must reject a test key is what the suite's users ask
// for. Only these reads are ever sent to a live host.
for (const { id, noun, effect } of operations) {
  if (effect !== "read") continue;
  const title = `refuses ${noun} on the live host when the key is a test key`;
  const options = { mandate: "mandate", scope: "live-host" } as const;
  check(`${id}/environment/test-key-refused-by-live`, title, options, (ctx) => expectRejectedByLive(ctx, id));
}

async function otherStates(
  ctx: CheckContext,
  operation: Operation & { readonly id: OperationId },
): Promise<(readonly [what: string, change: Change])[]> {
  const { id, takes, list } = operation;
  const optional = ctx.run.builder.optional(id);
  const states: [string, Change][] = [];
  if (Object.keys(optional).length > 0) states.push(["it has every optional field", { body: optional }]);
  if (takes) {
    const { field } = takes;
    const value = await takenBy(ctx, id, field);
    if (value !== undefined) states.push([`a record has its ${field}`, { body: { [field]: value } }]);
  }
  const [known] = list ? ((await ifDecided(listOf(ctx, id).filters())) ?? []) : [];
  if (known) states.push(["its filter finds something", { query: known.filter }]);
  return states;
}

/**
 * The value of a field that an accepted request like the ordinary one has taken. Of a payment that shows what a single one
 * looks like, not even a request without a key may have the reference.
 */
async function takenBy(ctx: CheckContext, id: OperationId, field: string) {
  const { response: control } = await ctx.control(id);
  if (!control) return undefined;
  const rest = (one: ApiResponse) => one.textSent.replaceAll(String(one.fieldSent(field)), "");
  const { run, target } = ctx;
  const taken = [control, ...run.responsesTo(id)].find(
    (one) =>
      one.kind === "done" &&
      one.isSentWith(target.secretKey) &&
      !run.namesSingle(one.textSent) &&
      rest(one) === rest(control),
  );
  return taken?.fieldSent(field);
}
