import { setTimeout as pause } from "node:timers/promises";
import { membersOf, outcomeOf } from "../../../fixtures/engine/http/wording.ts";
import {
  expectAnswered,
  expectOutcome,
  expectThat,
  showingToo,
} from "../../../fixtures/engine/judge/matchers.ts";
import { type CheckOptions, check, checksUnder } from "../../../fixtures/engine/run/check.ts";
import type { CheckContext, SendOptions } from "../../../fixtures/engine/run/check-context.ts";
import { controlOf } from "../../../fixtures/engine/run/control.ts";
import { rejectionTitle } from "../../../schemas/changes.ts";
import { operations } from "../../../schemas/contract.ts";
import { neededVariables, type Operation } from "../../../schemas/operation.ts";
import { UNKNOWN_ID } from "../../../schemas/recipe.ts";
import {
  answerTo,
  type Credential,
  expectKeyRejected,
  fateOf,
  INVALID_CREDENTIALS,
  isUnauthenticated,
  unknownKey,
} from "./credentials.ts";

const NO_HEADER = { authorization: null };

// Section 1: every operation requires authentication; section 5.5: 401 where the operation lists it.
for (const operation of operations) {
  const { id, noun } = operation;
  const check = checksUnder(`${id}/auth`);
  const lists401 = 401 in operation.responses;
  for (const credential of INVALID_CREDENTIALS.filter((one) => isSentTo(operation, one))) {
    const { id: name, what, workingKey, anyStatus } = credential;
    const scope = credential.scope && { scope: credential.scope };
    const send = (ctx: CheckContext) => answerTo(ctx, id, name, present(ctx, credential));
    check(name, rejectionTitle(noun, what), optionsOf(operation, credential), async (ctx) =>
      expectKeyRejected(ctx, await send(ctx), credential),
    );
    if (workingKey || (lists401 && !anyStatus)) continue;
    check(`${name}/status`, `returns 401 when ${what}`, { should: "G10", ...scope }, async (ctx) => {
      const answer = await send(ctx);
      const expected = "401, before the request itself is looked at";
      expectOutcome(isUnauthenticated(answer), answer, what, expected);
    });
  }

  // RFC 9110, section 15.5.2: a 401 says how to authenticate.
  check("challenge", "sends WWW-Authenticate with a 401", { should: "RFC 9110" }, async (ctx) => {
    const answer = await answerTo(ctx, id, "no-header", NO_HEADER);
    const isComplete = answer.status !== 401 || answer.header("www-authenticate") !== undefined;
    expectThat(isComplete, answer, "returned 401 without WWW-Authenticate", "the header");
  });

  const answerTitle = `answers ${noun} without a token with a status and a body of its choice`;
  check("answer", answerTitle, { observe: "N33,G10" }, async (ctx) => {
    const { status, text, json } = await answerTo(ctx, id, "no-header", NO_HEADER);
    if (!lists401) ctx.observe("G10", `a request without a token gets ${status}`);
    const body = text === "" ? "no body" : json === undefined ? "a body that is not JSON" : membersOf(json);
    ctx.observe("N33", `a ${status} because of a missing token has ${body}`);
  });

  const unknown = unknownThing(operation);
  if (!unknown) continue;
  const oracleTitle = "answers requests without a token alike, whether or not the record exists";
  check("oracle", oracleTitle, { observe: "N33" }, async (ctx) => {
    const existing = await answerTo(ctx, id, "no-header", NO_HEADER);
    const other = await answerTo(ctx, id, "unknown-thing", NO_HEADER, unknown);
    const isSame = existing.status === other.status && existing.fingerprint === other.fingerprint;
    const how = isSame ? "alike" : `differently (${fateOf(existing)}, ${fateOf(other)})`;
    ctx.observe("N33", `without a token, existing and unknown records are answered ${how}`);
  });
}

function present(ctx: CheckContext, { authorization, otherHeader }: Credential): SendOptions {
  const headers = otherHeader ? [[otherHeader, ctx.target.secretKey] as const] : [];
  return { authorization: authorization(ctx), headers };
}

function optionsOf({ responses, requirements }: Operation, credential: Credential): CheckOptions {
  const { workingKey, anyStatus, requirement, scope } = credential;
  if (workingKey && (anyStatus || !(401 in responses)))
    return workingKey === "critical" ? { critical: "R100" } : { should: "R100" };
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
    const before = await ctx.send(id, {}, { draft });
    await pause(IDLE_MS);
    const answer = await ctx.sendInvalid(id, {}, { draft, authorization: null });
    expectAnswered(answer);
    const what = "the same request with a key came right before it";
    await showingToo([before], () => expectKeyRejected(ctx, answer, { what }));
  });
}

// A working key in forms that the specification leaves open; only reads get it.
for (const { id, effect } of operations) {
  if (effect !== "read") continue;
  const check = checksUnder(`${id}/auth`);

  const lowerCase = "accepts the scheme Bearer in lower case";
  check("lower-case-scheme", lowerCase, { should: "RFC 9110" }, async (ctx) => {
    const authorization = `bearer ${ctx.target.secretKey}`;
    const answer = await answerTo(ctx, id, "lower-case-scheme", { authorization });
    ctx.observe("G20", `the scheme in lower case is ${fateOf(answer)}`);
    const isAccepted = !isUnauthenticated(answer);
    expectThat(isAccepted, answer, `${outcomeOf(answer)} for the scheme in lower case`, "any letter case");
  });

  check("publishable-key", "accepts or rejects a publishable key", { observe: "N32" }, async (ctx) => {
    const authorization = `Bearer ${ctx.need("PUBLISHABLE_KEY")}`;
    const answer = await answerTo(ctx, id, "publishable-key", { authorization });
    ctx.observe("N32", `a publishable key is ${fateOf(answer)}`, { alarming: answer.is2xx || undefined });
  });

  const repeated = "a valid Authorization header followed by an invalid one";
  check("repeated-header", `accepts or rejects ${repeated}`, { observe: "G08" }, async (ctx) => {
    const other = ["Authorization", `Bearer ${unknownKey(ctx.run.settings.runId)}`] as const;
    const answer = await answerTo(ctx, id, "repeated-header", { headers: [other] });
    ctx.observe("G08", `${repeated} is ${fateOf(answer)}`);
  });

  const whiteSpace = "accepts or rejects extra white space in the Authorization header";
  check("white-space", whiteSpace, { observe: "G20" }, async (ctx) => {
    const key = ctx.target.secretKey;
    const around = await answerTo(ctx, id, "spaces-around", { authorization: `  Bearer ${key}  ` });
    const tab = await answerTo(ctx, id, "tab-after-scheme", { authorization: `Bearer\t${key}` });
    const twice = await answerTo(ctx, id, "two-spaces", { authorization: `Bearer  ${key}` });
    ctx.observe(
      "G20",
      `white space: around the header's value ${fateOf(around)}, a tab after the scheme ${fateOf(tab)}, two spaces ${fateOf(twice)}`,
    );
  });
}
