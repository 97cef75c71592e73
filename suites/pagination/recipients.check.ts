import { sendAccepted } from "../../fixtures/judge/expect-accepted.ts";
import { expectItems, expectNoItems } from "../../fixtures/judge/matchers.ts";
import { scalars } from "../../fixtures/lists/json-pointer.ts";
import { readFiltered, readPage } from "../../fixtures/lists/pages.ts";
import { check } from "../../fixtures/run/check.ts";

const LIST = "listRecipients";
const scope = "paging";

// Section 4.9: the search by account name, and what a recipient shows.
check(
  "listRecipients/search-accepted",
  "accepts a search by account name, alone and with status",
  { must: ["R012", "R062"] },
  async (ctx) => {
    const searchRecipientAccountName = ctx.run.builder.fresh();
    await sendAccepted(ctx, LIST, { query: { searchRecipientAccountName } }, { ownData: true });
    await sendAccepted(ctx, LIST, { query: { searchRecipientAccountName, status: true } }, { ownData: true });
  },
);

check(
  "listRecipients/search-unknown-finds-nothing",
  "lists nothing for an account name that does not exist",
  { must: ["R012", "R062"], scope },
  async (ctx) => {
    const searchRecipientAccountName = ctx.run.builder.fresh();
    for (const other of [{}, { status: true }, { status: false }]) {
      const page = await readFiltered(ctx, LIST, { searchRecipientAccountName, ...other });
      expectNoItems(page, "an account name that does not exist, as if there were no search");
    }
  },
);

for (const kind of ["active", "inactive"] as const) {
  const variable = kind === "active" ? "ACTIVE_RECIPIENT_NAME" : "INACTIVE_RECIPIENT_NAME";
  check(
    `listRecipients/search-finds-${kind}`,
    `lists the ${kind} recipient of ${variable} for its name`,
    { should: ["R012"], scope },
    async (ctx) => {
      const page = await readFiltered(ctx, LIST, { searchRecipientAccountName: ctx.need(variable) });
      expectItems(page, `the name of ${variable}`, "at least one recipient");
    },
  );
}

check(
  "listRecipients/search-semantics",
  "finds a name by its first half, its last half and in upper case, or does not",
  { observe: "N02", scope },
  async (ctx) => {
    const name = ctx.need("ACTIVE_RECIPIENT_NAME");
    const finds = async (searchRecipientAccountName: string) => {
      const { items } = await readFiltered(ctx, LIST, { searchRecipientAccountName });
      return items.length > 0 ? "finds" : "does not find";
    };
    const half = name.length / 2;
    const [first, last] = [name.slice(0, Math.ceil(half)), name.slice(Math.floor(half))];
    ctx.observe("N02", `searching for the first half of a name ${await finds(first)} it`);
    ctx.observe("N02", `searching for the last half of a name ${await finds(last)} it`);
    ctx.observe("N02", `searching in upper case ${await finds(name.toUpperCase())} a name`);
  },
);

check(
  "listRecipients/account-numbers",
  "shows account numbers in full, masked or not at all",
  { observe: "N02", scope },
  async (ctx) => {
    const { items } = await readPage(ctx, LIST, { limit: 5, page: 1 });
    const numbers = items
      .flatMap((item) => scalars(item))
      .filter(([path]) => /account_?(number|no)$/i.test(path));
    const isFull = numbers.some(([, value]) => /^\d{8,}$/.test(String(value)));
    const how = `recipients show account numbers ${isFull ? "in full" : "masked"}`;
    ctx.observe("N02", numbers.length === 0 ? "recipients show no account number" : how);
  },
);
