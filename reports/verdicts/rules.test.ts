import { expect, it } from "vitest";
import { ruleOf } from "./rules.ts";

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
