import { expect, test } from "vitest";
import { trafficLine } from "./headline.ts";

test.each([
  [{ requests: 2080, serverErrors: 7, timeouts: 0 }, "7 server errors in 2,080 requests (210/s on average)"],
  [
    { requests: 12, serverErrors: 1, timeouts: 2 },
    "1 server error and 2 requests without a response in 12 requests (1.2/s on average)",
  ],
])("says how often the target failed: %j", (traffic, line) => {
  const times = { startedAt: "2026-03-01T10:00:00Z", finishedAt: "2026-03-01T10:00:10Z" };

  expect(trafficLine({ traffic, ...times })).toBe(line);
});
