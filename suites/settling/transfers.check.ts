import { Inconclusive } from "../../fixtures/http/findings.ts";
import { requireReferenceSent } from "../../fixtures/http/sent.ts";
import { acceptedControl } from "../../fixtures/judge/expect-accepted.ts";
import { expectThat } from "../../fixtures/judge/matchers.ts";
import { failAsLost } from "../../fixtures/judge/repeats.ts";
import { type Entry, needBook, openBook } from "../../fixtures/lists/book.ts";
import { scalars } from "../../fixtures/lists/json-pointer.ts";
import { locate } from "../../fixtures/lists/locate.ts";
import { readFiltered } from "../../fixtures/lists/pages.ts";
import { check } from "../../fixtures/run/check.ts";
import { controlOf } from "../../fixtures/run/control.ts";

const ID = "createTransfer";
const LIST = "listTransfers";

check(
  "createTransfer/accepted-is-listed",
  "lists an accepted transfer under its reference",
  { runsAfterStop: true, must: ["R011", "R054", "R082"] },
  async (ctx) => {
    const answer = await acceptedControl(ctx, ID);
    const book = await openBook(ctx);
    const transferReference = requireReferenceSent(answer);
    const count = async () =>
      book
        ? book.rows(transferReference)
        : (await readFiltered(ctx, LIST, { transferReference })).items.length;
    if ((await ctx.run.settling.until(count, (rows) => rows > 0)) > 0) return;
    await locate(ctx, LIST);
    failAsLost(ctx, answer);
  },
);

check(
  "createTransfer/accepted-has-one-status",
  "lists an accepted transfer under exactly one status",
  { runsAfterStop: true, must: ["R011", "R019"] },
  async (ctx) => {
    const book = await needBook(ctx);
    const transferReference = requireReferenceSent(await acceptedControl(ctx, ID));
    // The status may change between two of the seven reads (section 3), so a difference must show twice.
    const count = async () => spreadOf(await book.of(transferReference));
    const { sum, all, twice } = await ctx.run.settling.until(count, (spread) => spread.sum === spread.all);
    const { answer } = await readFiltered(ctx, LIST, { transferReference });
    const several = "lists an accepted transfer under several of the six statuses";
    expectThat(!twice, answer, several, "each transfer under one of them");
    const none = "lists an accepted transfer by its reference, but under none of the six statuses";
    expectThat(all === 0 || sum > 0, answer, none, "each transfer under one of them");
    if (sum < all) ctx.warn("lists a row of an accepted transfer under none of the six statuses");
  },
);

/** How many rows a transfer has, in all and under the six statuses; `twice` if one row is found by two of these. */
function spreadOf({ rows: all, sets }: Entry) {
  const sum = sets.reduce((total, { number }) => total + number, 0);
  const rows = sets.flatMap(({ rows }) => [...new Set(rows.map((row) => JSON.stringify(row)))]);
  // Without rows to compare, Unverified rows may be those of attempts, which the whole list need not show.
  const certain = sets.reduce(
    (total, { status, number }) => total + (status === "Unverified" ? 0 : number),
    0,
  );
  const twice = sum > all && (rows.length > 0 ? new Set(rows).size < rows.length : certain > all);
  return { sum, all, twice };
}

check(
  "createTransfer/listed-fields",
  "lists transfers with fields of its choice",
  { observe: "N04" },
  async (ctx) => {
    const { answer } = await controlOf(ctx, ID);
    if (!answer?.isSuccess)
      throw new Inconclusive("the ordinary transfer was not accepted", `${ID}/accepted`);
    const { items } = await readFiltered(ctx, LIST, { transferReference: requireReferenceSent(answer) });
    const values = items.flatMap((item) => scalars(item));
    const shows = (sent: unknown) =>
      values.some(([, value]) => String(value) === String(sent)) ? "shows" : "does not show";
    const fields = [...new Set(values.map(([path]) => path))].toSorted().join(", ") || "(none)";
    ctx.observe("N04", `a listed transfer ${shows(ctx.values.TRANSFER_AMOUNT)} the amount as it was sent`);
    ctx.observe("N04", `a listed transfer ${shows(ctx.values.ACCOUNT_NUMBER)} the account number in full`);
    ctx.observe("N04", `a listed transfer has the fields ${fields}`);
  },
);
