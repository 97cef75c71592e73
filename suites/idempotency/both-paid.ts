import type { Answer } from "../../fixtures/http/answer.ts";
import { outcomeOf } from "../../fixtures/http/wording.ts";
import { expectDistinct, expectThat } from "../../fixtures/judge/matchers.ts";

/** Demands that a second transfer with another reference is paid as well; `transfers` describes the two. */
export function expectBothPaid(first: Answer, second: Answer, transfers: string) {
  expectThat(
    second.isSuccess,
    second,
    `${outcomeOf(second)} for the second of two ${transfers}`,
    "a new payout for a new reference",
  );
  expectDistinct("transactionId", first, second, transfers);
}
