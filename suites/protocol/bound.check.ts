import { bound } from "../../fixtures/negative.ts";
import { check } from "../../fixtures/test.ts";
import { operations } from "../../schemas/contract.ts";

// Conditions that the specification ties to one status code and body: any other answer is a violation.
for (const { id, bound: conditions } of operations) {
  for (const condition of conditions) {
    check(`${id}/${condition.id}`, { level: "MUST", requirements: condition.requirements }, (bench) =>
      bound(bench, id, condition),
    );
  }
}
