import { checksUnder, demand, isObject, rejects } from "../../fixtures/engine/vocabulary.ts";
import { FRESH } from "../../schemas/recipe.ts";
import { observesMembers } from "../every-operation/requests/writes.ts";
import { responseToDefect } from "../every-operation/requests.ts";
import { showsSameRecord } from "./same-dispute.ts";

const ID = "getDispute";
const check = checksUnder(ID);

const OF_UNKNOWN = "handling of a dispute request for an unknown transaction";
check("transaction-unknown", OF_UNKNOWN, { observe: "G14" }, async (ctx) => {
  const change = { query: { transactionRef: FRESH } };
  const { fate } = await responseToDefect(ctx, ID, {
    what: "no transaction has this transactionRef",
    change,
  });
  ctx.observe("G14", `the dispute of an unknown transaction ${fate}`);
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

// What a request leaves behind, such as the rights of a database connection, may serve a later one of another merchant.
const TO_ITS_MERCHANT = "shows a dispute to its merchant only, whoever asks in turn or at the same moment";
check("other-merchant", TO_ITS_MERCHANT, { critical: "G18" }, async (ctx) => {
  const { other } = ctx;
  const own = await ctx.ordinary(ID);
  const asked = ctx.need("DISPUTE_TRANSACTION_REF");
  const ask = async (isOwn: boolean) => {
    const response = await (isOwn ? ctx : other).send(ID, {}, { retry: false });
    const isDone = response.kind === "done";
    const isLost = response.kind === "rejected" || (isDone && !isObject(response.field("data")));
    if (isOwn) demand(!isLost, response, `${response.outcome} without the dispute`, "the dispute", [own]);
    const isForeign = !isOwn && isDone && showsSameRecord(own, response, asked);
    demand(!isForeign, response, "shows the dispute of another merchant", "no record", [own]);
  };
  for (const isOwn of [false, true, false]) await ask(isOwn);
  await Promise.all([false, true].map(ask));
});

observesMembers(ID, "record", "N03", "data", "data of a dispute");

rejects(
  "getDispute/transactionRef-empty",
  { should: ["R080"] },
  { change: { query: { transactionRef: "" } }, what: "transactionRef is empty" },
);
