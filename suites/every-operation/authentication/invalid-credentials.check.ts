import { setTimeout as pause } from "node:timers/promises";
import { DERIVED_KEYS } from "../../../fixtures/engine/config/secrets.ts";
import type { SCOPES } from "../../../fixtures/engine/config/variables.ts";
import { Inconclusive, ifDecided } from "../../../fixtures/engine/http/findings.ts";
import type { ApiResponse } from "../../../fixtures/engine/http/response.ts";
import { membersOf } from "../../../fixtures/engine/http/wording.ts";
import { expectOutcome, expectThat, showingToo } from "../../../fixtures/engine/judge/matchers.ts";
import { knownFilters } from "../../../fixtures/engine/lists/known-filters.ts";
import { type CheckOptions, checksIn, checksUnder } from "../../../fixtures/engine/run/check.ts";
import type { CheckContext } from "../../../fixtures/engine/run/check-context.ts";
import { controlOf } from "../../../fixtures/engine/run/control.ts";
import { rejectionTitle } from "../../../schemas/changes.ts";
import { type OperationId, operations } from "../../../schemas/contract.ts";
import { type Change, neededVariables, type Operation } from "../../../schemas/operation.ts";
import { UNKNOWN_ID } from "../../../schemas/recipe.ts";
import type { RequirementId } from "../../../schemas/requirements.ts";
import { expectKeyRejected, isUnauthenticated, responseTo, unknownBearer } from "./credentials.ts";

const check = checksIn("bad-keys");

/** A way to present no valid credential, and the sentence that describes it. */
interface Credential {
  readonly id: string;
  readonly what: string;
  /** The value of the Authorization header, made from the operator's key; `null` sends none. */
  readonly header: (key: string, ctx: CheckContext) => string | null;
  /** Another header that carries the key. */
  readonly otherHeader?: string;
  /** It carries a working key in an unusual form, so it only goes to reads; a SHOULD if these do not list 401. */
  readonly workingKey?: true;
  /** Nothing says that a 401 must reject it, whatever the operation lists. */
  readonly anyStatus?: true;
  /** It also goes to operations whose request is undocumented. */
  readonly everywhere?: true;
  readonly scope?: (typeof SCOPES)[number];
  /** What its rejection proves, in addition to that every operation requires authentication. */
  readonly requirement?: RequirementId;
}

type Row = readonly [
  id: string,
  what: string,
  header: Credential["header"],
  more?: Partial<Omit<Credential, "id" | "what" | "header">>,
];

const working = { workingKey: true } as const;
const anyStatus = true;
const letters = Buffer.from("Zoë\u2713").toString("latin1");

/** Credentials that must be rejected wherever authentication is required (sections 1 and 5). */
// biome-ignore format: a table
const ROWS: readonly Row[] = [
  ["no-header", "there is no Authorization header", () => null, { everywhere: true }],
  ["empty-header", "the Authorization header is empty", () => ""],
  // RFC 6750, section 3.1, lets a malformed header be rejected with 400.
  ["no-token", "no token follows the scheme", () => "Bearer", { anyStatus }],
  ["malformed", "three words follow the scheme", () => "Bearer a b c", { anyStatus }],
  ["wrong-scheme", "the key is sent with the scheme Basic", (key) => `Basic ${DERIVED_KEYS.basic(key)}`, working],
  ["unknown-scheme", "the key is sent with the scheme Token", (key) => `Token ${key}`, working],
  ["raw-key", "the key is sent without a scheme", (key) => key, working],
  ["unknown-key", "the key was never issued", (_, ctx) => unknownBearer(ctx), { everywhere: true }],
  ["altered-key", "the key's last character is different", (key) => `Bearer ${DERIVED_KEYS.altered(key)}`],
  ["token-of-300-characters", "the token has 300 characters", () => `Bearer sk_test_${"0".repeat(292)}`],
  // A server may have a shorter limit for headers.
  ["token-of-8000-characters", "the token has 8,000 characters", () => `Bearer sk_test_${"0".repeat(7992)}`, { anyStatus }],
  ["token-with-signs", "the token has an apostrophe and a percent sign", () => "Bearer sk_test_o'neil%27%", { anyStatus }],
  // A header carries bytes.
  ["token-with-letters", "the token has letters outside ASCII", () => `Bearer sk_test_${letters}`, { anyStatus }],
  // Such a name is found where keys are members of an object.
  ["token-constructor", "the token is the word constructor", () => "Bearer constructor", { anyStatus }],
  ["longer-key", "the key has one character too many", (key) => `Bearer ${key}0`],
  ["shortened-key", "the key lacks its last character", (key) => `Bearer ${DERIVED_KEYS.shortened(key)}`],
  ["key-in-other-case", "the key's letters are in the other case", inOtherCase, { ...working, anyStatus }],
  ["revoked-key", "the key was revoked", (_, ctx) => `Bearer ${ctx.need("REVOKED_KEY")}`, { scope: "revoked-key", requirement: "R105" }],
  ["key-in-other-header", "the key is only sent as x-api-key", () => null, { otherHeader: "x-api-key", ...working }],
];

function inOtherCase(key: string): string {
  const other = DERIVED_KEYS.otherCase(key);
  if (other === key) throw new Inconclusive("the key has no letters");
  return `Bearer ${other}`;
}

const INVALID_CREDENTIALS = ROWS.map(
  ([id, what, header, more]): Credential => ({ id, what, header, ...more }),
);

const NO_HEADER = { authorization: null };

// Section 1: every operation requires authentication; section 5.5: 401 where the operation lists it.
for (const operation of operations) {
  const { id, noun } = operation;
  const check = checksUnder(`${id}/auth`, "bad-keys");
  const lists401 = 401 in operation.responses;
  for (const credential of INVALID_CREDENTIALS.filter((one) => isSentTo(operation, one))) {
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
      expectOutcome(isUnauthenticated(response), response, what, expected);
    });
  }

  // RFC 9110, section 15.5.2: a 401 says how to authenticate.
  check("challenge", "sends WWW-Authenticate with a 401", { should: "RFC 9110" }, async (ctx) => {
    const response = await responseTo(ctx, id, "no-header", NO_HEADER);
    const isComplete = response.status !== 401 || response.header("www-authenticate") !== undefined;
    expectThat(isComplete, response, "returned 401 without WWW-Authenticate", "the header");
  });

  check("answer", `response to ${noun} without a token`, { observe: "N33,G10" }, async (ctx) => {
    const { status, text, json } = await responseTo(ctx, id, "no-header", NO_HEADER);
    if (!lists401) ctx.observe("G10", `a request without a token gets ${status}`);
    const body = text === "" ? "no body" : json === undefined ? "a body that is not JSON" : membersOf(json);
    ctx.observe("N33", `a ${status} because of a missing token has ${body}`);
  });

  const unknown = unknownThing(operation);
  if (!unknown) continue;
  const oracleTitle = "responses without a token, for records that exist and for others";
  check("oracle", oracleTitle, { observe: "N33" }, async (ctx) => {
    const existing = await responseTo(ctx, id, "no-header", NO_HEADER);
    const other = await responseTo(ctx, id, "unknown-thing", NO_HEADER, unknown);
    const isSame = existing.status === other.status && existing.fingerprint === other.fingerprint;
    const how = isSame ? "alike" : `differently (one ${existing.fate}, the other ${other.fate})`;
    ctx.observe("N33", `without a token, requests for existing and unknown records are handled ${how}`);
  });
}

function optionsOf({ responses, requirements }: Operation, credential: Credential): CheckOptions {
  const { workingKey, anyStatus, requirement, scope } = credential;
  if (workingKey && (anyStatus || !(401 in responses))) return { should: "R100" };
  const authentication = anyStatus ? [] : (requirements.authentication ?? []);
  const must = ["R003", ...authentication, ...(requirement ? [requirement] : [])] as const;
  return { must, ...(scope && { scope }) };
}

/** A working key in an unusual form only goes to reads; an undocumented request gets two credentials only. */
function isSentTo({ effect, body }: Operation, { workingKey, everywhere }: Credential): boolean {
  if (workingKey) return effect === "read";
  return everywhere === true || body === undefined || Object.keys(body.shape).length > 0;
}

/** Turns the request into one about a record that does not exist; `undefined` if it names none. */
function unknownThing(operation: Operation) {
  const { path, query } = operation;
  if (path) return { path: { id: UNKNOWN_ID } };
  const [field] = Object.keys(query?.shape ?? {});
  return neededVariables(operation).length > 0 && field ? { query: { [field]: UNKNOWN_ID } } : undefined;
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

/** The operation's requests that differ from the ordinary one in what they meet, each with a sentence about it. */
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
  const [known] = list ? ((await ifDecided(knownFilters(ctx, id))) ?? []) : [];
  if (known) states.push(["its filter finds something", { query: known.filter }]);
  return states;
}

/**
 * The value of a field that an accepted request like the ordinary one has taken. Of a payment that shows what a single one
 * looks like, not even a request without a key may have the reference.
 */
async function takenBy(ctx: CheckContext, id: OperationId, field: string) {
  const { response: control } = await controlOf(ctx, id);
  if (!control) return undefined;
  const rest = (one: ApiResponse) => one.textSent.replaceAll(String(one.fieldSent(field)), "");
  const { run, target } = ctx;
  const taken = [control, ...run.responsesTo(id)].find(
    (one) =>
      one.isSuccess &&
      one.isSentWith(target.secretKey) &&
      !run.namesSingle(one.textSent) &&
      rest(one) === rest(control),
  );
  return taken?.fieldSent(field);
}

/** After this many milliseconds a connection is idle, and is used again. */
const IDLE_MS = 20;

// Section 1: every operation requires authentication. A cache, a connection or a thread may remember the last caller.
for (const { id, noun, effect, requirements } of operations) {
  if (effect !== "read") continue;
  const { authentication = [] } = requirements;
  const title = `refuses ${noun} without a key right after the same request with one`;
  check(`${id}/auth/after-valid-key`, title, { must: ["R003", ...authentication] }, async (ctx) => {
    await controlOf(ctx, id);
    const draft = ctx.draft(id);
    const before = await ctx.send(id, {}, { draft, mayBeBusy: true });
    await pause(IDLE_MS);
    const response = await ctx.sendInvalid(id, {}, { draft, authorization: null });
    const what = "the same request with a key came right before it";
    await showingToo([before], () => expectKeyRejected(ctx, response, { what }));
  });
}

// A working key in forms that the specification leaves open; only reads get it.
for (const { id, effect } of operations) {
  if (effect !== "read") continue;
  const check = checksUnder(`${id}/auth`, "bad-keys");

  const lowerCase = "accepts the scheme Bearer in lower case";
  check("lower-case-scheme", lowerCase, { should: "RFC 9110" }, async (ctx) => {
    const authorization = `bearer ${ctx.target.secretKey}`;
    const response = await responseTo(ctx, id, "lower-case-scheme", { authorization });
    ctx.observe("G20", `the scheme in lower case ${response.fate}`);
    const isAccepted = !isUnauthenticated(response);
    expectThat(isAccepted, response, `${response.outcome} for the scheme in lower case`, "any letter case");
  });

  check("publishable-key", "handling of a publishable key", { observe: "N32" }, async (ctx) => {
    const authorization = `Bearer ${ctx.need("PUBLISHABLE_KEY")}`;
    const response = await responseTo(ctx, id, "publishable-key", { authorization });
    ctx.observe("N32", `a publishable key ${response.fate}`, {
      alarming: response.is2xx || undefined,
    });
  });

  const repeated = "a valid Authorization header followed by an invalid one";
  check("repeated-header", `handling of ${repeated}`, { observe: "G08" }, async (ctx) => {
    const other = ["Authorization", unknownBearer(ctx)] as const;
    const response = await responseTo(ctx, id, "repeated-header", { headers: [other] });
    ctx.observe("G08", `${repeated} ${response.fate}`);
  });

  const whiteSpace = "handling of extra white space in the Authorization header";
  check("white-space", whiteSpace, { observe: "G20" }, async (ctx) => {
    const { secretKey: key } = ctx.target;
    for (const [name, what, authorization] of [
      ["spaces-around", "white space around the header's value", `  Bearer ${key}  `],
      ["tab-after-scheme", "a tab after the scheme", `Bearer\t${key}`],
      ["two-spaces", "two spaces after the scheme", `Bearer  ${key}`],
    ] as const)
      ctx.observe("G20", `${what} ${(await responseTo(ctx, id, name, { authorization })).fate}`);
  });
}
