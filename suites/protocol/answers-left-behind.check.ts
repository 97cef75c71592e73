import type { Answer } from "../../fixtures/answer.ts";
import { judgeAnswered } from "../../fixtures/answered.ts";
import type { Bench } from "../../fixtures/bench.ts";
import { effected, isSuccess } from "../../fixtures/classify.ts";
import { controlOf } from "../../fixtures/control.ts";
import { countAll, countLive, needCountable, settle } from "../../fixtures/counting.ts";
import { isOurs } from "../../fixtures/exchanged.ts";
import { Inconclusive } from "../../fixtures/findings.ts";
import { locate } from "../../fixtures/listing.ts";
import { itemsAt } from "../../fixtures/pointer.ts";
import { accepted, sendPatiently } from "../../fixtures/positive.ts";
import { type CheckOptions, check } from "../../fixtures/test.ts";
import { outcomeOf, violation } from "../../fixtures/wording.ts";
import { contract, type OperationId } from "../../schemas/contract.ts";
import { answerTo } from "./credential-answers.ts";
import { answerToWrong, wrongRequests } from "./field-answers.ts";

/** What an operation makes, and how a read shows that it was made. */
interface Trace {
  readonly id: OperationId;
  /** What a message says was made. */
  readonly made: string;
  /** Whether a read shows what a request with this reference, link or code would make. */
  readonly shows: (bench: Bench, reference: string) => Promise<boolean>;
  /** How hard it weighs where the request itself was refused. */
  readonly refused: CheckOptions;
}

const TRACES: readonly Trace[] = [
  {
    id: "createTransfer",
    made: "the transfer is listed",
    shows: isPaid,
    refused: { level: "MUST", requirements: ["R083", "R086"] },
  },
  {
    id: "createPaymentPage",
    made: "its link is taken",
    shows: isTaken,
    refused: { level: "SHOULD", critical: true, source: "practice" },
  },
  {
    id: "createDiscountCode",
    made: "the code is listed",
    shows: isListed,
    refused: { level: "SHOULD", critical: true, source: "practice" },
  },
];

// A refusal is only half the proof: nothing of what was asked for may be there afterwards.
for (const trace of TRACES) {
  const { id, refused } = trace;

  check(`${id}/auth/leaves-nothing`, { level: "MUST", requirements: ["R003"] }, async (bench) => {
    await answerTo(bench, id, "no-header", { authorization: null });
    await judge(bench, trace, (answer) => !isOurs(answer, bench.target));
  });

  check(`${id}/rejections/leave-nothing`, refused, async (bench) => {
    await Promise.all(wrongRequests(contract[id]).map((wrong) => answerToWrong(bench, id, wrong)));
    await judge(bench, trace, (answer) => isOurs(answer, bench.target));
  });
}

/** Looks up what every refused request of the run, out of those that are meant, would have made. */
async function judge(bench: Bench, { id, made, shows }: Trace, isMeant: (answer: Answer) => boolean) {
  const { notTested } = await controlOf(bench, id);
  if (notTested) throw notTested;
  const refusals = refusedForGood(bench, id).filter(({ answer }) => isMeant(answer));
  if (refusals.length === 0) throw new Inconclusive("no request with a reference of its own was refused");
  await bench.run.shared("settled after the last refusal", () => settle(bench));
  if (await shows(bench, bench.run.builder.fresh()))
    throw new Inconclusive(`of what was never sent, too, ${made}: nothing can be told apart`);
  for (const { answer, reference } of refusals) {
    if (!(await shows(bench, reference))) continue;
    bench.note(answer);
    throw violation(answer, `${outcomeOf(answer)}, yet ${made} afterwards`, "nothing that was refused");
  }
}

/** The requests of the run whose reference was refused whenever it was sent, each with one of its refusals. */
function refusedForGood(bench: Bench, id: OperationId): { answer: Answer; reference: string }[] {
  const sent = (bench.run.answers.get(id) ?? []).flatMap((answer) => {
    const reference = bench.run.builder.referenceIn(answer.request.body?.toString("utf8") ?? "");
    return reference === undefined ? [] : [{ answer, reference }];
  });
  const doubtful = new Set(
    sent.flatMap(({ answer, reference }) => (effected(answer) === "refused" ? [] : [reference])),
  );
  const certain = sent.filter(({ answer, reference }) => answer.complete && !doubtful.has(reference));
  return [...new Map(certain.map((one) => [one.reference, one])).values()];
}

async function isPaid(bench: Bench, reference: string): Promise<boolean> {
  const how = await needCountable(bench);
  if ((await countAll(bench, reference, how)) === 0) return false;
  // A refused transfer may be recorded, and reach a status that pays nothing only after a while.
  if ((await countLive(bench, reference, how)) === 0) return false;
  await settle(bench);
  return (await countLive(bench, reference, how)) !== 0;
}

async function isTaken(bench: Bench, customLink: string): Promise<boolean> {
  const answer = await sendPatiently(bench, "checkCustomLink", { body: { customLink } });
  judgeAnswered(answer);
  if (answer.failure) throw new Inconclusive(outcomeOf(answer));
  return !isSuccess(answer);
}

async function isListed(bench: Bench, code: string): Promise<boolean> {
  const answer = await accepted(bench, "listDiscountCodes", { query: { code } });
  // What was asked for may be repeated beside the list.
  const text = await locate(bench, "listDiscountCodes").then(
    ({ pointer }) => JSON.stringify(itemsAt(answer.json, pointer)),
    () => answer.text,
  );
  return text.toLowerCase().includes(`"${code.toLowerCase()}"`);
}
