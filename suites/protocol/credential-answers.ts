import type { Answer } from "../../fixtures/answer.ts";
import { judgeAnswered } from "../../fixtures/answered.ts";
import type { Bench, SendOptions } from "../../fixtures/bench.ts";
import { isStatus2xx } from "../../fixtures/classify.ts";
import { attemptPatiently } from "../../fixtures/negative.ts";
import type { OperationId } from "../../schemas/contract.ts";
import type { Change } from "../../schemas/operation.ts";
import { harmless } from "./ordinary.ts";

/** The answer to the operation's ordinary request under other credentials, asked for once per run. */
export async function answerTo(
  bench: Bench,
  id: OperationId,
  name: string,
  options: SendOptions,
  change: Change = {},
): Promise<Answer> {
  const answer = await bench.run.shared(`auth/${id}/${name}`, () => {
    const built = harmless(bench, id, change);
    // Without a body nothing can move.
    const draft = options.bytes === "" ? { ...built, stake: undefined } : built;
    return attemptPatiently(bench, id, {}, { ...options, draft });
  });
  bench.note(answer);
  judgeAnswered(answer);
  return answer;
}

/** What became of a request, for an observation. */
export function fateOf(answer: Answer): string {
  if (isStatus2xx(answer)) return "accepted";
  return answer.status === undefined ? "left without an answer" : `refused with ${answer.status}`;
}
