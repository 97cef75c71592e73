import type { Answer } from "../../fixtures/answer.ts";
import type { Bench } from "../../fixtures/bench.ts";
import { controlOf } from "../../fixtures/control.ts";
import { Inconclusive } from "../../fixtures/findings.ts";
import type { OperationId } from "../../schemas/contract.ts";

/** Judges every answer that the operation gave in this run; its ordinary request is sent first. */
export const everyAnswer =
  (id: OperationId, judge: (answer: Answer, bench: Bench) => void) => async (bench: Bench) => {
    const answers = await answersOf(bench, id);
    for (const answer of answers) {
      try {
        judge(answer, bench);
      } catch (error) {
        bench.note(answer);
        throw error;
      }
    }
  };

/** The answers of the operation in this run, its ordinary one included. */
export async function answersOf(bench: Bench, id: OperationId): Promise<readonly Answer[]> {
  const { notTested } = await controlOf(bench, id);
  const answers = (bench.run.answers.get(id) ?? []).filter(({ status }) => status !== undefined);
  if (answers.length === 0) throw notTested ?? new Inconclusive("no answer arrived");
  return answers;
}
