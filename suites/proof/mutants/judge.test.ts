import { describe, expect, it } from "vitest";
import { faults } from "../../../fixtures/mutants/faults/faults.ts";
import type { CheckResult, Verdict } from "../../../reports/verdicts/verdict.ts";
import { demandedOf, judgeConformant, judgeFaulty } from "./judge.ts";
import { parseKills } from "./kills.ts";
import type { Findings } from "./runner.ts";

const [fault] = faults;
if (!fault) throw new Error("there is no fault");
const CAUGHT = fault.caughtBy;

const complaintsOf = (verdicts: Readonly<Record<string, Verdict>>, record: string) => {
  const kills = parseKills(record);
  return judgeFaulty(fault, findings(verdicts), demandedOf(fault, kills, false), kills).complaints;
};

describe("a fault", () => {
  it.each<Verdict>(["fail", "warn"])("is caught by a check with the verdict %s", (verdict) => {
    expect(complaintsOf({ [CAUGHT]: verdict }, CAUGHT)).toEqual([]);
  });

  it.each<Verdict>(["pass", "pass-weak", "inconclusive"])(
    "is not caught by a check with the verdict %s",
    (verdict) => {
      expect(complaintsOf({ [CAUGHT]: verdict }, CAUGHT)).toEqual([
        `is not caught by ${CAUGHT}: ${verdict}, why`,
      ]);
      expect(complaintsOf({ [CAUGHT]: verdict }, `~${CAUGHT}`)).toEqual([]);
    },
  );

  it("is not caught without a result, or by a check that breaks", () => {
    expect(complaintsOf({}, CAUGHT)).toEqual([`is not caught by ${CAUGHT}: there is no result`]);
    expect(complaintsOf({ [CAUGHT]: "suite-error" }, CAUGHT)).toEqual([
      `is not caught by ${CAUGHT}: suite-error, why`,
      `${CAUGHT} broke: why`,
    ]);
  });

  it("may turn only those checks red that are on record, as certain or as possible", () => {
    const red = { "createTransfer/rejections/shape": "fail", "listRecipients/accepted": "warn" } as const;

    expect(complaintsOf({ [CAUGHT]: "fail", ...red }, `${CAUGHT} ~createTransfer/*`)).toEqual([
      "turns listRecipients/accepted red, which is not on record: warn, why",
    ]);
  });

  it("must turn everything on record red if it meets every check, or if checks only warn about it", () => {
    const kills = parseKills(`${CAUGHT} createTransfer/envelope ~createTransfer/answers/json`);

    expect(demandedOf(fault, kills, false)).toEqual([CAUGHT]);
    expect(demandedOf(fault, kills, true)).toEqual([CAUGHT, "createTransfer/envelope"]);
    expect(demandedOf({ ...fault, level: "SHOULD" }, kills, false)).toEqual([
      CAUGHT,
      "createTransfer/envelope",
    ]);
  });
});

describe("a conformant sandbox", () => {
  it("may draw warnings, but no failure and no error outside of any check", () => {
    const found = findings({ "getProfile/accepted": "fail", "getProfile/body-json": "warn" });

    expect(judgeConformant({ ...found, problems: ["unhandled error: boom"] }).complaints).toEqual([
      "getProfile/accepted fails: why",
      "unhandled error: boom",
    ]);
  });

  it("lets a run decide nearly all MUST checks, unless that is on record", () => {
    const half = findings({ "getProfile/accepted": "pass", "listTransfers/paging/end": "inconclusive" });
    const judged = judgeConformant(half, parseKills("-"));

    expect(judged.decided).toBe(50);
    expect(judged.complaints).toEqual([
      "lets a run decide only 50 % of the MUST checks: listTransfers/paging/end stay open",
    ]);
    expect(judgeConformant(half, parseKills("undecided")).complaints).toEqual([]);
  });

  it("draws the warnings on record and no others", () => {
    const warned = findings({ "getProfile/body-json": "warn", "getProfile/envelope": "pass" });

    expect(judgeConformant(warned, parseKills("getProfile/envelope")).complaints).toEqual([
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
