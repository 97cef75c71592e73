import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../fixtures/testing/example-target.ts";
import { renderHar } from "./har.ts";

const api = "https://api.example.com";
const EXCHANGES = [
  {
    requestId: "run-pay-1",
    startedAt: "2026-03-01T10:00:02.000Z",
    durationMs: 12.5,
    request: {
      method: "POST",
      url: `${api}/pay?a=1&b=x%20y&c`,
      headers: [["Content-Type", "application/json"]],
      body: '{"ä":1}',
    },
    response: { status: 200, headers: [["content-type", "application/json"]], body: "x".repeat(9000) },
  },
  {
    requestId: "run-get-1",
    startedAt: "2026-03-01T10:00:01.000Z",
    durationMs: 300,
    request: { method: "GET", url: `${api}/profile`, headers: [["Authorization", "[ABSENT]"]], body: "" },
    error: "no complete response within 300 ms",
  },
];

test.each([
  ["has every exchange in the order in which they were sent, and leaves out a damaged file", EXCHANGES],
  ["is empty for a run that sent nothing", []],
])("exchanges.har %s", async (_case, exchanges) => {
  const directory = temporaryFolder();
  mkdirSync(join(directory, "exchanges"));
  writeFileSync(join(directory, "exchanges/damaged.json"), "{");
  for (const [index, exchange] of exchanges.entries())
    writeFileSync(join(directory, `exchanges/${index}.json`), JSON.stringify(exchange));

  const har = JSON.parse(renderHar(directory, { suite: { version: "0.1.0", commit: "1" } }));

  await expect(`${JSON.stringify(har, null, 2)}\n`).toMatchFileSnapshot(
    `../testing/golden/${exchanges.length}.exchanges.har`,
  );
});
