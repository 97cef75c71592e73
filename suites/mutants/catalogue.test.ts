import { expect, it } from "vitest";
import type { BadPractice, Fault, Variation } from "../../fixtures/sandbox/points/points.ts";
import type { Listed } from "../runner/checklist.ts";
import { type Catalogue, proofread } from "./catalogue.ts";

const accepted: Listed = {
  id: "getProfile/accepted",
  title: "accepts a profile request",
  operation: "getProfile",
  level: "MUST",
  requirements: ["R025"],
  pays: { least: 0, most: 0 },
  file: "customers/get-profile.check.ts",
};
const observed: Listed = {
  ...accepted,
  id: "getProfile/mode",
  level: "OBSERVE",
  requirements: [],
  source: "N17",
};
const fault: Fault = {
  id: "gone",
  breaks: "getProfile is gone",
  operation: "getProfile",
  requirement: "R025",
  caughtBy: ["getProfile/accepted"],
  points: {},
};
const variation: Variation = { id: "plain", permits: "N17: the body", points: {} };

const badPractice: BadPractice = {
  id: "slovenly",
  disregards: "profiles are tidy",
  warns: ["*/tidy"],
  points: {},
};
const tidy: Listed = { ...accepted, id: "getProfile/tidy", level: "SHOULD" };
const none: Catalogue = { faults: [], badPractices: [], variations: [] };

it("finds no mistake in faults, bad practices and variations that are declared well", () => {
  const well = { faults: [fault], badPractices: [badPractice], variations: [variation] };

  expect(proofread(well, [accepted, tidy])).toEqual([]);
});

it.each<[string, Partial<Catalogue>, string]>([
  ["two faults with the same id", { faults: [fault, fault] }, "fault gone: this id is used twice"],
  [
    "two variations with the same id",
    { variations: [variation, variation] },
    "variation plain: this id is used twice",
  ],
  [
    "a fault that names no check",
    { faults: [{ ...fault, caughtBy: [] }] },
    "fault gone: caughtBy has 0 checks; expected one or two",
  ],
  [
    "a check that does not exist",
    { faults: [{ ...fault, caughtBy: ["getProfile/gone"] }] },
    "fault gone: caughtBy names getProfile/gone, which is not a check",
  ],
  [
    "a condition that every request fulfils",
    { faults: [{ ...fault, visibleIn: 1 }] },
    "fault gone: visibleIn is 1; leave it out if every request shows the fault",
  ],
  [
    "another requirement",
    { faults: [{ ...fault, requirement: "R001" }] },
    "fault gone: getProfile/accepted does not prove R001, but R025",
  ],
  [
    "a check that only observes",
    { faults: [{ ...fault, requirement: "N17", caughtBy: ["getProfile/mode"] }] },
    "fault gone: getProfile/mode only observes, so it can never turn red",
  ],
  [
    "a spread to nothing",
    { faults: [{ ...fault, spreads: { "listTransfers/*": "" } }] },
    "fault gone: spreads to listTransfers/*, which is not a check",
  ],
  [
    "two bad practices with the same id",
    { badPractices: [badPractice, badPractice] },
    "bad practice slovenly: this id is used twice",
  ],
  [
    "a warning of nothing",
    { badPractices: [{ ...badPractice, warns: ["*/accepted"] }] },
    "bad practice slovenly: warns of */accepted, which is not a SHOULD check",
  ],
  [
    "a conflict with nothing",
    { variations: [{ ...variation, conflicts: ["other"] }] },
    "variation plain: conflicts with other, which is not another variation",
  ],
  [
    "a permission without a source",
    { variations: [{ ...variation, permits: "surely" }] },
    'variation plain: "surely" names no open item, section or RFC that permits it',
  ],
])("reports %s", (_, declared, complaint) => {
  expect(proofread({ ...none, ...declared }, [accepted, tidy, observed])).toEqual([complaint]);
});
