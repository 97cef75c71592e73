import type { Answer } from "../../fixtures/answer.ts";
import { Bench, type SendOptions } from "../../fixtures/bench.ts";
import {
  isStatus2xx,
  isSuccess,
  looksCarriedOut,
  shapeOf,
  successDifference,
} from "../../fixtures/classify.ts";
import { controlOf } from "../../fixtures/control.ts";
import { judgeRefused } from "../../fixtures/negative.ts";
import { PREFIX } from "../../fixtures/target.ts";
import { check } from "../../fixtures/test.ts";
import { outcomeOf, violation } from "../../fixtures/wording.ts";
import { contract, type OperationId, operations } from "../../schemas/contract.ts";
import type { Operation } from "../../schemas/operation.ts";
import { answerTo } from "./credential-answers.ts";

/** Another place where the operation may stand, and how a request gets there. */
interface Place {
  readonly id: string;
  readonly what: string;
  readonly reach: (bench: Bench, id: OperationId) => SendOptions;
}

const OTHER_FORM: Place = {
  id: "other-path-form",
  what: "no Authorization header was sent to the other documented form of its path",
  reach: (bench, id) => ({ via: toOtherForm(bench, id) }),
};

const TRAILING_SLASH: Place = {
  id: "trailing-slash",
  what: "no Authorization header was sent to its path with a slash at the end",
  reach: () => ({ pathSuffix: "/" }),
};

const critical = { level: "SHOULD", critical: true, requirements: ["R003"] } as const;

// Section 1: every operation requires authentication, wherever it answers (section 4 shows two forms of its path).
for (const { id } of operations) {
  check(`${id}/auth/other-path-form`, { level: "MUST", requirements: ["R003"] }, (bench) =>
    needsKeyAt(bench, id, OTHER_FORM),
  );
  check(`${id}/auth/trailing-slash`, critical, (bench) => needsKeyAt(bench, id, TRAILING_SLASH));
  check(`${id}/auth/key-in-query`, critical, async (bench) => {
    for (const name of ["api_key", "access_token"]) {
      const change = { query: { [name]: "bogus" } };
      const answer = await answerTo(bench, id, `${name}-in-query`, { authorization: null }, change);
      if (!isUnauthenticated(answer))
        await judgeRefused(bench, id, answer, {
          what: `nobody was given the key that came as ${name} in the query`,
        });
    }
  });
}

/**
 * Demands that nothing is carried out without a key at a place where the operation may stand. What writes goes
 * there only where an empty request finds something that does not ask for a key.
 */
async function needsKeyAt(bench: Bench, id: OperationId, place: Place) {
  await controlOf(bench, id);
  const { effect, route }: Operation = contract[id];
  const send = (by: Bench, name: string, more: SendOptions = {}) =>
    answerTo(by, id, `${place.id}-${name}`, {
      authorization: null,
      // What stands there may be no part of the service, so that its answers are not judged as such.
      baseUrl: bench.target.baseUrl,
      ...place.reach(bench, id),
      ...more,
    });
  const empty = effect !== "read" && { bytes: "" };
  /** A server that answers whatever is asked for in one way says nothing about the operation. */
  const isAnybodys = async (answer: Answer) => {
    if (!looksCarriedOut(answer)) return false;
    const scout = new Bench(bench.run, { ...bench.info, id: `${bench.info.id}/unknown-path` });
    const unknown = `${route.endsWith("}") ? "/" : "-"}${bench.run.builder.fresh()}`;
    const pathSuffix = unknown + (place === TRAILING_SLASH ? "/" : "");
    const elsewhere = await send(scout, "unknown", { ...empty, pathSuffix });
    return elsewhere.status === answer.status && shapeOf(elsewhere) === shapeOf(answer);
  };
  if (empty) {
    const first = await send(bench, "empty", empty);
    if (!mayStandThere(bench, id, first) || (await isAnybodys(first))) return;
  }
  const answer = await send(bench, "ordinary");
  if (!mayStandThere(bench, id, answer)) return;
  if (!looksCarriedOut(answer)) {
    await judgeRefused(bench, id, answer, place);
    return;
  }
  if (!isSuccess(answer) || successDifference(answer) !== undefined || (await isAnybodys(answer))) return;
  throw violation(answer, `${outcomeOf(answer)} although ${place.what}`, "a refusal");
}

const isUnauthenticated = ({ status }: Answer) => status === 401 || status === 403;

/** Whether something answered that is neither a refusal for want of a key nor the lack of such a path. */
function mayStandThere({ run }: Bench, id: OperationId, answer: Answer): boolean {
  if (isUnauthenticated(answer) || answer.status === 404 || answer.status === 405) return false;
  if (answer.failure) return run.settings.bothForms.includes(id);
  return !(isStatus2xx(answer) && answer.jsonError === "the body is an HTML page");
}

/** Sends a request to the form of its path that the run does not use. */
const toOtherForm =
  ({ run, target }: Bench, id: OperationId): NonNullable<SendOptions["via"]> =>
  (request, sending) => {
    const operation: Operation = contract[id];
    const base = new URL(target.baseUrl).pathname.replace(/\/$/, "");
    const path = request.path.slice(base.length);
    const other = run.settings.pathForms[id] === "prefixed" ? path.slice(PREFIX.length) : PREFIX + path;
    return run.transport.send(
      operation,
      { ...request, path: base + other },
      { ...sending, hasTurn: true, ownConnection: operation.effect !== "read" },
    );
  };
