import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { temporaryFolder } from "../../fixtures/testing/example-target.ts";
import { renderHar } from "./har.ts";

const Pair = z.strictObject({ name: z.string(), value: z.string() });
const size = z.int().min(-1);
const time = z.number().min(0);

/** What the specification of HAR 1.2 requires, and the members that it allows. */
const Har = z.strictObject({
  log: z.strictObject({
    version: z.literal("1.2"),
    creator: z.strictObject({ name: z.string(), version: z.string() }),
    entries: z.array(
      z.strictObject({
        startedDateTime: z.iso.datetime(),
        time,
        request: z.strictObject({
          method: z.string(),
          url: z.url(),
          httpVersion: z.string(),
          cookies: z.array(z.unknown()),
          headers: z.array(Pair),
          queryString: z.array(Pair),
          postData: z.strictObject({ mimeType: z.string(), text: z.string() }).optional(),
          headersSize: size,
          bodySize: size,
        }),
        response: z.strictObject({
          status: z.int(),
          statusText: z.string(),
          httpVersion: z.string(),
          cookies: z.array(z.unknown()),
          headers: z.array(Pair),
          content: z.strictObject({ size, mimeType: z.string(), text: z.string() }),
          redirectURL: z.string(),
          headersSize: size,
          bodySize: size,
          comment: z.string().optional(),
          _error: z.string().optional(),
        }),
        cache: z.strictObject({}),
        timings: z.strictObject({ send: time, wait: time, receive: time }),
        comment: z.string().optional(),
      }),
    ),
  }),
});

const SUITE = { suite: { version: "0.1.0", commit: "1" } };

function runWith(...exchanges: readonly object[]): string {
  const directory = temporaryFolder();
  mkdirSync(join(directory, "exchanges"));
  for (const [index, exchange] of exchanges.entries())
    writeFileSync(join(directory, `exchanges/${index}.json`), JSON.stringify(exchange));
  return directory;
}

const entriesOf = (directory: string) => Har.parse(JSON.parse(renderHar(directory, SUITE))).log.entries;

const PAID = {
  requestId: "run-pay-1",
  startedAt: "2026-03-01T10:00:02.000Z",
  durationMs: 12.5,
  request: {
    method: "POST",
    url: "https://api.example.com/pay?a=1&b=x%20y&c",
    headers: [
      ["Content-Type", "application/json"],
      ["Authorization", "Bearer sk_test_…cdef"],
    ],
    body: '{"ä":1}',
  },
  response: { status: 200, headers: [["content-type", "application/json"]], body: "{}" },
};

const LOST = {
  requestId: "run-get-1",
  startedAt: "2026-03-01T10:00:01.000Z",
  durationMs: 300,
  request: {
    method: "GET",
    url: "https://api.example.com/profile",
    headers: [["Authorization", "[ABSENT]"]],
    body: "",
  },
  error: "no complete response within 300 ms",
};

describe("exchanges.har", () => {
  it("has every exchange in the order in which they were sent, as HAR 1.2 describes it", () => {
    const [first, second, ...others] = entriesOf(runWith(PAID, LOST));

    expect(others).toEqual([]);
    expect([first?.comment, second?.comment]).toEqual(["run-get-1", "run-pay-1"]);
    expect(second).toMatchObject({
      time: 12.5,
      request: {
        method: "POST",
        url: PAID.request.url,
        queryString: [
          { name: "a", value: "1" },
          { name: "b", value: "x y" },
          { name: "c", value: "" },
        ],
        postData: { mimeType: "application/json", text: '{"ä":1}' },
        bodySize: 8,
      },
      response: { status: 200, statusText: "OK", content: { mimeType: "application/json", text: "{}" } },
    });
  });

  it("shows a request without a response, and no header that was not sent", () => {
    const [entry] = entriesOf(runWith(LOST));

    expect(entry?.response).toMatchObject({ status: 0, statusText: "", _error: LOST.error });
    expect(entry?.request.headers).toEqual([]);
  });

  it("cuts a long response, and says so", () => {
    const [entry] = entriesOf(runWith({ ...PAID, response: { ...PAID.response, body: "x".repeat(9000) } }));

    expect(entry?.response).toMatchObject({ comment: "the body is longer", content: { size: 9000 } });
    expect(entry?.response.content.text).toHaveLength(2048);
  });

  it("leaves out a damaged file, and is empty for a run that sent nothing", () => {
    const damaged = runWith(PAID);
    writeFileSync(join(damaged, "exchanges/x.json"), "{");

    expect(entriesOf(damaged)).toHaveLength(1);
    expect(entriesOf(temporaryFolder())).toEqual([]);
  });
});
