import { isSuccess } from "../../fixtures/classify.ts";
import { acceptedControl, controlOf } from "../../fixtures/control.ts";
import {
  countAll,
  countable,
  countByStatus,
  countLive,
  needCountable,
  referenceOf,
  settle,
} from "../../fixtures/counting.ts";
import { Inconclusive } from "../../fixtures/findings.ts";
import { locate, readFiltered } from "../../fixtures/listing.ts";
import { scalars } from "../../fixtures/pointer.ts";
import { judgeLost, show } from "../../fixtures/repeats.ts";
import { check } from "../../fixtures/test.ts";
import { outcomeOf, violation } from "../../fixtures/wording.ts";

check(
  "createTransfer/accepted-is-listed",
  { level: "MUST", settles: true, requirements: ["R011", "R054", "R082"] },
  async (bench) => {
    const answer = await acceptedControl(bench, "createTransfer");
    const how = await countable(bench);
    const reference = referenceOf(answer);
    // Missing at first may only be slow; missing again after the promised time is lost.
    const isListed = async () =>
      (how
        ? await countAll(bench, reference, how)
        : (await readFiltered(bench, "listTransfers", { transferReference: reference })).items.length) > 0;
    if (await isListed()) return;
    await settle(bench);
    if (await isListed()) return;
    await locate(bench, "listTransfers");
    judgeLost(bench, answer);
  },
);

check(
  "createTransfer/refused-is-not-listed",
  { level: "MUST", requirements: ["R011", "R083", "R086"] },
  async (bench) => {
    const how = await needCountable(bench);
    const draft = bench.draft("createTransfer");
    const { bankCode: _, ...body } = draft.body ?? {};
    const answer = await bench.send("createTransfer", {}, { draft: { ...draft, body } });
    if (isSuccess(answer))
      throw new Inconclusive(
        `a transfer without bankCode ${outcomeOf(answer)}: it was not refused`,
        "createTransfer/bankCode/missing",
      );
    if (answer.failure || (answer.status ?? 500) >= 500)
      throw new Inconclusive(`${outcomeOf(answer)}: whether it was refused is unknown`);
    await settle(bench);
    if ((await countAll(bench, draft.reference, how)) === 0) return;
    const live = await countLive(bench, draft.reference, how);
    if (live === undefined || live > 0) {
      throw violation(
        answer,
        `${outcomeOf(answer)} to a transfer without bankCode, yet lists it as ${live === undefined ? "a transfer" : "live"}`,
        "no payout for a refused request",
      );
    }
  },
);

check(
  "createTransfer/accepted-has-one-status",
  { level: "MUST", settles: true, requirements: ["R011", "R019"] },
  async (bench) => {
    const how = await needCountable(bench);
    const reference = referenceOf(await acceptedControl(bench, "createTransfer"));
    // The status may change between two of the seven reads (section 3), so a difference must show twice.
    let spread = await countByStatus(bench, reference, how);
    if (spread.sum !== spread.all) {
      await settle(bench);
      spread = await countByStatus(bench, reference, how);
    }
    if (spread.sum < spread.all)
      bench.warn("shows an accepted transfer under none of the six status filters");
    if (spread.sum <= spread.all) return;
    const page = await readFiltered(bench, "listTransfers", { transferReference: reference });
    throw violation(
      page.answer,
      "shows an accepted transfer under several of the six status filters",
      "each transfer under one of them",
    );
  },
);

check(
  "createTransfer/idempotency/at-end-of-run",
  { level: "MUST", settles: true, requirements: ["R087"] },
  async (bench) => {
    const { notTested } = await controlOf(bench, "createTransfer");
    if (notTested) throw notTested;
    const { repeated } = bench.run;
    if (repeated.length === 0)
      throw new Inconclusive("no reference was sent twice: select createTransfer/idempotency/* as well");
    await settle(bench);
    for (const { reference, answers } of repeated) {
      const last = answers.at(-1);
      const shown = await show(bench, reference);
      if (shown?.surplus && last)
        throw violation(
          last,
          `paid the reference ${reference} more than once: ${shown.all} transfers are listed at the end of the run`,
          "one payout",
        );
    }
  },
);

check("createTransfer/listed-fields", { level: "OBSERVE", source: "N04" }, async (bench) => {
  const { answer } = await controlOf(bench, "createTransfer");
  if (!answer || !isSuccess(answer))
    throw new Inconclusive("the ordinary transfer was not accepted", "createTransfer/accepted");
  const { items } = await readFiltered(bench, "listTransfers", { transferReference: referenceOf(answer) });
  const values = items.flatMap((item) => scalars(item));
  const shows = (value: unknown) =>
    values.some(([, found]) => String(found) === String(value)) ? "shows" : "does not show";
  bench.observe("N04", `a listed transfer ${shows(bench.values.TRANSFER_AMOUNT)} the amount as it was sent`);
  bench.observe("N04", `a listed transfer ${shows(bench.values.ACCOUNT_NUMBER)} the account number in full`);
  bench.observe(
    "N04",
    `a listed transfer has the fields ${[...new Set(values.map(([path]) => path))].toSorted().join(", ") || "(none)"}`,
  );
});
