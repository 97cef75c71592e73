import { describe, expect, it } from "vitest";
import { leadToRules, ruleOf, rulesOf } from "./rules.ts";

const operation = "createTransfer";
const none = { operation, requirements: [] } as const;

describe("rulesOf", () => {
  it("gives number, section and statement of each requirement, those of the operation first", () => {
    expect(rulesOf({ operation, requirements: ["R056", "R110", "R087"] })).toEqual([
      "R087 (section 4.16): A repeated transferReference never causes a second payout.",
      "R056 (sections 4.8 and 8): A page of the transfer list has at most limit records.",
      "R110 (section 7): Error shape D has error (a string).",
    ]);
  });

  it("says that an open item is left open", () => {
    expect(rulesOf({ ...none, source: "N33,G10" })).toEqual([
      "N33 (left open by the specification): body of a 401 response",
      "G10 (left open by the specification): status code of an unauthenticated request to an operation that does not list 401",
    ]);
  });

  it.each([
    ["RFC 9111", "RFC 9111: HTTP Caching"],
    ["PCI 3.4.1", "PCI DSS 3.4.1: A card number is masked when it is displayed."],
    ["practice", "good practice (not in the specification)"],
    ["mandate", "the mandate of the suite's users (not in the specification)"],
    ["RFC 1149", "RFC 1149"],
  ])("names the norm %s", (source, text) => {
    expect(rulesOf({ ...none, source })).toEqual([text]);
  });

  it("keeps the requirements of a check that has a source as well", () => {
    expect(rulesOf({ operation, requirements: ["R110"], source: "RFC 9110" })).toEqual([
      "R110 (section 7): Error shape D has error (a string).",
      "RFC 9110: HTTP Semantics",
    ]);
  });
});

describe("ruleOf", () => {
  it("states the first rule in words and names the others", () => {
    expect(ruleOf({ operation, requirements: ["R087"] })).toBe(
      "R087, section 4.16: A repeated transferReference never causes a second payout",
    );
    expect(ruleOf({ operation, requirements: ["R110", "R087"], source: "RFC 9110" })).toBe(
      "R087, section 4.16: A repeated transferReference never causes a second payout; also R110, RFC 9110",
    );
    expect(ruleOf({ ...none, source: "practice" })).toBe("good practice, not in the specification");
  });

  it("admits that a check has no rule", () => {
    expect(ruleOf(none)).toBe("no rule");
  });
});

it("calls only the rules of a MUST check required", () => {
  expect((["MUST", "SHOULD", "OBSERVE"] as const).map((level) => leadToRules({ level }))).toEqual([
    "required by",
    "based on",
    "based on",
  ]);
});
