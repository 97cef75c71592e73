import { describe, expect, it } from "vitest";
import type { OperationId } from "../../schemas/contract.ts";
import { requestRow } from "../inputs/request-row.ts";
import { isIndeterminate, isTechnicalFailure, OUTCOMES, type Outcome, outcomeOf } from "../k6/outcome.ts";

const paid = { status: "Successful", transactionId: "T1", message: "done" };
const rejected = { status: "error", message: "no" };
const failure = { message: "no", code: 1, error: "no" };
const list = { status: "success", message: "ok", data: { reference: "r", status: "s" } };
const account = { status: true, message: "m", data: null };

describe("outcomeOf", () => {
  it.each<[OperationId, number, unknown, Outcome]>([
    ["createTransfer", 200, paid, "accepted"],
    // A transfer may be rejected with 200.
    ["createTransfer", 200, rejected, "business-refused"],
    ["createTransfer", 409, rejected, "business-refused"],
    ["createTransfer", 200, { status: "ok", transactionId: "T1" }, "malformed"],
    ["createTransfer", 200, { ...paid, transactionId: 1 }, "malformed"],
    ["createTransfer", 400, undefined, "malformed"],
    ["createQrTransaction", 200, { CodeUrl: "x" }, "malformed"],
    ["createQrTransaction", 201, {}, "malformed"],
    ["createQrTransaction", 400, failure, "business-refused"],
    ["createQrTransaction", 400, rejected, "malformed"],
    // The body of an undocumented status may be any.
    ["createQrTransaction", 409, undefined, "business-refused"],
    ["createCardTransaction", 200, failure, "business-refused"],
    ["initializeVirtualAccount", 200, account, "accepted"],
    ["initializeVirtualAccount", 200, { ...account, status: false }, "business-refused"],
    ["initializeVirtualAccount", 200, { status: true, message: "m" }, "malformed"],
    // A documented rejection.
    ["addSplitSubaccount", 500, { error: "no" }, "business-refused"],
    ["addSplitSubaccount", 500, "oops", "server-error"],
    ["checkCustomLink", 400, { error: "taken" }, "business-refused"],
    ["listTransfers", 200, list, "accepted"],
    ["listTransfers", 200, { ...list, data: [] }, "accepted"],
    ["listTransfers", 200, { ...list, data: "none" }, "malformed"],
    ["listTransfers", 302, undefined, "malformed"],
    ["createTransfer", 307, rejected, "malformed"],
    ["listTransfers", 401, undefined, "auth-error"],
    ["createTransfer", 429, rejected, "throttled"],
    ["listTransfers", 503, undefined, "server-error"],
  ])("of %s with %i and %j is %s", (operation, status, body, outcome) => {
    const response = { status, errorCode: 0, retryAfter: false, body };

    expect(outcomeOf(requestRow(operation), response)).toBe(outcome);
  });

  it.each<[string, number, number, Outcome]>([
    ["503 with Retry-After", 503, 0, "throttled"],
    ["no response before the deadline", 0, 1050, "timeout"],
    ["a refused connection", 0, 1212, "connection-error"],
    ["an unknown host name", 0, 1101, "connection-error"],
    ["a connection reset after the request", 0, 1220, "unknown"],
    ["a connection broken while writing", 0, 1201, "unknown"],
  ])("of %s is %s", (_, status, errorCode, outcome) => {
    const response = { status, errorCode, retryAfter: status > 0, body: undefined };

    expect(outcomeOf(requestRow("createTransfer"), response)).toBe(outcome);
  });
});

it.each([
  // The API may have carried out the request without confirming it.
  [isIndeterminate, ["server-error", "malformed", "timeout", "unknown"]],
  // There was no usable response.
  [isTechnicalFailure, ["server-error", "auth-error", "malformed", "timeout", "connection-error", "unknown"]],
])("%o holds for %j", (holds, outcomes) => {
  expect(OUTCOMES.filter(holds)).toEqual(outcomes);
});
