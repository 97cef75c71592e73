import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import { temporaryFolder } from "../../fixtures/testing/example-target.ts";
import { renderHar } from "./har.ts";

const Pairs = z.array(z.strictObject({ name: z.string(), value: z.string() }));
const size = z.int().min(-1);
const time = z.number().min(0);
const message = { httpVersion: z.string(), cookies: z.tuple([]), headers: Pairs, headersSize: size };

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
          ...message,
          method: z.string(),
          url: z.url(),
          queryString: Pairs,
          postData: z.strictObject({ mimeType: z.string(), text: z.string() }).optional(),
          bodySize: size,
        }),
        response: z.strictObject({
          ...message,
          status: z.int(),
          statusText: z.string(),
          content: z.strictObject({ size, mimeType: z.string(), text: z.string() }),
          redirectURL: z.string(),
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

/** The entries that the files of a run's exchanges give. */
function entriesOf(...files: readonly (object | string)[]) {
  const directory = temporaryFolder();
  mkdirSync(join(directory, "exchanges"));
  for (const [index, file] of files.entries())
    writeFileSync(
      join(directory, `exchanges/${index}.json`),
      typeof file === "string" ? file : JSON.stringify(file),
    );
  const har = renderHar(directory, { suite: { version: "0.1.0", commit: "1" } });
  return Har.parse(JSON.parse(har)).log.entries;
}

const PAID = {
  requestId: "run-pay-1",
  startedAt: "2026-03-01T10:00:02.000Z",
  durationMs: 12.5,
  request: {
    method: "POST",
    url: "https://api.example.com/pay?a=1&b=x%20y&c",
    headers: [["Content-Type", "application/json"]],
    body: '{"ä":1}',
  },
  response: { status: 200, headers: [["content-type", "application/json"]], body: "x".repeat(9000) },
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

it("has every exchange in the order in which they were sent, and leaves out a damaged file", () => {
  const [lost, paid, ...others] = entriesOf(PAID, LOST, "{");

  expect(others).toEqual([]);
  expect(lost).toMatchObject({
    comment: "run-get-1",
    request: { headers: [] },
    response: { status: 0, statusText: "", _error: LOST.error },
  });
  expect(paid).toMatchObject({
    comment: "run-pay-1",
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
    response: {
      status: 200,
      statusText: "OK",
      content: { mimeType: "application/json", text: "x".repeat(2048), size: 9000 },
      comment: "the body is longer",
    },
  });
});

it("is empty for a run that sent nothing", () => {
  const har = renderHar(temporaryFolder(), { suite: { version: "0.1.0", commit: "1" } });

  expect(Har.parse(JSON.parse(har)).log.entries).toEqual([]);
});
