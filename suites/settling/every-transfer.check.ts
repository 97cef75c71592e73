import type { Answer } from "../../fixtures/answer.ts";
import type { Bench } from "../../fixtures/bench.ts";
import { isStatus5xx, isSuccess } from "../../fixtures/classify.ts";
import { controlOf } from "../../fixtures/control.ts";
import {
  type Countable,
  countAll,
  countLive,
  isListedLive,
  needCountable,
  settle,
} from "../../fixtures/counting.ts";
import { isOurs } from "../../fixtures/exchanged.ts";
import { Inconclusive } from "../../fixtures/findings.ts";
import { locate } from "../../fixtures/listing.ts";
import { judgeLost, judgeRepeats } from "../../fixtures/repeats.ts";
import { check } from "../../fixtures/test.ts";
import { outcomeOf, violation } from "../../fixtures/wording.ts";

const ID = "createTransfer";
/** Transfers that broke the target, of which so many are looked up. */
const MOST = 20;

check(
  "createTransfer/all-accepted-are-listed",
  { level: "MUST", settles: true, requirements: ["R011", "R054", "R082"] },
  async (bench) => {
    const how = await needCountable(bench);
    const accepted = transfers(bench).filter(({ answers }) => answers.some(isSuccess));
    await settle(bench);
    const missing = await unlisted(bench, accepted, how);
    if (missing.length === 0) return;
    // Missing at first may only be slow; missing again after the promised time is lost.
    await settle(bench);
    const [lost] = await unlisted(bench, missing, how);
    const answer = lost?.answers.find(isSuccess);
    if (answer) judgeLost(bench, answer);
  },
);

check(
  "createTransfer/listed-once",
  { level: "SHOULD", critical: true, settles: true, requirements: ["R082"] },
  async (bench) => {
    const how = await needCountable(bench);
    // In a list that is not found one transfer may be named in several places.
    await locate(bench, "listTransfers");
    // A filter may find what only begins alike, or is in another letter case.
    const sent = (bench.run.answers.get(ID) ?? []).map(({ request }) => String(request.body).toLowerCase());
    const once = transfers(bench).filter(
      ({ reference, answers }) =>
        answers.length === 1 &&
        answers.every(isSuccess) &&
        sent.filter((body) => body.includes(reference)).length === 1,
    );
    for (const { reference, answers } of once) {
      // The specification shows no item of the list, so that one transfer may have more rows than one.
      if ((await countAll(bench, reference, how)) <= 1) continue;
      const live = await countLive(bench, reference, how);
      if (live !== undefined && live > 1)
        throw violation(
          answers[0] as Answer,
          `lists ${live} live transfers for one that was sent once: possibly paid twice`,
          "one",
        );
    }
  },
);

check(
  "createTransfer/broken-is-not-paid",
  { level: "SHOULD", critical: true, settles: true, requirements: ["R087"] },
  async (bench) => {
    const { notTested } = await controlOf(bench, ID);
    if (notTested) throw notTested;
    const broken = transfers(bench).filter(
      ({ answers }) => answers.some(isStatus5xx) && !answers.some(isSuccess),
    );
    if (broken.length > 0) await settle(bench);
    for (const { reference, answers } of broken.slice(0, MOST)) {
      const answer = answers.find(isStatus5xx);
      if (answer && (await isListedLive(bench, reference)))
        throw violation(
          answer,
          `${outcomeOf(answer)}, yet lists the transfer as live`,
          "an answer that says what was paid",
        );
    }
  },
);

check(
  "createTransfer/idempotency/repeated-at-end",
  { level: "MUST", requirements: ["R087"] },
  async (bench) => {
    await needCountable(bench);
    const early = bench.run.repeated.find(({ answers: [first] }) => first && isSuccess(first));
    const [first] = early?.answers ?? [];
    if (!early || !first)
      throw new Inconclusive("no reference was sent twice: select createTransfer/idempotency/* as well");
    const body: unknown = JSON.parse(String(first.request.body));
    const draft = { ...bench.draft(ID), body: Object(body), reference: early.reference };
    const answers = [first];
    await bench.send(ID, {}, { draft, repeats: answers });
    await judgeRepeats(bench, early.reference, answers);
  },
);

interface Transfer {
  readonly reference: string;
  readonly answers: readonly Answer[];
}

/** What was sent with this deployment's key in the whole run, by its reference. */
function transfers({ run }: Bench): Transfer[] {
  const known = new Map<string, Answer[]>();
  for (const answer of run.answers.get(ID) ?? []) {
    const reference = run.builder.referenceIn(String(answer.request.body ?? ""));
    if (reference === undefined || !isOurs(answer, run.target)) continue;
    known.set(reference, [...(known.get(reference) ?? []), answer]);
  }
  return [...known].map(([reference, answers]) => ({ reference, answers }));
}

async function unlisted(bench: Bench, sent: readonly Transfer[], how: Countable): Promise<Transfer[]> {
  const missing: Transfer[] = [];
  for (const transfer of sent) {
    if ((await countAll(bench, transfer.reference, how)) === 0) missing.push(transfer);
  }
  return missing;
}
