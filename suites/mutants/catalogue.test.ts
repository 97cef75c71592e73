import { expect, it } from "vitest";
import type { Fault, Variation } from "../../fixtures/sandbox/points.ts";
import type { Listed } from "../checklist.ts";
import { proofread } from "./catalogue.ts";

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

it("has nothing to say about faults and variations that are declared well", () => {
  expect(proofread([fault], [variation], [accepted])).toEqual([]);
});

it.each<[string, Fault[], Variation[], string]>([
  ["two faults of one name", [fault, fault], [], "fault gone: a second one has this id"],
  ["two variations of one name", [], [variation, variation], "variation plain: a second one has this id"],
  [
    "a fault that nothing is to catch",
    [{ ...fault, caughtBy: [] }],
    [],
    "fault gone: caughtBy has 0 checks, expected one or two",
  ],
  [
    "a check that is not there",
    [{ ...fault, caughtBy: ["getProfile/gone"] }],
    [],
    "fault gone: caughtBy names getProfile/gone, which is no check",
  ],
  [
    "another requirement",
    [{ ...fault, requirement: "R001" }],
    [],
    "fault gone: getProfile/accepted does not prove R001, but R025",
  ],
  [
    "a check that only observes",
    [{ ...fault, requirement: "N17", caughtBy: ["getProfile/mode"] }],
    [],
    "fault gone: getProfile/mode only observes, so it can never turn red",
  ],
  [
    "a spread to nothing",
    [{ ...fault, spreads: [{ glob: "listTransfers/*", because: "" }] }],
    [],
    "fault gone: spreads to listTransfers/*, which is no check",
  ],
  [
    "a conflict with nothing",
    [],
    [{ ...variation, conflicts: ["other"] }],
    "variation plain: conflicts with other, which is no other variation",
  ],
  [
    "a permission without a source",
    [],
    [{ ...variation, permits: "surely" }],
    'variation plain: "surely" names no open item, section or RFC that permits it',
  ],
])("reports %s", (_, faults, variations, complaint) => {
  expect(proofread(faults, variations, [accepted, observed])).toEqual([complaint]);
});
