import { expect, it } from "vitest";
import { exampleCheck } from "../testing/examples.ts";
import { requirementResults, ruleOf, rulesOf } from "./rules.ts";

const operation = "createTransfer";
const none = { operation, requirements: [] } as const;

it("states each requirement, those of the operation first, and then the norms and open items", () => {
  expect(rulesOf({ operation, requirements: ["R056", "R087"], source: "RFC 9110,N33" })).toEqual([
    "R087 (section 4.16): A repeated transferReference never causes a second payout.",
    "R056 (sections 4.8 and 8): A page of the transfer list has at most limit records.",
    "RFC 9110: HTTP Semantics",
    "N33 (left open by the specification): body of a 401 response",
  ]);
});

it.each([
  ["PCI 3.4.1", "PCI DSS 3.4.1: A card number is masked when it is displayed."],
  ["practice", "good practice (not in the specification)"],
  ["RFC 1149", "RFC 1149"],
])("names the norm %s", (source, text) => {
  expect(rulesOf({ ...none, source })).toEqual([text]);
});

it.each([
  [
    { operation, requirements: ["R087"] },
    "R087, section 4.16: A repeated transferReference never causes a second payout",
  ],
  [
    { operation, requirements: ["R110", "R087"], source: "RFC 9110" },
    "R087, section 4.16: A repeated transferReference never causes a second payout; also R110, RFC 9110",
  ],
  [{ ...none, source: "practice" }, "good practice, not in the specification"],
  [none, "no rule"],
] as const)("states the first rule in one line, and names the others (%#)", (basis, line) => {
  expect(ruleOf(basis)).toBe(line);
});

it.each([
  ["passed", [], undefined],
  ["failed", [exampleCheck("fail")], "the API violates it: listTransfers/fail"],
  [
    "critical",
    [exampleCheck("fail", { level: "SHOULD", critical: true })],
    "no MUST check failed, but there is a critical finding: listTransfers/fail; 1 other check passed",
  ],
  ["warned", [exampleCheck("warn", { level: "SHOULD" })], undefined],
] as const)("says why a requirement is not proved if a check on it has %s", (_found, checks, unproved) => {
  const results = requirementResults([exampleCheck("pass"), ...checks]);

  expect(results.find(({ id }) => id === "R054")?.unproved).toBe(unproved);
});
