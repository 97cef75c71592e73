import { describe, expect, it } from "vitest";
import type { Fault } from "../../fixtures/sandbox/points/points.ts";
import type { CheckResult, Verdict } from "../../reports/verdicts/verdict.ts";
import { judgeConformant, judgeFaulty, judgeVariation } from "./judge.ts";
import type { Findings } from "./runner.ts";

const fault: Fault = {
  id: "status-201",
  breaks: "createDiscountCode answers 201",
  operation: "createDiscountCode",
  requirement: "R111",
  caughtBy: ["createDiscountCode/accepted"],
  spreads: { "createDiscountCode/rejections/*": "an example" },
  points: {},
};

describe("judgeFaulty", () => {
  it.each<Verdict>(["fail", "warn"])("counts a named check with verdict %s as caught", (verdict) => {
    const judged = judgeFaulty(fault, findings({ "createDiscountCode/accepted": verdict }), fault.caughtBy);

    expect(judged.complaints).toEqual([]);
    expect(judged.red).toEqual(["createDiscountCode/accepted"]);
  });

  it.each<Verdict>(["pass", "pass-weak", "inconclusive", "not-tested"])(
    "does not count a named check with verdict %s as caught",
    (verdict) => {
      const judged = judgeFaulty(fault, findings({ "createDiscountCode/accepted": verdict }), fault.caughtBy);

      expect(judged.complaints).toEqual([`is not caught by createDiscountCode/accepted: ${verdict}, why`]);
    },
  );

  it("complains about a suite error, which catches nothing", () => {
    const judged = judgeFaulty(
      fault,
      findings({ "createDiscountCode/accepted": "suite-error" }),
      fault.caughtBy,
    );

    expect(judged.complaints).toContain("createDiscountCode/accepted broke: why");
    expect(judged.complaints).toContain("is not caught by createDiscountCode/accepted: suite-error, why");
  });

  it("complains about a red check that the fault neither names nor explains", () => {
    const judged = judgeFaulty(
      fault,
      findings({
        "createDiscountCode/accepted": "fail",
        "createDiscountCode/rejections/shape": "fail",
        "getProfile/accepted": "warn",
      }),
      fault.caughtBy,
    );

    expect(judged.complaints).toEqual([
      "turns getProfile/accepted red, which it neither names nor explains: warn, why",
    ]);
  });

  it.each([
    [8, ["is not caught by createDiscountCode/accepted: pass, why"]],
    [9, []],
  ])("demands that a fault is caught that one in %i requests shows: %j", (visibleIn, complaints) => {
    const missed = findings({ "createDiscountCode/accepted": "pass" });
    const judged = judgeFaulty({ ...fault, visibleIn }, missed, fault.caughtBy);

    expect(judged.complaints).toEqual(complaints);
    expect(judged.sight).toEqual({ visibleIn, probability: 1 / visibleIn, isCaught: false });
  });

  it("complains about a named check without a result", () => {
    expect(judgeFaulty(fault, findings({}), fault.caughtBy).complaints).toEqual([
      "is not caught by createDiscountCode/accepted: there is no result",
    ]);
  });
});

describe("judgeConformant", () => {
  it("complains about a check that fails, not about one that only warns", () => {
    const judged = judgeConformant(
      findings({ "getProfile/accepted": "fail", "getProfile/body-json": "warn" }),
    );

    expect(judged.complaints).toEqual(["getProfile/accepted fails: why"]);
  });

  it("complains about an error outside of any check", () => {
    const judged = judgeConformant({ ...findings({}), problems: ["unhandled error: boom"] });

    expect(judged.complaints).toEqual(["unhandled error: boom"]);
  });

  it("lists the checks that decided nothing", () => {
    const judged = judgeConformant(findings({ "listTransfers/paging/layout": "inconclusive" }));

    expect(judged.open).toEqual(["listTransfers/paging/layout"]);
  });
});

describe("judgeVariation", () => {
  const half = findings({
    "getProfile/accepted": "pass",
    "listTransfers/status-sets-disjoint": "inconclusive",
  });

  it("complains if a run decides too few MUST checks", () => {
    const judged = judgeVariation({}, half);

    expect(judged.decided).toBe(50);
    expect(judged.complaints).toEqual([
      "lets a run decide only 50 % of the MUST checks: listTransfers/status-sets-disjoint stay open",
    ]);
  });

  it("accepts that if the variation says why", () => {
    expect(judgeVariation({ leavesOpen: "the list is empty" }, half).complaints).toEqual([]);
  });
});

function findings(verdicts: Readonly<Record<string, Verdict>>): Findings {
  const results = Object.entries(verdicts).map(
    ([id, verdict]): CheckResult => ({
      id,
      title: "accepts a discount code",
      operation: "createDiscountCode",
      level: "MUST",
      requirements: ["R111"],
      verdict,
      message: "why",
      durationMs: 1,
      exchanges: [],
    }),
  );
  return { results, observations: [], requests: new Map(), problems: [] };
}
