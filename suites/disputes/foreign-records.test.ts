import { expect, test } from "vitest";
import { Answer } from "../../fixtures/engine/http/answer.ts";
import { contract } from "../../schemas/contract.ts";
import { otherTransactionIn, showsSameRecord } from "./foreign-records.ts";

/** An answer of getDispute with this body. */
const answering = (body: unknown) =>
  new Answer({
    operation: contract.getDispute,
    request: { method: "GET", origin: "http://127.0.0.1:9", path: "/", headers: [] },
    requestId: "1",
    startedAt: new Date(0),
    durationMs: 1,
    status: 200,
    bytes: Buffer.from(JSON.stringify(body)),
  });

test.each([
  [{ data: { transactionRef: "TX-OTHER" } }, "TX-OTHER"],
  [{ data: { transaction_ref: "TX-OTHER" } }, "TX-OTHER"],
  [{ data: { transactionRef: "TX-ASKED" } }, undefined],
  [{ data: { reference: "", status: "none" } }, undefined],
  ["nothing", undefined],
])("finds in %o the other transaction %s", (body, other) => {
  expect(otherTransactionIn(body, "TX-ASKED")).toBe(other);
});

test.each([
  ["the same record", { reference: "DSP-1", status: "open" }, true],
  ["its reference in another form", { dispute: { id: "DSP-1" } }, true],
  ["an echo of the request", { reference: "TX-1", status: "none" }, false],
  ["a different record", { reference: "DSP-2", status: "open" }, false],
  ["nothing", null, false],
])("decides whether %s shows another merchant's record", (_, data, shows) => {
  const own = answering({ data: { reference: "DSP-1", status: "open" } });

  expect(showsSameRecord(own, answering({ data }), "TX-1")).toBe(shows);
});
