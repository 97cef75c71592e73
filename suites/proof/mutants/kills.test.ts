import { expect, test } from "vitest";
import { faults } from "../../../fixtures/mutants/faults/faults.ts";
import { variations } from "../../../fixtures/mutants/variations/variations.ts";
import { readChecklist } from "../../runner/checklist.ts";
import { readKills } from "./kills.ts";

const kills = readKills();
const checks = new Map(readChecklist().map((check) => [check.id, check]));

test("the record has a line for each fault and each variation, and no other", () => {
  const mutants = [
    ...faults.map(({ id }) => `fault ${id}`),
    ...variations.map(({ id }) => `variation ${id}`),
  ];

  expect([...kills.keys()].toSorted()).toEqual(mutants.toSorted());
});

test("the record names only checks that exist", () => {
  const named = [...kills.values()].flatMap(({ certain, possible }) => [...certain, ...possible]);

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
        const { certain = [], possible = [] } = kills.get(`fault ${id}`) ?? {};
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
