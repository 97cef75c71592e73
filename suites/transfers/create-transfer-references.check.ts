import type { Answer } from "../../fixtures/answer.ts";
import type { Bench } from "../../fixtures/bench.ts";
import { isSuccess } from "../../fixtures/classify.ts";
import { countAll, needCountable, referenceOf, settle } from "../../fixtures/counting.ts";
import { Inconclusive } from "../../fixtures/findings.ts";
import { basisOf, explore, handlingOf, isBreakdown, judgeNoBreakdown } from "../../fixtures/leeway.ts";
import { identifiers } from "../../fixtures/repeats.ts";
import { check } from "../../fixtures/test.ts";
import { outcomeOf, violation } from "../../fixtures/wording.ts";

const ID = "createTransfer";

/** References of forms that the specification does not rule out; the bounds of texts are not shown (N43). */
const ODD_REFERENCES = [
  { name: "of-1-character", of: () => "x" },
  { name: "of-256-characters", of: (fresh: string) => fresh.padEnd(256, "0"), isListed: true },
  { name: "with-unicode", of: (fresh: string) => `${fresh}-ọ✓`, isListed: true },
  { name: "with-spaces", of: (fresh: string) => `${fresh} and more` },
];

for (const { name, of, isListed } of ODD_REFERENCES) {
  const what = `a transferReference ${name.replaceAll("-", " ")}`;
  const sent = (bench: Bench) => transferOnce(bench, name, of);

  check(
    `createTransfer/transferReference-${name}`,
    { level: "SHOULD", source: "N43", pays: 1, probe: true },
    async (bench) => {
      const answer = await sent(bench);
      judgeNoBreakdown(answer, what);
      bench.observe("N43", `${what} ${handlingOf(answer)}`);
    },
  );
  if (isListed) checkListed(name, sent);
}

checkListed("in-mixed-case", async (bench) => (await twins(bench))[0]);

check(
  "createTransfer/long-references-distinct",
  { level: "SHOULD", critical: true, requirements: ["R087"], pays: 2, probe: true },
  async (bench) => {
    const [one, two] = await twins(bench);
    const what = "a transferReference of 64 characters";
    if (!isSuccess(one)) {
      bench.observe("N43", `${what} ${handlingOf(one)}`);
      throw new Inconclusive(`${what} ${outcomeOf(one)}, so nothing can be told of two`);
    }
    if (!two || isBreakdown(two)) throw new Inconclusive("what became of the second transfer is unknown");
    if (!isSuccess(two))
      throw violation(
        two,
        `refused a reference that differs from an earlier one in its 64th character alone (${outcomeOf(two)})`,
        "a new payout for a new reference",
      );
    if (identifiers([one, two]).size === 1)
      throw violation(
        two,
        "answered one transactionId for two references that differ in their 64th character alone",
        "a new payout for a new reference",
      );
  },
);

/** Registers that an accepted transfer is found by its reference as it was sent; a refused one leaves nothing to find. */
function checkListed(name: string, sent: (bench: Bench) => Promise<Answer>) {
  check(
    `createTransfer/listed-reference-${name}`,
    { level: "SHOULD", requirements: ["R011", "R054"], pays: 1, probe: true },
    async (bench) => {
      const how = await needCountable(bench);
      const answer = await sent(bench);
      if (isBreakdown(answer)) throw new Inconclusive(`${outcomeOf(answer)}: what became of it is unknown`);
      if (!isSuccess(answer)) return;
      const isFound = async () => (await countAll(bench, referenceOf(answer), how)) > 0;
      await settle(bench);
      if (await isFound()) return;
      await settle(bench);
      if (await isFound()) return;
      throw violation(
        answer,
        `accepted a transferReference ${name.replaceAll("-", " ")}, yet lists no transfer under it`,
        "the transfer under its reference as it was sent",
      );
    },
  );
}

/** A transfer under an odd reference, sent once per run. */
async function transferOnce(bench: Bench, name: string, of: (fresh: string) => string): Promise<Answer> {
  const answer = await bench.run.shared(`transfer/${name}`, () =>
    explore(bench, ID, { body: { transferReference: of(bench.run.builder.fresh()) } }),
  );
  bench.note(answer);
  return answer;
}

/** Two transfers whose references differ in the last of 64 characters alone; the second only after an accepted first. */
async function twins(bench: Bench): Promise<[Answer, Answer?]> {
  const sent = await bench.run.shared("transfer/twins", async (): Promise<[Answer, Answer?]> => {
    await basisOf(bench, ID);
    const beginning = bench.run.builder.fresh().padEnd(63, "aBcDeFgHiJ");
    const send = (last: string) => explore(bench, ID, { body: { transferReference: beginning + last } });
    const first = await send("X");
    return isSuccess(first) ? [first, await send("Z")] : [first];
  });
  for (const answer of sent) if (answer) bench.note(answer);
  return sent;
}
