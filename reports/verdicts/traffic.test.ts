import { expect, test } from "vitest";
import { trafficLine } from "./headline.ts";

test.each([
  [{ requests: 2080, serverErrors: 7, timeouts: 0 }, "7 server errors in 2,080 requests"],
  [
    { requests: 12, serverErrors: 1, timeouts: 2 },
    "1 server error and 2 requests without a response in 12 requests",
  ],
])("says how often the target failed: %j", (traffic, line) => {
  expect(trafficLine({ traffic })).toBe(line);
});
