import { describe, expect, it } from "vitest";
import { requestRow } from "../inputs/request-row.ts";
import { probeAt, seenByBadKey, seenOnPage } from "../k6/probes.ts";

const response = (status: number, body: unknown) => ({ status, errorCode: 0, retryAfter: false, body });
const list = { status: "success", message: "listed", data: { transfers: [] } };

it.each([2, 3, 500])("sends one probe of each kind in %i iterations", (every) => {
  const probes = Array.from({ length: every * 3 }, (_, iteration) => probeAt(iteration, { every }));

  expect(probes.filter((probe) => probe === "badKey")).toHaveLength(3);
  expect(probes.filter((probe) => probe === "page")).toHaveLength(3);
});

describe("a probe", () => {
  it.each([
    ["bad-key-accepted", "a list", response(200, list)],
    ["bad-key-rejected", "401", response(401, {})],
    ["bad-key-rejected", "403", response(403, undefined)],
    [undefined, "an error with status 200", response(200, { status: "error", message: "no such key" })],
    [undefined, "a page of something in front", response(200, undefined)],
    [undefined, "429", response(429, {})],
    [undefined, "500", response(500, {})],
    [undefined, "nothing", { ...response(0, undefined), errorCode: 1050 }],
  ])("with a bad key sees %s if the response is %s", (seen, _, received) => {
    expect(seenByBadKey(requestRow("listTransfers"), received)).toBe(seen);
  });

  const page = { url: "", headers: {}, body: null, limit: 2, place: "/data/transfers" };

  it.each([
    ["page-in-bounds", "as many items as limit", { data: { transfers: [{}, {}] } }],
    ["page-too-long", "more items than limit", { data: { transfers: [{}, {}, {}] } }],
    ["page-too-long", "more items with numbers as keys", { data: { transfers: { 0: {}, 1: {}, 2: {} } } }],
    [undefined, "its items elsewhere", { items: [{}, {}, {}] }],
    [undefined, "no object", undefined],
  ])("of a page sees %s if the page has %s", (seen, _, body) => {
    expect(seenOnPage(response(200, body), page)).toBe(seen);
  });
});
