import { Inconclusive, Violation } from "../../fixtures/http/findings.ts";
import { outcomeOf } from "../../fixtures/http/wording.ts";
import { sendAccepted } from "../../fixtures/judge/expect-accepted.ts";
import { expectAnswered } from "../../fixtures/judge/matchers.ts";
import { countCommon, sameItems, showsOwnId } from "../../fixtures/lists/identity.ts";
import { itemsAt, pathInRecord, scalars } from "../../fixtures/lists/json-pointer.ts";
import { identityOf, locate } from "../../fixtures/lists/locate.ts";
import { readFiltered, readPage } from "../../fixtures/lists/pages.ts";
import { untilStable } from "../../fixtures/lists/stable-read.ts";
import { check } from "../../fixtures/run/check.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { sendWithRetry } from "../../fixtures/run/sending.ts";

const LIST = "listRecipients";
const scope = "paging";

for (const status of [true, false]) {
  check(`listRecipients/status-${status}-accepted`, "TITLE", { must: ["R012", "R021", "R062"] }, (ctx) =>
    sendAccepted(ctx, LIST, { query: { status } }, { ownData: true }),
  );
}

check("listRecipients/search-accepted", "TITLE", { must: ["R012", "R062"] }, async (ctx) => {
  const searchRecipientAccountName = ctx.run.builder.fresh();
  await sendAccepted(ctx, LIST, { query: { searchRecipientAccountName } }, { ownData: true });
  await sendAccepted(ctx, LIST, { query: { searchRecipientAccountName, status: true } }, { ownData: true });
});

check("listRecipients/status-unknown", "TITLE", { should: ["R012", "R021"], scope }, async (ctx) => {
  const answer = await sendWithRetry(ctx, LIST, { query: { status: "maybe" } });
  expectAnswered(answer);
  if (!answer.is2xx) return;
  const { length } = itemsAt(answer.json, (await locate(ctx, LIST)).pointer);
  if (length > 0) throw new Violation(answer, `answered ${length} items to status=maybe`, "400");
});

for (const form of ["1", "TRUE"]) {
  check(`listRecipients/status-${form}`, "TITLE", { observe: "G20" }, async (ctx) => {
    const answer = await sendWithRetry(ctx, LIST, { query: { status: form } });
    ctx.observe("G20", `status=${form} ${outcomeOf(answer)}`);
  });
}

check("listRecipients/status-sets-disjoint", "TITLE", { must: ["R012", "R021"], scope }, async (ctx) => {
  const identity = await identityOf(ctx, LIST);
  const { active, inactive } = await untilStable(async () => {
    const [active, inactive, again] = [
      await readStatus(ctx, true),
      await readStatus(ctx, false),
      await readStatus(ctx, true),
    ];
    return { value: { active, inactive }, stable: sameItems(active.items, again.items, identity) };
  });
  if (active.items.length === 0 || inactive.items.length === 0) {
    throw new Inconclusive("the deployment has no active or no inactive recipients: seed both kinds");
  }
  const both = countCommon(active.items, inactive.items, identity);
  // One account may belong to two recipients, one of them active; only an id of their own tells them apart.
  const few = active.items.every(showsId) ? 0 : Math.min(active.items.length, inactive.items.length) / 2;
  if (both > few)
    throw new Violation(
      inactive.answer,
      `shows ${both} recipients under status=true and under status=false`,
      "each under one of them",
    );
});

check(
  "listRecipients/search-unknown-finds-nothing",
  "TITLE",
  { must: ["R012", "R062"], scope },
  async (ctx) => {
    const searchRecipientAccountName = ctx.run.builder.fresh();
    for (const besides of [{}, { status: true }, { status: false }]) {
      const { answer, items } = await readFiltered(ctx, LIST, { searchRecipientAccountName, ...besides });
      if (items.length > 0)
        throw new Violation(
          answer,
          `answered ${items.length} items to a name that nobody has`,
          "no items: the search is ignored",
        );
    }
  },
);

for (const variable of ["ACTIVE_RECIPIENT_NAME", "INACTIVE_RECIPIENT_NAME"] as const) {
  const kind = variable === "ACTIVE_RECIPIENT_NAME" ? "active" : "inactive";
  check(`listRecipients/search-finds-${kind}`, "TITLE", { should: ["R012"], scope }, async (ctx) => {
    const name = ctx.need(variable);
    const page = await readFiltered(ctx, LIST, { searchRecipientAccountName: name });
    if (page.items.length === 0)
      throw new Violation(page.answer, `finds nobody by the name of ${variable}`, "at least one recipient");
  });
}

check("listRecipients/search-semantics", "TITLE", { observe: "N02", scope }, async (ctx) => {
  const name = ctx.need("ACTIVE_RECIPIENT_NAME");
  const finds = async (text: string) =>
    (await readFiltered(ctx, LIST, { searchRecipientAccountName: text })).items.length > 0
      ? "finds"
      : "does not find";
  ctx.observe(
    "N02",
    `searching for the first half of a name ${await finds(name.slice(0, Math.ceil(name.length / 2)))} it`,
  );
  ctx.observe(
    "N02",
    `searching for the last half of a name ${await finds(name.slice(Math.floor(name.length / 2)))} it`,
  );
  ctx.observe("N02", `searching in upper case ${await finds(name.toUpperCase())} a name`);
});

check("listRecipients/status-means-active", "TITLE", { must: ["R012", "R021"], scope }, async (ctx) => {
  const [active, inactive] = [ctx.need("ACTIVE_RECIPIENT_NAME"), ctx.need("INACTIVE_RECIPIENT_NAME")];
  for (const { name, status, variable } of [
    { name: active, status: true, variable: "ACTIVE_RECIPIENT_NAME" },
    { name: inactive, status: false, variable: "INACTIVE_RECIPIENT_NAME" },
  ]) {
    const right = await finds(ctx, name, status);
    const wrong = await finds(ctx, name, !status);
    if (wrong.found && !right.found) {
      throw new Violation(
        wrong.answer,
        `shows the recipient of ${variable} under status=${!status} and not under status=${status}`,
        "true = active, false = inactive",
      );
    }
    if (!wrong.found && !right.found)
      throw new Inconclusive(`the recipient of ${variable} is found under neither status: check the name`);
    if (!wrong.found) continue;
    // Two recipients may have one name; an id of its own belongs to one of them.
    const both = await sharedById(ctx, wrong.items, (await finds(ctx, name, status)).items);
    if (both > 0)
      throw new Violation(
        wrong.answer,
        `shows the same recipient of ${variable} under status=true and under status=false`,
        "true = active, false = inactive",
      );
    ctx.warn(`the recipient of ${variable} is shown under both statuses`);
  }
});

check("listRecipients/account-numbers", "TITLE", { observe: "N02", scope }, async (ctx) => {
  const { items } = await readPage(ctx, LIST, { limit: 5, page: 1 });
  const numbers = items.flatMap((item) =>
    scalars(item).filter(([path]) => /account_?(number|no)$/i.test(path)),
  );
  const full = numbers.some(([, value]) => /^\d{8,}$/.test(String(value)));
  ctx.observe(
    "N02",
    numbers.length === 0
      ? "recipients show no account number"
      : `recipients show account numbers ${full ? "in full" : "masked"}`,
  );
});

const readStatus = (ctx: CheckContext, status: boolean) => readFiltered(ctx, LIST, { status });

/** Whether an item of the list shows an id that is the recipient's own. */
const showsId = (item: unknown) =>
  showsOwnId(item) || scalars(item).some(([path]) => /^recipient_?(id|uuid)$/i.test(pathInRecord(path)));

/** How many recipients both readings show by an id of their own. */
async function sharedById(ctx: CheckContext, one: readonly unknown[], other: readonly unknown[]) {
  const { identity } = await locate(ctx, LIST);
  return identity ? countCommon(one.filter(showsId), other.filter(showsId), identity) : 0;
}

async function finds(ctx: CheckContext, name: string, status: boolean) {
  const { answer, items } = await readFiltered(ctx, LIST, { searchRecipientAccountName: name, status });
  const wanted = name.toLowerCase();
  const found =
    answer.isSuccess &&
    items.some((item) => scalars(item).some(([, value]) => String(value).toLowerCase().includes(wanted)));
  // Items may not show the name; what the search itself found counts then.
  const shows = items.some((item) => scalars(item).some(([path]) => /name$/i.test(path)));
  return { answer, items, found: found || (!shows && items.length > 0) };
}
