import { Inconclusive, Violation } from "../../fixtures/http/findings.ts";
import { requireReferenceSent } from "../../fixtures/http/sent.ts";
import { outcomeOf } from "../../fixtures/http/wording.ts";
import { acceptedControl } from "../../fixtures/judge/expect-accepted.ts";
import { failAsLost, show } from "../../fixtures/judge/repeats.ts";
import {
  countAll,
  countable,
  countByStatus,
  countLive,
  needCountable,
  settle,
} from "../../fixtures/lists/counting.ts";
import { scalars } from "../../fixtures/lists/json-pointer.ts";
import { locate } from "../../fixtures/lists/locate.ts";
import { readFiltered } from "../../fixtures/lists/pages.ts";
import { check } from "../../fixtures/run/check.ts";
import { controlOf } from "../../fixtures/run/control.ts";

check(
  "createTransfer/accepted-is-listed",
  "TITLE",
  { runsAfterStop: true, must: ["R011", "R054", "R082"] },
  async (ctx) => {
    const answer = await acceptedControl(ctx, "createTransfer");
    const how = await countable(ctx);
    const reference = requireReferenceSent(answer);
    // Missing at first may only be slow; missing again after the promised time is lost.
    const isListed = async () =>
      (how
        ? await countAll(ctx, reference, how)
        : (await readFiltered(ctx, "listTransfers", { transferReference: reference })).items.length) > 0;
    if (await isListed()) return;
    await settle(ctx);
    if (await isListed()) return;
    await locate(ctx, "listTransfers");
    failAsLost(ctx, answer);
  },
);

check("createTransfer/refused-is-not-listed", "TITLE", { must: ["R011", "R083", "R086"] }, async (ctx) => {
  const how = await needCountable(ctx);
  const draft = ctx.draft("createTransfer");
  const { bankCode: _, ...body } = draft.body ?? {};
  const answer = await ctx.send("createTransfer", {}, { draft: { ...draft, body } });
  if (answer.isSuccess)
    throw new Inconclusive(
      `a transfer without bankCode ${outcomeOf(answer)}: it was not refused`,
      "createTransfer/bankCode/missing",
    );
  if (answer.failure || (answer.status ?? 500) >= 500)
    throw new Inconclusive(`${outcomeOf(answer)}: whether it was refused is unknown`);
  await settle(ctx);
  if ((await countAll(ctx, draft.reference, how)) === 0) return;
  const live = await countLive(ctx, draft.reference, how);
  if (live === undefined || live > 0) {
    throw new Violation(
      answer,
      `${outcomeOf(answer)} to a transfer without bankCode, yet lists it as ${live === undefined ? "a transfer" : "live"}`,
      "no payout for a refused request",
    );
  }
});

check(
  "createTransfer/accepted-has-one-status",
  "TITLE",
  { runsAfterStop: true, must: ["R011", "R019"] },
  async (ctx) => {
    const how = await needCountable(ctx);
    const reference = requireReferenceSent(await acceptedControl(ctx, "createTransfer"));
    // The status may change between two of the seven reads (section 3), so a difference must show twice.
    let spread = await countByStatus(ctx, reference, how);
    if (spread.sum !== spread.all) {
      await settle(ctx);
      spread = await countByStatus(ctx, reference, how);
    }
    if (spread.sum < spread.all) ctx.warn("shows an accepted transfer under none of the six status filters");
    if (spread.sum <= spread.all) return;
    const page = await readFiltered(ctx, "listTransfers", { transferReference: reference });
    throw new Violation(
      page.answer,
      "shows an accepted transfer under several of the six status filters",
      "each transfer under one of them",
    );
  },
);

check(
  "createTransfer/idempotency/at-end-of-run",
  "TITLE",
  { runsAfterStop: true, must: ["R087"] },
  async (ctx) => {
    const { notTested } = await controlOf(ctx, "createTransfer");
    if (notTested) throw notTested;
    const { repeated } = ctx.run;
    if (repeated.length === 0)
      throw new Inconclusive("no reference was sent twice: select createTransfer/idempotency/* as well");
    await settle(ctx);
    for (const { reference, answers } of repeated) {
      const last = answers.at(-1);
      const shown = await show(ctx, reference);
      if (shown?.surplus && last)
        throw new Violation(
          last,
          `paid the reference ${reference} more than once: ${shown.all} transfers are listed at the end of the run`,
          "one payout",
        );
    }
  },
);

check("createTransfer/listed-fields", "TITLE", { observe: "N04" }, async (ctx) => {
  const { answer } = await controlOf(ctx, "createTransfer");
  if (!answer || !answer.isSuccess)
    throw new Inconclusive("the ordinary transfer was not accepted", "createTransfer/accepted");
  const { items } = await readFiltered(ctx, "listTransfers", {
    transferReference: requireReferenceSent(answer),
  });
  const values = items.flatMap((item) => scalars(item));
  const shows = (value: unknown) =>
    values.some(([, found]) => String(found) === String(value)) ? "shows" : "does not show";
  ctx.observe("N04", `a listed transfer ${shows(ctx.values.TRANSFER_AMOUNT)} the amount as it was sent`);
  ctx.observe("N04", `a listed transfer ${shows(ctx.values.ACCOUNT_NUMBER)} the account number in full`);
  ctx.observe(
    "N04",
    `a listed transfer has the fields ${[...new Set(values.map(([path]) => path))].toSorted().join(", ") || "(none)"}`,
  );
});
