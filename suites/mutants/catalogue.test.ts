import { expect, it } from "vitest";
import type { BadPractice, Fault, Variation } from "../../fixtures/sandbox/points/points.ts";
import type { Listed } from "../runner/checklist.ts";
import { type Catalogue, proofread } from "./catalogue.ts";

const accepted: Listed = {
  id: "getProfile/accepted",
  operation: "getProfile",
  level: "MUST",
  requirements: ["R025"],
  pays: 0,
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

const neglect: BadPractice = {
  id: "slovenly",
  disregards: "profiles are tidy",
  warns: ["*/tidy"],
  points: {},
};
const tidy: Listed = { ...accepted, id: "getProfile/tidy", level: "SHOULD" };
const none: Catalogue = { faults: [], badPractices: [], variations: [] };

it("has nothing to say about faults, badPractices and variations that are declared well", () => {
  const well = { faults: [fault], badPractices: [badPractice], variations: [variation] };

  expect(proofread(well, [accepted, tidy])).toEqual([]);
});

it.each<[string, Partial<Catalogue>, string]>([
  ["two faults of one name", { faults: [fault, fault] }, "fault gone: a second one has this id"],
  [
    "two variations of one name",
    { variations: [variation, variation] },
    "variation plain: a second one has this id",
  ],
  [
    "a fault that nothing is to catch",
    { faults: [{ ...fault, caughtBy: [] }] },
    "fault gone: caughtBy has 0 checks, expected one or two",
  ],
  [
    "a check that is not there",
    { faults: [{ ...fault, caughtBy: ["getProfile/gone"] }] },
    "fault gone: caughtBy names getProfile/gone, which is no check",
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
    { faults: [{ ...fault, spreads: [{ glob: "listTransfers/*", because: "" }] }] },
    "fault gone: spreads to listTransfers/*, which is no check",
  ],
  [
    "two badPractices of one name",
    { badPractices: [badPractice, badPractice] },
    "neglect slovenly: a second one has this id",
  ],
  [
    "a warning of nothing",
    { badPractices: [{ ...badPractice, warns: ["*/accepted"] }] },
    "neglect slovenly: warns of */accepted, which is no SHOULD check",
  ],
  [
    "a conflict with nothing",
    { variations: [{ ...variation, conflicts: ["other"] }] },
    "variation plain: conflicts with other, which is no other variation",
  ],
  [
    "a permission without a source",
    { variations: [{ ...variation, permits: "surely" }] },
    'variation plain: "surely" names no open item, section or RFC that permits it',
  ],
])("reports %s", (_, declared, complaint) => {
  expect(proofread({ ...none, ...declared }, [accepted, tidy, observed])).toEqual([complaint]);
});
