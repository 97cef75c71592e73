import type { Answer } from "../../fixtures/answer.ts";
import type { Bench } from "../../fixtures/bench.ts";
import { isDocumentedRefusal, isStatus2xx } from "../../fixtures/classify.ts";
import { acceptedControl, controlOf, judgeOptionalParts } from "../../fixtures/control.ts";
import { isListedLive, referenceOf, settle } from "../../fixtures/counting.ts";
import { check } from "../../fixtures/test.ts";
import { outcomeOf, violation } from "../../fixtures/wording.ts";
import { contract } from "../../schemas/contract.ts";

check(
  "createTransfer/accepted",
  { level: "MUST", requirements: contract.createTransfer.requirements.success, pays: 1 },
  async (bench) => {
    const { answer } = await controlOf(bench, "createTransfer");
    if (answer && isStatus2xx(answer) && isDocumentedRefusal(answer))
      await judgeUnacknowledged(bench, answer);
    await acceptedControl(bench, "createTransfer");
  },
);

/** Without its identifier a success reads, word for word, like a refusal; the list shows which of them it is. */
async function judgeUnacknowledged(bench: Bench, answer: Answer) {
  await settle(bench);
  if (await isListedLive(bench, referenceOf(answer))) {
    throw violation(
      answer,
      `${outcomeOf(answer)} without transactionId, yet lists the transfer as live`,
      "transactionId in the answer to an accepted transfer",
    );
  }
}

check("createTransfer/optional-fields", { level: "MUST", requirements: ["R084"], pays: 1 }, async (bench) => {
  const { BANK_NAME: bankName } = bench.values;
  const transferNote = `payments-conformance ${bench.run.settings.runId}`;
  const answer = await bench.send("createTransfer", { body: { bankName, transferNote } });
  await judgeOptionalParts(bench, "createTransfer", answer);
});
