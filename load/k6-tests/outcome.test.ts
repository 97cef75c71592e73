import { describe, expect, it } from "vitest";
import { type OperationName, requests } from "../k6/generated/requests.ts";
import { type Outcome, outcomeOf, type Reply } from "../k6/outcome.ts";

const outcome = (operation: OperationName, reply: Partial<Reply>) =>
  outcomeOf(requests[operation], { status: 200, errorCode: 0, retryAfter: false, body: undefined, ...reply });

const paid = { status: "Successful", transactionId: "T1", message: "done" };
const refused = { status: "error", message: "no" };
const failure = { message: "no", code: 1, error: "no" };
const list = { status: "success", message: "ok", data: { reference: "r", status: "s" } };

describe("outcome of an answer", () => {
  const cases: [string, OperationName, Partial<Reply>, Outcome][] = [
    ["a transfer with its identifier", "createTransfer", { body: paid }, "accepted"],
    ["a transfer whose 200 carries the refusal", "createTransfer", { body: refused }, "business-refused"],
    ["a transfer refused in progress", "createTransfer", { status: 409, body: refused }, "business-refused"],
    [
      "a transfer without message",
      "createTransfer",
      { body: { status: "ok", transactionId: "T1" } },
      "malformed",
    ],
    [
      "a transfer with a number for its identifier",
      "createTransfer",
      { body: { ...paid, transactionId: 1 } },
      "malformed",
    ],
    ["a refusal of a transfer as a page", "createTransfer", { status: 400, body: undefined }, "malformed"],
    [
      "a QR transaction without its identifier",
      "createQrTransaction",
      { body: { CodeUrl: "x" } },
      "malformed",
    ],
    ["a QR refusal in shape C", "createQrTransaction", { status: 400, body: failure }, "business-refused"],
    ["a QR refusal in another shape", "createQrTransaction", { status: 400, body: refused }, "malformed"],
    ["a QR refusal with an undocumented code", "createQrTransaction", { status: 409 }, "business-refused"],
    ["a QR success with an undocumented code", "createQrTransaction", { status: 201, body: {} }, "malformed"],
    ["a card refusal with 200", "createCardTransaction", { body: failure }, "business-refused"],
    [
      "a virtual account that says no",
      "initializeVirtualAccount",
      { body: { status: false, message: "m", data: null } },
      "business-refused",
    ],
    [
      "a virtual account",
      "initializeVirtualAccount",
      { body: { status: true, message: "m", data: null } },
      "accepted",
    ],
    [
      "a virtual account without data",
      "initializeVirtualAccount",
      { body: { status: true, message: "m" } },
      "malformed",
    ],
    [
      "a split refusal with 500",
      "addSplitSubaccount",
      { status: 500, body: { error: "no" } },
      "business-refused",
    ],
    ["a split crash", "addSplitSubaccount", { status: 500, body: "oops" }, "server-error"],
    ["a taken link", "checkCustomLink", { status: 400, body: { error: "taken" } }, "business-refused"],
    ["a list", "listTransfers", { body: list }, "accepted"],
    ["a list as an array", "listTransfers", { body: { ...list, data: [] } }, "accepted"],
    ["a list as text", "listTransfers", { body: { ...list, data: "none" } }, "malformed"],
    ["a redirect", "listTransfers", { status: 302 }, "malformed"],
    ["a refused key", "listTransfers", { status: 401 }, "auth-error"],
    ["too many requests", "createTransfer", { status: 429, body: refused }, "throttled"],
    ["unavailable for a while", "listTransfers", { status: 503, retryAfter: true }, "throttled"],
    ["unavailable", "listTransfers", { status: 503 }, "server-error"],
    ["no answer in time", "createTransfer", { status: 0, errorCode: 1050 }, "timeout"],
    ["a refused connection", "createTransfer", { status: 0, errorCode: 1212 }, "connection-error"],
    ["an unknown host", "createTransfer", { status: 0, errorCode: 1101 }, "connection-error"],
    ["a connection reset under the request", "createTransfer", { status: 0, errorCode: 1220 }, "unknown"],
    ["a connection broken while writing", "createTransfer", { status: 0, errorCode: 1201 }, "unknown"],
  ];

  it.each(cases)("%s (%s) is its own class", (_, operation, reply, expected) => {
    expect(outcome(operation, reply)).toBe(expected);
  });
});
