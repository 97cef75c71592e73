import {
  type CheckContext,
  check,
  checksUnder,
  demand,
  demandFilterAccepted,
  demandItems,
  listOf,
  observes,
} from "../../../fixtures/engine/vocabulary.ts";
import { contract } from "../../../schemas/contract.ts";
import { TRANSFER_STATUSES } from "../../../schemas/operations/transfers.ts";
import { acceptedText, readTolerated } from "./reads.ts";

const scope = "paging";

/** The lists that a status and a text narrow (sections 4.8 and 4.9). */
const WITH_STATUS = [
  {
    id: "listTransfers",
    statuses: TRANSFER_STATUSES,
    status: ["R011", "R019"],
    text: ["R011", "R054"],
    accepted: "filters-accepted",
    findsNone: "reference-unknown-finds-nothing",
    unknown: "a transferReference that was never used",
  },
  {
    id: "listRecipients",
    statuses: [true, false],
    status: ["R012", "R021", "R062"],
    text: ["R012", "R062"],
    accepted: "search-accepted",
    findsNone: "search-unknown-finds-nothing",
    unknown: "an account name that does not exist",
  },
] as const;

for (const { id, statuses, status: mustStatus, text: must, accepted, findsNone, unknown } of WITH_STATUS) {
  const check = checksUnder(id);
  const { search } = contract[id].list;

  for (const status of statuses)
    check(`status-${status}-accepted`, `accepts the filter status=${status}`, { must: mustStatus }, (ctx) =>
      demandFilterAccepted(ctx, id, { status }),
    );

  check(accepted, `accepts the filter ${search}, alone and with status`, { must }, async (ctx) => {
    const filter = { [search]: await acceptedText(ctx, id) };
    await demandFilterAccepted(ctx, id, { ...filter, status: statuses[0] });
  });

  check(findsNone, `lists nothing for ${unknown}`, { must, scope }, async (ctx) => {
    const filter = { [search]: await listOf(ctx, id).unusedText() };
    for (const other of [{}, ...statuses.map((status) => ({ status }))]) {
      const page = await listOf(ctx, id).widest({ ...filter, ...other });
      demandItems(page, "none", `${unknown}, as if there were no filter`);
    }
  });
}

const BOGUS = "refuses an unknown status or lists nothing";
const sendBogus = (ctx: CheckContext) =>
  ctx.once("listTransfers/status-unknown", () => ctx.send("listTransfers", { query: { status: "Bogus" } }));

check("listTransfers/status-unknown/filtered", BOGUS, { must: ["R011", "R059"], scope }, async (ctx) => {
  const response = await sendBogus(ctx);
  const page = await listOf(ctx, "listTransfers").itemsOf(response);
  demandItems(page, "none", "status=Bogus", "400 or no items");
});

const BOGUS_STATUS = "returns 400 for an unknown status";
check("listTransfers/status-unknown/status", BOGUS_STATUS, { should: ["R011", "R059"] }, async (ctx) => {
  const response = await sendBogus(ctx);
  demand(response.status === 400, response, `${response.outcome} although status is Bogus`, "400");
});

const MAYBE = "refuses status=maybe or lists nothing";
check("listRecipients/status-unknown", MAYBE, { should: ["R012", "R021"], scope }, async (ctx) => {
  demandItems(await readTolerated(ctx, "listRecipients", { status: "maybe" }), "none", "status=maybe", "400");
});

for (const [id, item, query, what] of [
  ["listTransfers/status-lower-case", "G20", { status: "successful" }, "status=successful in lower case"],
  ["listRecipients/status-1", "G20", { status: "1" }, "status=1"],
  ["listRecipients/status-TRUE", "G20", { status: "TRUE" }, "status=TRUE"],
] as const)
  observes(id, item, what, { query });

check("listCustomers/search-accepted", "accepts a search text", { must: ["R088", "R089"] }, async (ctx) => {
  const { CUSTOMER_SEARCH: search } = ctx.values;
  if (search === undefined) await acceptedText(ctx, "listCustomers");
  else await demandFilterAccepted(ctx, "listCustomers", { search });
});

for (const [id, name, rule] of [
  ["listCustomers", "search-unknown-finds-nothing", "R088"],
  ["listPageProducts", "searchProduct-random", "R078"],
] as const) {
  const { search, item } = contract[id].list;
  const title = `lists no ${item} for a random ${search}`;
  check(`${id}/${name}`, title, { should: [rule], scope }, async (ctx) => {
    await listOf(ctx, id).located();
    const page = await listOf(ctx, id).widest({ [search]: await listOf(ctx, id).unusedText() });
    demandItems(page, "none", `a random ${search}`);
  });
}

for (const [id, name, rule, variable] of [
  ["listCustomers", "search-finds", "R088", "CUSTOMER_SEARCH"],
  ["listRecipients", "search-finds-active", "R012", "ACTIVE_RECIPIENT_NAME"],
  ["listRecipients", "search-finds-inactive", "R012", "INACTIVE_RECIPIENT_NAME"],
] as const) {
  const { search, item } = contract[id].list;
  const title = `lists a ${item} for the text of ${variable}`;
  check(`${id}/${name}`, title, { should: [rule], scope }, async (ctx) => {
    const page = await listOf(ctx, id).widest({ [search]: ctx.need(variable) });
    demandItems(page, "some", `the text of ${variable}`, `at least one ${item}`);
  });
}
