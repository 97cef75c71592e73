import {
  checksUnder,
  demand,
  demandNoCrash,
  isObject,
  rejects,
  scalars,
} from "../../fixtures/engine/vocabulary.ts";
import { FRESH } from "../../schemas/recipe.ts";
import { observesMembers } from "../every-operation/requests/writes.ts";
import { responseToDefect, returnsBodyIf } from "../every-operation/requests.ts";
import { showsSameRecord } from "./same-dispute.ts";

const ID = "getDispute";
const check = checksUnder(ID);

const UNKNOWN = {
  what: "no transaction has this transactionRef",
  change: { query: { transactionRef: FRESH } },
};

returnsBodyIf(`${ID}/transaction-unknown/shape`, ["R081", "R107"], { ...UNKNOWN, status: 400 });

check("transaction-unknown/status", `does not crash when ${UNKNOWN.what}`, { should: "G14" }, async (ctx) => {
  const response = await responseToDefect(ctx, ID, UNKNOWN);
  ctx.observe("G14", `the dispute of an unknown transaction ${response.fate}`);
  demandNoCrash(response, "only the transaction is unknown");
});

const NO_OTHER_RECORD = "shows no dispute of another transaction";
check("transaction-unknown/no-other-record", NO_OTHER_RECORD, { critical: "G14" }, async (ctx) => {
  const response = await responseToDefect(ctx, ID, UNKNOWN);
  const asked = new URL(response.request.path, response.request.origin).searchParams.get("transactionRef");
  const other = response.statusClass === 2 ? otherTransactionIn(response.json, asked ?? "") : undefined;
  demand(other === undefined, response, "returned the record of another transaction", "no record");
});

// A database that compares a text with a number reads the text up to its first letter.
const RESEMBLING = "shows no dispute for a transactionRef that only resembles that of its transaction";
check("transactionRef-resembling", RESEMBLING, { critical: "G14" }, async (ctx) => {
  const own = await ctx.ordinary(ID);
  const known = ctx.need("DISPUTE_TRANSACTION_REF");
  for (const transactionRef of [`${known}abc`, `0${known}`, known.slice(0, -1)]) {
    const response = await ctx.sendInvalid(ID, { query: { transactionRef } });
    const isShown = response.kind === "done" && showsSameRecord(own, response, transactionRef);
    demand(!isShown, response, `shows the dispute of ${known} for ${transactionRef}`, "no record", [own]);
  }
});

check("other-merchant", "shows no other merchant's dispute", { critical: "G18" }, async (ctx) => {
  const { other } = ctx;
  const own = await ctx.ordinary(ID);
  const response = await other.send(ID);
  const asked = ctx.need("DISPUTE_TRANSACTION_REF");
  const isForeign = response.kind === "done" && showsSameRecord(own, response, asked);
  demand(!isForeign, response, "shows the dispute of another merchant", "no record", [own]);
});

observesMembers(ID, "record", "N03", "data", "data of a dispute");

rejects(
  "getDispute/transactionRef-empty",
  { should: ["R080"] },
  { change: { query: { transactionRef: "" } }, what: "transactionRef is empty" },
);

/** Finds a transaction reference in a body other than the one that was asked for; `undefined` if there is none. */
function otherTransactionIn(body: unknown, asked: string): string | undefined {
  return scalars(body)
    .filter(([path]) => /transaction_?ref/i.test(path.split(".").at(-1) ?? ""))
    .map(([, value]) => String(value))
    .find((value) => value !== "" && value !== asked);
}

// What a request leaves behind, such as the rights of a database connection, may serve a later one of another merchant.
const IN_TURN = "shows a dispute to its merchant only, also when another merchant asks in turn";
check(
  "merchants-in-turn",
  IN_TURN,
  { phase: "repeats", critical: "G18", scope: "second-merchant" },
  async (ctx) => {
    const { other } = ctx;
    const control = await ctx.ordinary(ID);
    const asked = ctx.need("DISPUTE_TRANSACTION_REF");
    await other.profile();
    const ask = async (isOwn: boolean) => {
      const response = await (isOwn ? ctx : other).send(ID, {}, { retry: false });
      const isRejected = response.kind === "rejected";
      const isLost = isRejected || (response.kind === "done" && !isObject(response.field("data")));
      const lost = `${response.outcome} without the dispute`;
      if (isOwn) demand(!isLost, response, lost, "the dispute, as before", [control]);
      const isForeign = !isOwn && response.kind === "done" && showsSameRecord(control, response, asked);
      demand(!isForeign, response, "returned the dispute of another merchant", "no record", [control]);
    };
    for (const isOwn of [true, true, false]) await ask(isOwn);
    await Promise.all([false, true].map(ask));
  },
);
