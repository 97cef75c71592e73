import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startSandbox } from "../../fixtures/sandbox/service/server.ts";
import { bytesOf, forward } from "../../fixtures/testing/forward.ts";
import { listen } from "../../fixtures/testing/listener.ts";
import { k6OrSkip } from "../testing/k6-present.ts";
import { startLoad } from "../testing/load-command.ts";

const REJECTION = '{"status":"error","message":"invalid","errors":{}}';

/** A proxy that returns 400 to every transfer, and passes it on before if it is told to. */
async function rejecting(url: string, passesOn: boolean): Promise<string> {
  const proxy = await listen(async (incoming, outgoing) => {
    const body = await bytesOf(incoming);
    const isTransfer = body.includes('"transferReference"');
    const passed = isTransfer && !passesOn ? undefined : await forward(url, incoming, body);
    if (isTransfer || !passed) outgoing.writeHead(400, { "content-type": "application/json" }).end(REJECTION);
    else outgoing.writeHead(passed.response.statusCode ?? 0, passed.response.rawHeaders).end(passed.answer);
  });
  return proxy.url;
}

test.for([
  [true, "keeps", /shows load-\S+ all the same, so it counts as paid in the ledger\. Check BANK_CODE/],
  [false, "releases", /\(.*invalid.*\)\. Check BANK_CODE/],
] as const)(
  "a rejected first transfer that was paid: %s; the ledger %s it",
  { timeout: 60_000 },
  async ([isPaid, fate, says], context) => {
    await k6OrSkip(context);
    const sandbox = await startSandbox();
    onTestFinished(() => sandbox.close());
    const consent = { ALLOW_PAYOUTS: "true", MAX_PAYOUTS: "100", MAX_PAYOUT_TOTAL: "100000000" };
    const short = { SETTLE_SECONDS: "0.2", RATE: "40", DURATION: "1s" };
    const BASE_URL = await rejecting(sandbox.url, isPaid);
    const variables = { ...sandbox.env, ...consent, ...short, BASE_URL };

    const { folder, ended } = startLoad(["transfers", "--profile", "smoke"], variables);
    const { code, stderr } = await ended;

    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringMatching(says) });
    const [name = ""] = readdirSync(join(folder, "reports/ledger"));
    const ledger = readFileSync(join(folder, "reports/ledger", name), "utf8");
    expect(ledger.match(/"type":"keep"/g) ?? []).toHaveLength(fate === "keeps" ? 1 : 0);
  },
);
