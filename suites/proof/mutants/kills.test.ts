import { describe, expect, it, test } from "vitest";
import { faults } from "../../../fixtures/mutants/faults/faults.ts";
import { loadFaults } from "../../../fixtures/mutants/faults/under-load/load-faults.ts";
import { variations } from "../../../fixtures/mutants/variations/variations.ts";
import type { CheckResult, Verdict } from "../../../reports/verdicts/verdict.ts";
import { readChecklist } from "../../runner/checklist.ts";
import { judgeConformant } from "./conformant.ts";
import { demandedOf, judgeFaulty, parseKills, readKills } from "./kills.ts";
import type { Findings } from "./runner.ts";

const recorded = readKills();
const checks = new Map(readChecklist().map((check) => [check.id, check]));

test("every fault has an id of its own, and says in one line what its operation does wrong", () => {
  const all = [...faults, ...loadFaults];
  const unclear = all.filter(({ breaks, operation, on, level }) => {
    const subjects = level ? ["every operation", [on].flat().join(" or ")] : [operation];
    return !subjects.some((subject) => breaks.startsWith(`${subject} `)) || !/^.{20,200}$/.test(breaks);
  });

  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  expect(unclear.map(({ id, breaks }) => `${id}: ${breaks}`)).toEqual([]);
});

test("the record has a line for each fault and each variation, and no other", () => {
  const mutants = [
    ...faults.map(({ id }) => `fault ${id}`),
    ...variations.map(({ id }) => `variation ${id}`),
  ];

  expect([...recorded.keys()].toSorted()).toEqual(mutants.toSorted());
});

test("the record names only checks that exist", () => {
  const named = [...recorded.values()].flatMap(({ certain, possible }) => [...certain, ...possible]);

  expect(named.filter((id) => !id.includes("*") && !checks.has(id))).toEqual([]);
});

test("each fault violates the requirement of the check that must catch it, or what the check rests on", () => {
  const unproven = faults.filter(({ caughtBy, requirement }) => {
    const { requirements = [], source = "", level } = checks.get(caughtBy) ?? {};
    return level === "OBSERVE" || ![...requirements, ...source.split(/[,;] */)].includes(requirement);
  });

  expect(unproven.map(({ id }) => id)).toEqual([]);
});

test("each MUST check turned red for a fault, and each SHOULD check for a fault or a disregarded practice", () => {
  const redBy = (those: typeof faults) =>
    new Set(
      those.flatMap(({ id }) => {
        const { certain = [], possible = [] } = recorded.get(`fault ${id}`) ?? {};
        return [...certain, ...possible];
      }),
    );
  const [caught, warned] = [redBy(faults.filter(({ level }) => level !== "SHOULD")), redBy(faults)];
  const never = [...checks.values()].filter(
    ({ id, level }) => level !== "OBSERVE" && !(level === "MUST" ? caught : warned).has(id),
  );

  expect(never.map(({ id }) => id)).toEqual([]);
});

test("each variation says which open item, section or RFC permits it, and excludes only others", () => {
  const ids = variations.map(({ id }) => id);
  const unclear = variations.filter(
    ({ id, permits, conflicts = [] }) =>
      !/\b[NG]\d\d\b|\bA\d\d\b|\bsection \d|\bRFC \d/.test(permits) ||
      conflicts.some((other) => other === id || !ids.includes(other)),
  );

  expect(new Set(ids).size).toBe(ids.length);
  expect(unclear.map(({ id }) => id)).toEqual([]);
});

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

  it("may draw no critical finding, even one that is on record", () => {
    const { results, ...rest } = findings({ "getProfile/body-json": "fail" });
    const critical = results.map((check): CheckResult => ({ ...check, level: "SHOULD", critical: true }));

    const { complaints } = judgeConformant(
      { ...rest, results: critical },
      parseKills("getProfile/body-json"),
    );

    expect(complaints).toEqual(["getProfile/body-json has a critical finding: why"]);
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
