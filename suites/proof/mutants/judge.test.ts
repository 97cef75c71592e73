import { describe, expect, it } from "vitest";
import type { Fault } from "../../../fixtures/mutants/faults/fault.ts";
import type { CheckResult, Verdict } from "../../../reports/verdicts/verdict.ts";
import { demandedOf, judgeConformant, judgeFaulty, judgeVariation } from "./judge.ts";
import { parseKills } from "./kills.ts";
import type { Findings } from "./runner.ts";

const CAUGHT = "createDiscountCode/accepted";

const fault: Fault = {
  id: "status-201",
  breaks: "createDiscountCode answers 201",
  operation: "createDiscountCode",
  requirement: "R111",
  caughtBy: CAUGHT,
  points: {},
};

const complaintsOf = (verdicts: Readonly<Record<string, Verdict>>, record: string) => {
  const kills = parseKills(record);
  return judgeFaulty(fault, findings(verdicts), demandedOf(fault, kills, false), kills).complaints;
};

describe("judgeFaulty", () => {
  it.each<Verdict>(["fail", "warn"])("counts a check with verdict %s as caught", (verdict) => {
    expect(complaintsOf({ [CAUGHT]: verdict }, CAUGHT)).toEqual([]);
  });

  it.each<Verdict>(["pass", "pass-weak", "inconclusive", "not-tested"])(
    "does not count a check with verdict %s as caught",
    (verdict) => {
      expect(complaintsOf({ [CAUGHT]: verdict }, CAUGHT)).toEqual([
        `is not caught by ${CAUGHT}: ${verdict}, why`,
      ]);
    },
  );

  it("complains about a suite error, which catches nothing", () => {
    expect(complaintsOf({ [CAUGHT]: "suite-error" }, CAUGHT)).toEqual([
      `is not caught by ${CAUGHT}: suite-error, why`,
      `${CAUGHT} broke: why`,
    ]);
  });

  it("complains about a check without a result", () => {
    expect(complaintsOf({}, CAUGHT)).toEqual([`is not caught by ${CAUGHT}: there is no result`]);
  });

  it("complains about a red check that is not on record, as certain or as possible", () => {
    const verdicts = {
      [CAUGHT]: "fail",
      "createDiscountCode/rejections/shape": "fail",
      "getProfile/accepted": "warn",
    } as const;

    expect(complaintsOf(verdicts, `${CAUGHT} ~createDiscountCode/*`)).toEqual([
      "turns getProfile/accepted red, which is not on record: warn, why",
    ]);
  });

  it("demands nothing of a check that the record marks", () => {
    expect(complaintsOf({ [CAUGHT]: "pass" }, `~${CAUGHT}`)).toEqual([]);
  });
});

it("demands everything on record of a fault that meets every check, or that checks only warn about", () => {
  const kills = parseKills(`${CAUGHT} createDiscountCode/envelope ~createDiscountCode/answers/json`);

  expect(demandedOf(fault, kills, false)).toEqual([CAUGHT]);
  expect(demandedOf(fault, kills, true)).toEqual([CAUGHT, "createDiscountCode/envelope"]);
  expect(demandedOf({ ...fault, level: "SHOULD" }, kills, false)).toEqual([
    CAUGHT,
    "createDiscountCode/envelope",
  ]);
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
});

describe("judgeVariation", () => {
  const half = findings({
    "getProfile/accepted": "pass",
    "listTransfers/status-sets-disjoint": "inconclusive",
  });

  it("complains if a run decides too few MUST checks, unless that is on record", () => {
    const judged = judgeVariation(half, parseKills("-"));

    expect(judged.decided).toBe(50);
    expect(judged.complaints).toEqual([
      "lets a run decide only 50 % of the MUST checks: listTransfers/status-sets-disjoint stay open",
    ]);
    expect(judgeVariation(half, parseKills("undecided")).complaints).toEqual([]);
  });

  it("complains about warnings that differ from the record", () => {
    const warned = findings({ "getProfile/body-json": "warn", "getProfile/envelope": "pass" });

    expect(judgeVariation(warned, parseKills("getProfile/envelope")).complaints).toEqual([
      "draws no warning from getProfile/envelope: pass, why",
      "draws a warning from getProfile/body-json, which is not on record: warn, why",
    ]);
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
