import { expect, it } from "vitest";
import { exampleCheck } from "../testing/examples.ts";
import { requirementResults, ruleOf } from "./rules.ts";

const operation = "createTransfer";
const none = { operation, requirements: [] } as const;

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
