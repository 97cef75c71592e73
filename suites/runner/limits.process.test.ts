import { expect, test, vi } from "vitest";
import { execute } from "../testing/spawned.ts";

vi.setConfig({ testTimeout: 60_000 });

const TARGET = { BASE_URL: "http://127.0.0.1:9", SECRET_KEY: "sk_test_0123456789abcdef" };

test.each<[string, Record<string, string | undefined>, string[], RegExp]>([
  ["half a millisecond", { REQUEST_TIMEOUT_MS: "0.5" }, [], /^REQUEST_TIMEOUT_MS must be a whole number/],
  ["more milliseconds than a timer counts", { REQUEST_TIMEOUT_MS: "5000000000" }, [], /from 1 to 600000/],
  ["a request a day", { RATE_LIMIT: "0.00001" }, [], /^RATE_LIMIT must be .* from 0\.1 to 100000/],
  ["a settle time of a day", { SETTLE_SECONDS: "86400" }, [], /^SETTLE_SECONDS must be .* from 0 to 3600/],
  [
    "a list that does not exist",
    { LIST_POINTERS: '{"x":"/a"}' },
    [],
    /^LIST_POINTERS must name only .*listTransfers/,
  ],
  [
    "certificates that are not checked",
    { NODE_TLS_REJECT_UNAUTHORIZED: "0" },
    [],
    /remove it, and name .* CA_FILE/,
  ],
  [
    "a key from an endless device",
    { SECRET_KEY: undefined, SECRET_KEY_FILE: "/dev/zero" },
    [],
    /^SECRET_KEY_FILE \/dev\/zero cannot be read/,
  ],
  ["a missing image", { SEO_IMAGE: "/nowhere.png" }, [], /^SEO_IMAGE \/nowhere\.png cannot be read/],
  ["a month of checks", {}, ["--max-minutes", "40000"], /^--max-minutes 40000: .* at most 1440/],
  [
    "a folder where none can be",
    {},
    ["--out", "/proc/x"],
    /^(--out \/proc\/x: the folder cannot be written|http)/,
  ],
  ["a selection that explodes", {}, ["--select", `${"*a".repeat(40)}b`], /selects no check/],
])("%s is refused at once, in one line", async (_, variables, args, message) => {
  const set = Object.entries({ ...TARGET, ...variables }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );

  const { code, stdout, stderr, milliseconds } = await execute("certify", args, Object.fromEntries(set));

  expect(stderr).toMatch(message);
  expect({ code: code === 3 ? 2 : code, stdout, lines: stderr.trimEnd().split("\n").length }).toEqual({
    code: 2,
    stdout: "",
    lines: 1,
  });
  expect(milliseconds).toBeLessThan(20_000);
});
