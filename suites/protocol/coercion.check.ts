import type { Bench } from "../../fixtures/bench.ts";
import { isSuccess } from "../../fixtures/classify.ts";
import { type Coercible, coercibleFields, lenientNeed } from "../../fixtures/probes.ts";
import { check } from "../../fixtures/test.ts";
import { outcomeOf } from "../../fixtures/wording.ts";
import { type OperationId, operations } from "../../schemas/contract.ts";

// Validators differ over numbers as text and text as numbers: both taking and refusing them is defensible.
for (const operation of operations) {
  for (const coercible of coercibleFields(operation)) {
    const { field, type } = coercible;
    const item = type === "text or number" ? "N18" : "N40";
    check(`${operation.id}/${field}/coercion`, { level: "OBSERVE", source: item }, (bench) =>
      observe(bench, operation.id, coercible, item),
    );
  }
}

async function observe(bench: Bench, id: OperationId, { field, type }: Coercible, item: string) {
  lenientNeed(bench, id);
  const draft = bench.draft(id);
  const { value, written } = coerced(type, draft.body?.[field], draft.reference);
  const answer = await bench.send(id, { body: { [field]: value } });
  bench.observe(item, `${field} as ${written} is ${isSuccess(answer) ? "accepted" : "refused"}`);
  return outcomeOf(answer);
}
