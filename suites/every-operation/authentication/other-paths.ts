import { successMismatch } from "../../../fixtures/engine/http/wording.ts";
import {
  type ApiResponse,
  type Basis,
  type CheckContext,
  demand,
  demandRejected,
  type SendOptions,
} from "../../../fixtures/engine/vocabulary.ts";
import { contract, type OperationId } from "../../../schemas/contract.ts";
import { isUnauthenticated, responseTo } from "./credentials.ts";

/** Another path at which an operation may answer, and how a request gets there. */
export interface OtherPath {
  readonly id: string;
  readonly path: string;
  readonly basis: Basis;
  readonly reach: (ctx: CheckContext, id: OperationId) => SendOptions;
}

/** The other paths that are tried. */
export const OTHER_PATHS: readonly OtherPath[] = [
  {
    id: "other-path-form",
    path: "the other documented form of the path",
    basis: { must: ["R003"] },
    reach: ({ run }, id) => ({
      pathForm: run.settings.found.pathForms[id] === "prefixed" ? "bare" : "prefixed",
    }),
  },
  {
    id: "trailing-slash",
    path: "the path with a slash at the end",
    basis: { critical: ["R003"] },
    reach: () => ({ pathSuffix: "/" }),
  },
];

/**
 * Demands that nothing is carried out without a valid key at another path; returns the last response. A request that could
 * change something goes there only after an empty request has found something that does not ask for a key.
 */
export async function needsKeyAt(
  ctx: CheckContext,
  id: OperationId,
  other: OtherPath,
  authorization: string | null,
) {
  const how = authorization === null ? "without an Authorization header" : "with a key that was never issued";
  // Something that is not part of the service may answer there, so the response is not judged as the service's.
  const options = { authorization, baseUrl: ctx.target.baseUrl, ...other.reach(ctx, id) };
  const send = (name: string, more: SendOptions = {}, from = ctx) =>
    responseTo(from, id, `${other.id} ${how}, ${name}`, { ...options, ...more });

  /** A server that answers every path in the same way proves nothing about the operation. */
  const isAnsweredEverywhere = async (response: ApiResponse) => {
    if (!response.saysDone) return false;
    const { route, effect } = contract[id];
    const scout = ctx.forCheck(`${ctx.info.id}/unknown-path`, ctx.info.operation);
    const separator = route.endsWith("}") ? "/" : "-";
    const pathSuffix = `${separator}${ctx.run.builder.fresh()}${options.pathSuffix ?? ""}`;
    const elsewhere = await send("unknown", { ...(effect !== "read" && { bytes: "" }), pathSuffix }, scout);
    return elsewhere.status === response.status && elsewhere.fingerprint === response.fingerprint;
  };

  if (contract[id].effect !== "read") {
    const empty = await send("empty", { bytes: "" });
    if (!mayBeTheOperation(ctx, id, empty) || (await isAnsweredEverywhere(empty))) return empty;
  }
  const response = await send("ordinary");
  if (!mayBeTheOperation(ctx, id, response)) return response;
  const what = `${other.path} was called ${how}`;
  if (!response.saysDone) await demandRejected(ctx, response, { what });
  if (response.kind === "done" && successMismatch(response) === undefined)
    demand(
      await isAnsweredEverywhere(response),
      response,
      `${response.outcome} although ${what}`,
      "a rejection",
    );
  return response;
}

/** Whether something answered other than a demand for a key or the lack of such a path. */
function mayBeTheOperation({ run }: CheckContext, id: OperationId, response: ApiResponse): boolean {
  if (isUnauthenticated(response) || response.status === 404 || response.status === 405) return false;
  if (response.failure) return run.settings.found.bothForms.includes(id);
  return !(response.statusClass === 2 && response.jsonProblem?.kind === "html");
}
