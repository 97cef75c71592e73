import { describe, expect, it } from "vitest";
import { requestRow } from "../inputs/request-row.ts";
import { probeAt, seenByBadKey, seenOnPage } from "../k6/probes.ts";

const answer = (status: number, body: unknown) => ({ status, errorCode: 0, retryAfter: false, body });
const list = { status: "success", message: "listed", data: { transfers: [] } };

describe("probeAt", () => {
  it.each([2, 3, 500])("sends one probe of each kind in %i iterations", (every) => {
    const probes = Array.from({ length: every * 3 }, (_, iteration) => probeAt(iteration, { every }));

    expect(probes.filter((probe) => probe === "badKey")).toHaveLength(3);
    expect(probes.filter((probe) => probe === "page")).toHaveLength(3);
  });
});

describe("seenByBadKey", () => {
  it.each([
    ["bad-key-accepted", "a list", answer(200, list)],
    ["bad-key-rejected", "401", answer(401, {})],
    ["bad-key-rejected", "403", answer(403, undefined)],
    [undefined, "an error with status 200", answer(200, { status: "error", message: "no such key" })],
    [undefined, "a page of something in front", answer(200, undefined)],
    [undefined, "429", answer(429, {})],
    [undefined, "500", answer(500, {})],
    [undefined, "nothing", { ...answer(0, undefined), errorCode: 1050 }],
  ])("is %s if the response is %s", (seen, _, response) => {
    expect(seenByBadKey(requestRow("listTransfers"), response)).toBe(seen);
  });
});

describe("seenOnPage", () => {
  const page = { limit: 2, place: "/data/transfers" };

  it.each([
    ["page-in-bounds", "as many items as limit", { data: { transfers: [{}, {}] } }],
    ["page-too-long", "more items than limit", { data: { transfers: [{}, {}, {}] } }],
    ["page-too-long", "more items with numbers as keys", { data: { transfers: { 0: {}, 1: {}, 2: {} } } }],
    [undefined, "its items elsewhere", { items: [{}, {}, {}] }],
    [undefined, "no object", undefined],
  ])("is %s if the page has %s", (seen, _, body) => {
    expect(seenOnPage(body, page)).toBe(seen);
  });
});
