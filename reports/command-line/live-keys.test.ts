import { expect, it } from "vitest";
import { holdsLiveKey } from "./live-keys.ts";

const KEY = ["sk", "live", "0123456789abcdef"].join("_");
const base64 = (text: string) => Buffer.from(text).toString("base64");
const each = (write: (code: string) => string) =>
  [...KEY].map((letter) => write(letter.charCodeAt(0).toString(16))).join("");

it.each([
  ["as it is", KEY],
  ["as a publishable key", KEY.replace("s", "p")],
  ["in capitals", KEY.toUpperCase()],
  ["after an escape of an address", `key%3D${KEY}`],
  ["in full escapes of an address", each((code) => `%${code}`)],
  ["in escapes of JSON", each((code) => `\\u00${code}`)],
  ["in escapes of a page", each((code) => `&#x${code};`)],
  ["in base64", base64(KEY)],
  ["in base64, after a name", base64(`user:${KEY}`)],
  ["in base64 of an address", Buffer.from(`???${KEY}>>>`).toString("base64url")],
  ["in base64, in a path", `https://example.com/a/${base64(KEY)}`],
  ["in base64 twice", base64(base64(KEY))],
  ["in base64 in JSON in an address", encodeURIComponent(JSON.stringify({ key: base64(KEY) }))],
  ["in 16-bit characters", Buffer.from(KEY, "utf16le").toString("latin1")],
])("finds a live key %s", (_, text) => {
  expect(holdsLiveKey(`some ${text} text`)).toBe(true);
});

it.each(["sk_test_0123456789abcdef", "task_live_1", "sk_live_", "desk_live_a", base64("sk_test_0123456789")])(
  "finds none in %s",
  (text) => {
    expect(holdsLiveKey(text)).toBe(false);
  },
);

it.each(["\\u0073", "%25", "&#115;", "YWJj", "sk_live", "\u0001\u0002"])(
  "searches a megabyte of %j in a moment",
  (piece) => {
    const start = performance.now();

    expect(holdsLiveKey(piece.repeat(1_000_000 / piece.length))).toBe(false);
    expect(performance.now() - start).toBeLessThan(2_000);
  },
);
