import { Inconclusive } from "../../fixtures/http/findings.ts";
import { handlingOf } from "../../fixtures/http/wording.ts";
import { sendAccepted } from "../../fixtures/judge/expect-accepted.ts";
import { expectAnswered, expectNoItems, expectThat } from "../../fixtures/judge/matchers.ts";
import { countCommon, sameItems, showsOwnId } from "../../fixtures/lists/identity.ts";
import { pathInRecord, scalars } from "../../fixtures/lists/json-pointer.ts";
import { identityOf, locate } from "../../fixtures/lists/locate.ts";
import { pageOf, readFiltered } from "../../fixtures/lists/pages.ts";
import { untilStable } from "../../fixtures/lists/stable-read.ts";
import { check } from "../../fixtures/run/check.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";
import { sendWithRetry } from "../../fixtures/run/sending.ts";
import { plural } from "../../reports/text/wording.ts";

const LIST = "listRecipients";
const scope = "paging";
const MEANING = "active recipients under status=true, inactive ones under status=false";

// Section 4.9: the filter status, a boolean.
for (const status of [true, false]) {
  check(
    `listRecipients/status-${status}-accepted`,
    `accepts the filter status=${status}`,
    { must: ["R012", "R021", "R062"] },
    (ctx) => sendAccepted(ctx, LIST, { query: { status } }, { ownData: true }),
  );
}

check(
  "listRecipients/status-unknown",
  "refuses status=maybe or lists nothing",
  { should: ["R012", "R021"], scope },
  async (ctx) => {
    const answer = await sendWithRetry(ctx, LIST, { query: { status: "maybe" } });
    expectAnswered(answer);
    if (answer.is2xx) expectNoItems(await pageOf(ctx, LIST, answer), "status=maybe", "400");
  },
);

for (const form of ["1", "TRUE"]) {
  check(
    `listRecipients/status-${form}`,
    `accepts or rejects status=${form}`,
    { observe: "G20" },
    async (ctx) => {
      const answer = await sendWithRetry(ctx, LIST, { query: { status: form } });
      ctx.observe("G20", `status=${form} ${handlingOf(answer)}`);
    },
  );
}

check(
  "listRecipients/status-sets-disjoint",
  "lists a recipient as active or as inactive, but not as both",
  { must: ["R012", "R021"], scope },
  async (ctx) => {
    const identity = await identityOf(ctx, LIST);
    const { active, inactive } = await untilStable(async () => {
      const [active, inactive, again] = [
        await readStatus(ctx, true),
        await readStatus(ctx, false),
        await readStatus(ctx, true),
      ];
      return { value: { active, inactive }, stable: sameItems(active.items, again.items, identity) };
    });
    if (active.items.length === 0 || inactive.items.length === 0)
      throw new Inconclusive("the list has no active or no inactive recipients: add data of both kinds");
    const common = countCommon(active.items, inactive.items, identity);
    // One account may belong to two recipients, one of them active; only their own ids tell them apart.
    const tolerated = active.items.every(showsId)
      ? 0
      : Math.min(active.items.length, inactive.items.length) / 2;
    expectThat(
      common <= tolerated,
      inactive.answer,
      `lists ${plural(common, "recipient")} both under status=true and under status=false`,
      "each under one of them",
    );
  },
);

check(
  "listRecipients/status-means-active",
  "lists active recipients under status=true and inactive ones under status=false",
  { must: ["R012", "R021"], scope },
  async (ctx) => {
    const [active, inactive] = [ctx.need("ACTIVE_RECIPIENT_NAME"), ctx.need("INACTIVE_RECIPIENT_NAME")];
    await expectStatusOf(ctx, "ACTIVE_RECIPIENT_NAME", active, true);
    await expectStatusOf(ctx, "INACTIVE_RECIPIENT_NAME", inactive, false);
  },
);

/** Demands that the recipient of this name is found under `status`; warns if it is under the other one as well. */
async function expectStatusOf(ctx: CheckContext, variable: string, name: string, status: boolean) {
  const right = await finds(ctx, name, status);
  const wrong = await finds(ctx, name, !status);
  expectThat(
    !wrong.found || right.found,
    wrong.answer,
    `lists the recipient of ${variable} under status=${!status} and not under status=${status}`,
    MEANING,
  );
  if (!right.found)
    throw new Inconclusive(`the recipient of ${variable} is found under neither status: check the name`);
  if (!wrong.found) return;
  // Two recipients may have the same name, but not the same id.
  const common = await countSameId(ctx, wrong.items, (await finds(ctx, name, status)).items);
  const actual = `lists the same recipient of ${variable} both under status=true and under status=false`;
  expectThat(common === 0, wrong.answer, actual, MEANING);
  ctx.warn(`lists the recipient of ${variable} under both statuses`);
}

const readStatus = (ctx: CheckContext, status: boolean) => readFiltered(ctx, LIST, { status });

/** Whether an item shows the recipient's own id. */
const showsId = (item: unknown) =>
  showsOwnId(item) || scalars(item).some(([path]) => /^recipient_?(id|uuid)$/i.test(pathInRecord(path)));

/** How many recipients with an id are in both reads. */
async function countSameId(ctx: CheckContext, one: readonly unknown[], other: readonly unknown[]) {
  const { identity } = await locate(ctx, LIST);
  return identity ? countCommon(one.filter(showsId), other.filter(showsId), identity) : 0;
}

async function finds(ctx: CheckContext, name: string, status: boolean) {
  const { answer, items } = await readFiltered(ctx, LIST, { searchRecipientAccountName: name, status });
  const wanted = name.toLowerCase();
  const found =
    answer.isSuccess &&
    items.some((item) => scalars(item).some(([, value]) => String(value).toLowerCase().includes(wanted)));
  // If items show no name, the search itself must have found it.
  const hasNames = items.some((item) => scalars(item).some(([path]) => /name$/i.test(path)));
  return { answer, items, found: found || (!hasNames && items.length > 0) };
}
