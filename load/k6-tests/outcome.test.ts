import { describe, expect, it } from "vitest";
import type { OperationId } from "../../schemas/contract.ts";
import { requestRow } from "../inputs/request-row.ts";
import {
  type HttpResponse,
  isIndeterminate,
  isTechnicalFailure,
  OUTCOMES,
  type Outcome,
  outcomeOf,
} from "../k6/outcome.ts";

const outcome = (operation: OperationId, answer: Partial<HttpResponse>) =>
  outcomeOf(requestRow(operation), {
    status: 200,
    errorCode: 0,
    retryAfter: false,
    body: undefined,
    ...answer,
  });

const paid = { status: "Successful", transactionId: "T1", message: "done" };
const rejected = { status: "error", message: "no" };
const failure = { message: "no", code: 1, error: "no" };
const list = { status: "success", message: "ok", data: { reference: "r", status: "s" } };
const account = { status: true, message: "m", data: null };

type Case = [what: string, outcome: Outcome, operation: OperationId, answer: Partial<HttpResponse>];

describe("outcomeOf", () => {
  const cases: Case[] = [
    ["a transfer with its identifier", "accepted", "createTransfer", { body: paid }],
    ["a transfer rejected with 200", "business-refused", "createTransfer", { body: rejected }],
    ["a transfer rejected with 409", "business-refused", "createTransfer", { status: 409, body: rejected }],
    [
      "a transfer without message",
      "malformed",
      "createTransfer",
      { body: { status: "ok", transactionId: "T1" } },
    ],
    [
      "a transfer whose identifier is a number",
      "malformed",
      "createTransfer",
      { body: { ...paid, transactionId: 1 } },
    ],
    ["a transfer rejected without JSON", "malformed", "createTransfer", { status: 400 }],
    [
      "a QR transaction without its identifier",
      "malformed",
      "createQrTransaction",
      { body: { CodeUrl: "x" } },
    ],
    [
      "a QR transaction rejected as documented",
      "business-refused",
      "createQrTransaction",
      { status: 400, body: failure },
    ],
    [
      "a QR transaction rejected with another body",
      "malformed",
      "createQrTransaction",
      { status: 400, body: rejected },
    ],
    [
      "a QR transaction rejected with an undocumented status",
      "business-refused",
      "createQrTransaction",
      { status: 409 },
    ],
    [
      "a QR transaction accepted with an undocumented status",
      "malformed",
      "createQrTransaction",
      { status: 201, body: {} },
    ],
    ["a card transaction rejected with 200", "business-refused", "createCardTransaction", { body: failure }],
    [
      "a virtual account whose status is false",
      "business-refused",
      "initializeVirtualAccount",
      { body: { ...account, status: false } },
    ],
    ["a virtual account", "accepted", "initializeVirtualAccount", { body: account }],
    [
      "a virtual account without data",
      "malformed",
      "initializeVirtualAccount",
      { body: { status: true, message: "m" } },
    ],
    [
      "a split rejected with 500 as documented",
      "business-refused",
      "addSplitSubaccount",
      { status: 500, body: { error: "no" } },
    ],
    ["a split that crashed", "server-error", "addSplitSubaccount", { status: 500, body: "oops" }],
    [
      "a custom link in use",
      "business-refused",
      "checkCustomLink",
      { status: 400, body: { error: "taken" } },
    ],
    ["a list", "accepted", "listTransfers", { body: list }],
    ["a list whose data is an array", "accepted", "listTransfers", { body: { ...list, data: [] } }],
    ["a list whose data is text", "malformed", "listTransfers", { body: { ...list, data: "none" } }],
    ["a redirect", "malformed", "listTransfers", { status: 302 }],
    [
      "a redirect with the body of a rejection",
      "malformed",
      "createTransfer",
      { status: 307, body: rejected },
    ],
    ["a rejected key", "auth-error", "listTransfers", { status: 401 }],
    ["429", "throttled", "createTransfer", { status: 429, body: rejected }],
    ["503 with Retry-After", "throttled", "listTransfers", { status: 503, retryAfter: true }],
    ["503 without Retry-After", "server-error", "listTransfers", { status: 503 }],
    ["no response before the deadline", "timeout", "createTransfer", { status: 0, errorCode: 1050 }],
    ["a refused connection", "connection-error", "createTransfer", { status: 0, errorCode: 1212 }],
    ["an unknown host name", "connection-error", "createTransfer", { status: 0, errorCode: 1101 }],
    ["a connection reset after the request", "unknown", "createTransfer", { status: 0, errorCode: 1220 }],
    ["a connection broken while writing", "unknown", "createTransfer", { status: 0, errorCode: 1201 }],
  ];

  it.each(cases)("classifies %s as %s", (_, expected, operation, answer) => {
    expect(outcome(operation, answer)).toBe(expected);
  });
});

describe("outcomes", () => {
  it("are indeterminate if the API may have carried out the request without confirming it", () => {
    expect(OUTCOMES.filter(isIndeterminate)).toEqual(["server-error", "malformed", "timeout", "unknown"]);
  });

  it("are technical failures if there was no usable response", () => {
    expect(OUTCOMES.filter(isTechnicalFailure)).toEqual([
      "server-error",
      "auth-error",
      "malformed",
      "timeout",
      "connection-error",
      "unknown",
    ]);
  });
});
