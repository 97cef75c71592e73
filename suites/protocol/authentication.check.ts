import type { Answer } from "../../fixtures/answer.ts";
import type { Bench } from "../../fixtures/bench.ts";
import { membersOf } from "../../fixtures/exchanged.ts";
import { judgeNotCarriedOut, judgeRefused } from "../../fixtures/negative.ts";
import { check } from "../../fixtures/test.ts";
import { outcomeOf, violation } from "../../fixtures/wording.ts";
import { type OperationId, operations } from "../../schemas/contract.ts";
import { type Operation, UNKNOWN_ID } from "../../schemas/operation.ts";
import { answerTo, fateOf } from "./credential-answers.ts";
import { type Credential, INVALID_CREDENTIALS } from "./credentials.ts";

const NO_HEADER = { authorization: null };

// Section 1: every operation requires authentication; section 5.5: 401 where the operation lists it.
for (const operation of operations) {
  const { id } = operation;
  const lists401 = 401 in operation.responses;
  for (const credential of INVALID_CREDENTIALS.filter((one) => isSentTo(operation, one))) {
    const name = `${id}/auth/${credential.id}`;
    const { workingKey, critical, what, present } = credential;
    const scope = credential.scope && { scope: credential.scope };
    const answer = (bench: Bench) => answerTo(bench, id, credential.id, present(bench));
    if (lists401 || !workingKey) {
      const requirements = [
        "R003",
        ...(operation.requirements.authentication ?? []),
        ...(credential.requirement ? [credential.requirement] : []),
      ] as const;
      check(name, { level: "MUST", requirements, ...scope }, async (bench) =>
        judge(bench, id, await answer(bench), what),
      );
    } else {
      check(name, { level: "SHOULD", source: "R100", ...(critical && { critical }) }, async (bench) =>
        judge(bench, id, await answer(bench), what),
      );
    }
    if (!lists401 && !workingKey) {
      check(`${name}/status`, { level: "SHOULD", source: "G10", ...scope }, async (bench) =>
        judgeStatus(await answer(bench)),
      );
    }
  }
  check(`${id}/auth/challenge`, { level: "SHOULD", source: "RFC 9110" }, async (bench) =>
    judgeChallenge(await answerTo(bench, id, "no-header", NO_HEADER)),
  );
  check(`${id}/auth/answer`, { level: "OBSERVE", source: "N33,G10" }, async (bench) => {
    const { status, text, json } = await answerTo(bench, id, "no-header", NO_HEADER);
    if (!lists401) bench.observe("G10", `a request without a token is answered ${status}`);
    const body = text === "" ? "no body" : json === undefined ? "a body that is no JSON" : membersOf(json);
    bench.observe("N33", `a ${status} for want of a token has ${body}`);
  });
  const unknown = unknownThing(operation);
  if (unknown) {
    check(`${id}/auth/oracle`, { level: "OBSERVE", source: "N33" }, async (bench) => {
      const existing = await answerTo(bench, id, "no-header", NO_HEADER);
      const other = await answerTo(bench, id, "unknown-thing", NO_HEADER, unknown);
      const same = existing.status === other.status && existing.text === other.text;
      bench.observe(
        "N33",
        `without a token, what exists and what does not are answered ${same ? "alike" : `differently (${fateOf(existing)}, ${fateOf(other)})`}`,
      );
    });
  }
}

/** A working key in an unusual form goes to reads alone; a request that is not shown meets two probes only. */
function isSentTo({ effect, body }: Operation, { workingKey, everywhere }: Credential): boolean {
  if (workingKey) return effect === "read";
  return everywhere === true || body === undefined || Object.keys(body.shape).length > 0;
}

/** What turns the request into one about something that does not exist; `undefined` where it names nothing. */
function unknownThing({ path, query, needs }: Operation) {
  if (path) return { path: { id: UNKNOWN_ID } };
  const [field] = Object.keys(query?.shape ?? {});
  return needs.length > 0 && field ? { query: { [field]: UNKNOWN_ID } } : undefined;
}

async function judge(bench: Bench, id: OperationId, answer: Answer, what: string) {
  if (401 in answer.operation.responses) {
    if (answer.status !== 401) throw violation(answer, `${outcomeOf(answer)} although ${what}`, "401");
    return;
  }
  // 401 and 403 cannot be about the data, so that no accepted control is needed behind them.
  if (answer.status === 401 || answer.status === 403) return;
  // A refusal may be recorded, yet not among the transfers of a merchant that nobody named.
  judgeNotCarriedOut(answer, what);
  await judgeRefused(bench, id, answer, { what });
}

function judgeStatus(answer: Answer) {
  if (answer.status !== 401 && answer.status !== 403)
    throw violation(answer, outcomeOf(answer), "401, before the request itself is looked at");
}

/** RFC 9110, section 15.5.2: a 401 says how to authenticate. */
function judgeChallenge(answer: Answer) {
  if (answer.status === 401 && answer.header("www-authenticate") === undefined)
    throw violation(answer, "answered 401 without WWW-Authenticate", "the header");
}
