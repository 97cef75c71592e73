import { describe, expect, it } from "vitest";
import type { OperationId } from "../../schemas/contract.ts";
import { type Probes, probeAt, seenByProbe } from "../k6/probes.ts";
import { type ReferenceForm, referencesOf } from "../k6/requests.ts";
import { evidenceIn, type Outcome, outcomeOf } from "../k6/responses.ts";
import { requestRow } from "../launch/request-rows.ts";

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

  it.each<[Outcome, string]>([
    ["unsent", "dial: unknown errno 99 error with msg `cannot assign requested address`"],
    ["connection-error", "dial: unknown errno 113 error with msg `no route to host`"],
  ])("is %s for the error %j", (outcome, error) => {
    const response = { status: 0, errorCode: 1213, error, retryAfter: false, body: undefined };

    expect(outcomeOf(requestRow("createTransfer"), response)).toBe(outcome);
  });

  it.each<[string, number, number, Outcome]>([
    ["503 with Retry-After", 503, 0, "throttled"],
    ["no response before the deadline", 0, 1050, "timeout"],
    ["a refused connection", 0, 1212, "connection-error"],
    ["a certificate of an unknown authority", 0, 1310, "connection-error"],
    ["a name that cannot be resolved any more", 0, 1101, "unsent"],
    ["a connection reset after the request", 0, 1220, "unknown"],
    ["a connection broken while writing", 0, 1201, "unknown"],
  ])("of %s is %s", (_, status, errorCode, outcome) => {
    const response = { status, errorCode, retryAfter: status > 0, body: undefined };

    expect(outcomeOf(requestRow("createTransfer"), response)).toBe(outcome);
  });
});

describe.each<ReferenceForm>(["plain", "uuid", "digits", "short"])("with %s references", (form) => {
  const { at, prefix } = referencesOf("0123abcd", form);
  const evidence = (text: string) =>
    evidenceIn(text, { url: at(7), sent: null, reference: at(7) }, "accepted", prefix);

  it.each([
    [["foreign-reference"], "another one's", [{ reference: at(7) }, { note: `for ${at(8)}` }]],
    [[], "its own", { reference: at(7) }],
    [[], "its own twice", { reference: at(7), id: `TRF-${at(7)}` }],
    [[], "its own, cut off", { reference: `${at(7).slice(0, -3)}...` }],
    [[], "that of another run", { reference: referencesOf("0123abce", form).at(8) }],
    [[], "none", "<html>"],
  ])("%j speaks against a response that shows %s", (found, _, data) => {
    expect(evidence(JSON.stringify({ data }))).toEqual(found);
  });
});

it("names a malformed response", () => {
  const request = { url: "", sent: null, reference: "r" };

  expect(evidenceIn("", request, "malformed", "r")).toEqual(["malformed"]);
});

const response = (status: number, body: unknown) => ({ status, errorCode: 0, retryAfter: false, body });

it.each([2, 3, 500])("sends one probe of each kind in %i iterations", (every) => {
  const probes = Array.from({ length: every * 3 }, (_, iteration) => probeAt(iteration, { every }));

  expect(probes.filter((probe) => probe === "badKey")).toHaveLength(3);
  expect(probes.filter((probe) => probe === "page")).toHaveLength(3);
});

describe("a probe", () => {
  const template = { url: "", headers: {} };
  const probes: Probes = {
    every: 2,
    badKey: { ...template, row: requestRow("listTransfers") },
    page: { ...template, limit: 2 },
  };

  it.each([
    ["bad-key-accepted", "a list", response(200, { ...list, data: [] })],
    ["bad-key-rejected", "401", response(401, {})],
    ["bad-key-rejected", "403", response(403, undefined)],
    [undefined, "an error with status 200", response(200, { status: "error", message: "no such key" })],
    [undefined, "a page of something in front", response(200, undefined)],
    [undefined, "429", response(429, {})],
    [undefined, "500", response(500, {})],
    [undefined, "nothing", { ...response(0, undefined), errorCode: 1050 }],
  ])("with a bad key sees %s if the response is %s", (seen, _, received) => {
    expect(seenByProbe("badKey", probes, received)).toBe(seen);
  });

  it.each([
    ["page-in-bounds", "as many items as limit", { data: { transfers: [{}, {}] } }],
    ["page-too-long", "more items than limit", { data: { transfers: [{}, {}, {}] } }],
    [undefined, "no object", undefined],
  ])("of a page sees %s if the page has %s", (seen, _, body) => {
    expect(seenByProbe("page", probes, response(200, body))).toBe(seen);
  });
});
