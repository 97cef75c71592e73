import { membersOf } from "../../fixtures/http/wording.ts";
import { expectOutcome, expectThat } from "../../fixtures/judge/matchers.ts";
import { type CheckOptions, checksUnder } from "../../fixtures/run/check.ts";
import type { CheckContext, SendOptions } from "../../fixtures/run/check-context.ts";
import { rejectionTitle } from "../../schemas/changes.ts";
import { operations } from "../../schemas/contract.ts";
import { neededVariables, type Operation } from "../../schemas/operation.ts";
import { UNKNOWN_ID } from "../../schemas/recipe.ts";
import { answerTo, expectKeyRejected, fateOf, isUnauthenticated } from "./credential-answers.ts";
import { type Credential, INVALID_CREDENTIALS } from "./credentials.ts";

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
