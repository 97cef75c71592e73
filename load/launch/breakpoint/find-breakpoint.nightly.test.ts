import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, type TestContext, test } from "vitest";
import { loadFaults } from "../../../fixtures/sandbox/faults/under-load/load-faults.ts";
import { type SandboxOptions, startSandbox } from "../../../fixtures/sandbox/service/server.ts";
import { throttledTo } from "../../../fixtures/sandbox/variations/conditions/load.ts";
import { queuedBeyond } from "../../../fixtures/sandbox/variations/conditions/slow-periods.ts";
import { temporaryFolder } from "../../../fixtures/testing/example-target.ts";
import { BreakpointFile } from "../../breakpoint/breakpoint-result.ts";
import { k6OrSkip } from "../../testing/k6-present.ts";
import { startLoad } from "../../testing/load-command.ts";

const LONG = { timeout: 120_000 };

/** A sandbox as an operator would configure it, with a rate to hold for a few seconds only. */
async function deployment(options: SandboxOptions, RATE: string, DURATION: string) {
  const sandbox = await startSandbox(options);
  onTestFinished(() => sandbox.close());
  const consent = { ALLOW_PAYOUTS: "true", MAX_PAYOUTS: "100000", MAX_PAYOUT_TOTAL: "1000000000" };
  return { sandbox, variables: { ...sandbox.env, ...consent, SETTLE_SECONDS: "0.2", RATE, DURATION } };
}

/** The folder of the only search below a folder. */
function searchIn(folder: string): string {
  const out = join(folder, "reports/out");
  const [name = ""] = readdirSync(out).filter((one) => one.startsWith("breakpoint-"));
  return join(out, name);
}

const readSearch = (folder: string) =>
  BreakpointFile.parse(JSON.parse(readFileSync(join(searchIn(folder), "breakpoint.json"), "utf8")));

function skipIfBusy(folder: string, { skip }: Pick<TestContext, "skip">) {
  if (readSearch(folder).causes.some(({ kind }) => kind === "generator"))
    skip("this machine is so busy that k6 itself is late");
}

describe("npm run load -- breakpoint", () => {
  test("finds the rate above which a deployment throttles, within 10 %", LONG, async (context) => {
    await k6OrSkip(context);
    const { variables } = await deployment({ variations: [throttledTo(150, 30)] }, "200", "5s");
    const { folder, ended } = startLoad(["breakpoint", "qr"], variables);

    const { code, stdout } = await ended;
    skipIfBusy(folder, context);

    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/FOUND \(exit code 0\): the target held 1\d\d\/s for 5 s, and not 1\d\d/),
    });
    const { bounds, causes, steps } = readSearch(folder);
    const { held = 0, broke = 0 } = bounds;
    expect(held).toBeGreaterThan(135);
    expect(broke).toBeLessThan(165 * 1.05);
    expect(broke / held).toBeLessThanOrEqual(1.05);
    expect(causes[0]?.kind).toBe("throttling");
    for (const step of steps)
      expect(readdirSync(join(searchIn(folder), step.folder)).join()).toMatch(/^\d{8}T\d{6}Z-[\da-f]{8}/);
    expect(readFileSync(join(searchIn(folder), "breakpoint.md"), "utf8")).toContain("| ramp to 200 | ");
  });

  test("names the operation that becomes too slow", LONG, async (context) => {
    await k6OrSkip(context);
    const { variables } = await deployment({ variations: [queuedBeyond(100)] }, "150", "4s");
    const folder = temporaryFolder();
    writeFileSync(
      join(folder, "slo.json"),
      JSON.stringify({ latency: { createQrTransaction: { p50: 5_000, p95: 300 } } }),
    );

    const { code } = await startLoad(["breakpoint", "qr"], { ...variables, SLO: "slo.json" }, folder).ended;
    skipIfBusy(folder, context);

    const { bounds, causes } = readSearch(folder);
    expect({ code, cause: causes[0] }).toEqual({
      code: 0,
      cause: {
        kind: "latency",
        operation: "createQrTransaction",
        text: expect.stringMatching(/at p95 \(objective: at most 300 ms\)/),
      },
    });
    // The queue is in order up to 100/s, and needs a few seconds to become long enough at little more.
    expect(bounds.held).toBeGreaterThan(85);
    expect(bounds.broke).toBeLessThan(130);
  });

  test("ends with exit code 1 at an invariant that breaks under load", LONG, async (context) => {
    await k6OrSkip(context);
    const fault = loadFaults.find(({ id }) => id === "under-load/shape-broken");
    const { variables } = await deployment(fault ? { fault } : {}, "150", "3s");
    const { folder, ended } = startLoad(["breakpoint", "transfers"], variables);

    const { code, stdout } = await ended;

    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: expect.stringMatching(
        /FAILED \(exit code 1\): in the ramp up to 150\/s, .* L9 \(every response/,
      ),
    });
    expect(readSearch(folder).steps).toMatchObject([{ kind: "ramp", state: "defect" }]);
  });

  test("stops on Ctrl-C, reconciles the current run and keeps the steps", LONG, async (context) => {
    await k6OrSkip(context);
    const { sandbox, variables } = await deployment({}, "20", "60s");
    const { folder, ended, kill } = startLoad(["breakpoint", "transfers"], variables);
    const sent = () => sandbox.log.filter(({ requestId }) => requestId.includes("-load.")).length;
    await expect.poll(sent, { timeout: 20_000 }).toBeGreaterThan(10);

    kill("SIGINT");
    const { code, stdout } = await ended;

    expect({ code, stdout }).toEqual({
      code: 130,
      stdout: expect.stringContaining("INTERRUPTED (exit code 130)"),
    });
    const { steps, money } = readSearch(folder);
    expect(steps).toMatchObject([{ kind: "ramp", state: "stopped" }]);
    expect(money.kept.count).toBeGreaterThan(10);
    // Far from the 2,500 of the whole ramp: what was sent, and what may have been under way.
    expect(money.kept.count).toBeLessThan(400);
  });

  test.skipIf(process.platform === "win32")("stops its run if it is killed itself", LONG, async (context) => {
    await k6OrSkip(context);
    const { sandbox, variables } = await deployment({}, "200", "60s");
    const { ended, kill } = startLoad(["breakpoint", "safe"], variables);
    const sent = () => sandbox.log.filter(({ requestId }) => requestId.includes("-load.")).length;
    await expect.poll(sent, { timeout: 20_000 }).toBeGreaterThan(10);

    kill("SIGKILL");
    await ended;

    // At this rate, a second without a request is the end of the load.
    let before = 0;
    const hasStopped = () => {
      const earlier = before;
      before = sent();
      return before === earlier;
    };
    await expect.poll(hasStopped, { timeout: 20_000, interval: 1_000 }).toBe(true);
  });

  test("says in a dry run what it would send and move at most, and sends nothing", async () => {
    const { sandbox, variables } = await deployment({}, "200", "60s");
    const { folder, ended } = startLoad(["breakpoint", "transfers", "--dry-run"], {
      ...variables,
      MAX_PAYOUTS: "200000",
    });

    const { code, stdout } = await ended;

    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(
        /a ramp to 200\/s in 300 s[\s\S]*then at most \d+ runs of 60 s[\s\S]*At most \d+,\d{3} requests in \d\d minutes[\s\S]*moves at most \d+,\d{3} money calls/,
      ),
    });
    expect(sandbox.log).toHaveLength(0);
    expect(existsSync(join(folder, "reports"))).toBe(false);
  });

  test("sends nothing if all its runs together may exceed the caps", async () => {
    const { sandbox, variables } = await deployment({}, "20", "60s");
    // The ramp or any other single run would fit.
    const { code, stderr } = await startLoad(["breakpoint", "transfers"], {
      ...variables,
      MAX_PAYOUTS: "3000",
    }).ended;

    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: expect.stringMatching(/^the search may move more than MAX_PAYOUTS=3000 .*nothing was sent\n$/),
    });
    expect(sandbox.log).toHaveLength(0);
  });

  test.each([
    [
      3,
      "without consent to load a host other than loopback",
      ["breakpoint", "safe"],
      { BASE_URL: "https://sandbox.example.com", SECRET_KEY: "sk_test_0123456789abcdef", RATE: "50" },
      "set LOAD_TARGET=sandbox.example.com",
    ],
    [2, "with a profile", ["breakpoint", "qr", "--profile", "average"], {}, "leave out --profile"],
    [2, "without a workload", ["breakpoint"], {}, "workload is missing"],
    [
      2,
      "if the hold is too short for the workload",
      ["breakpoint", "gateway"],
      { DURATION: "1s" },
      "too short",
    ],
  ])("exits with %i and one line %s", async (exitCode, _, args, variables, line) => {
    const { code, stderr } = await startLoad(args, variables as Record<string, string>).ended;

    expect({ code, stderr }).toEqual({ code: exitCode, stderr: expect.stringContaining(line) });
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });
});
