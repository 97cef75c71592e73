import {
  type CheckContext,
  checksUnder,
  countCommon,
  demand,
  listOf,
  type Page,
  sameItems,
  scalars,
  skip,
  undecided,
  untilStable,
} from "../../fixtures/engine/vocabulary.ts";
import { plural } from "../../reports/wording.ts";
import { showsRecipientId } from "../every-operation/lists/shown-texts.ts";

const LIST = "listRecipients";
const check = checksUnder(LIST);
const scope = "paging";
const MEANING = "active recipients under status=true, inactive ones under status=false";

// Section 4.9: the filter status, the search by account name, and what a recipient shows.
const STATUS_SETS_DISJOINT = "lists a recipient as active or as inactive, but not as both";
check("status-sets-disjoint", STATUS_SETS_DISJOINT, { must: ["R012", "R021"], scope }, async (ctx) => {
  const identity = await listOf(ctx, LIST).identity();
  const { active, inactive } = await untilStable(async () => {
    const active = await listOf(ctx, LIST).widest({ status: true });
    const inactive = await listOf(ctx, LIST).widest({ status: false });
    const again = await listOf(ctx, LIST).widest({ status: true });
    return { value: { active, inactive }, stable: sameItems(active.items, again.items, identity) };
  });
  const fewer = Math.min(active.items.length, inactive.items.length);
  if (fewer === 0)
    undecided(
      `the list has ${plural(active.items.length, "active recipient")} and ${inactive.items.length} inactive ones`,
      { advice: "add recipients of both kinds" },
    );
  const common = countCommon(active.items, inactive.items, identity);
  // One account may belong to two recipients, one of them active; only their own ids tell them apart.
  const tolerated = active.items.every(showsRecipientId) ? 0 : fewer / 2;
  const actual = `lists ${plural(common, "recipient")} both under status=true and under status=false`;
  demand(common <= tolerated, inactive.response, actual, "each under one of them", [active.response]);
});

// Section 3: the status of a recipient is true or false, so there is no third kind.
const STATUS_SETS_ARE_ALL = "lists each recipient as active or as inactive";
check("status-sets-are-all", STATUS_SETS_ARE_ALL, { must: ["R012", "R021"], scope }, async (ctx) => {
  const identity = await listOf(ctx, LIST).identity();
  const first = await readUnlisted(ctx, async (status) => [await listOf(ctx, LIST).first({ status })]);
  if (first.items.length === 0) return;
  // A set may have more than its widest page, and recipients may be changed meanwhile.
  const look = () => readUnlisted(ctx, (status) => readSet(ctx, status));
  const found = await ctx.run.settling.until(look, ({ items }) => items.length === 0);
  const again = await look();
  const lost = countCommon(found.items, again.items, identity);
  const actual = `lists ${plural(lost, "recipient")} neither under status=true nor under status=false`;
  const [whole, ...others] = again.responses;
  if (whole) demand(lost === 0, whole, actual, "each under one of them", others);
});

const STATUS_MEANS_ACTIVE = "lists active recipients under status=true and inactive ones under status=false";
check("status-means-active", STATUS_MEANS_ACTIVE, { must: ["R012", "R021"], scope }, async (ctx) => {
  const [active, inactive] = [ctx.need("ACTIVE_RECIPIENT_NAME"), ctx.need("INACTIVE_RECIPIENT_NAME")];
  await expectStatusOf(ctx, "ACTIVE_RECIPIENT_NAME", active, true);
  await expectStatusOf(ctx, "INACTIVE_RECIPIENT_NAME", inactive, false);
});

/** A longer list takes too many reads. */
const MOST_RECIPIENTS = 500;

/** The recipients of the whole list, or of its widest page if it is too long, that no set has. */
async function readUnlisted(ctx: CheckContext, setOf: (status: boolean) => Promise<readonly Page[]>) {
  const identity = await listOf(ctx, LIST).identity();
  const { widest } = await listOf(ctx, LIST).sizes();
  const whole = (await listOf(ctx, LIST).whole(MOST_RECIPIENTS / widest)) ?? [
    await listOf(ctx, LIST).widest(),
  ];
  const sets = [...(await setOf(true)), ...(await setOf(false))];
  const listed = new Set(sets.flatMap((page) => page.items.map(identity)));
  return {
    items: whole.flatMap((page) => page.items.filter((item) => !listed.has(identity(item)))),
    responses: [...whole.filter((page) => page.items.length > 0), ...sets].map(({ response }) => response),
  };
}

async function readSet(ctx: CheckContext, status: boolean): Promise<readonly Page[]> {
  const { widest } = await listOf(ctx, LIST).sizes();
  const pages = await listOf(ctx, LIST).whole(MOST_RECIPIENTS / widest, { status });
  if (pages) return pages;
  const why = `more than ${MOST_RECIPIENTS} recipients have status=${status}: too many to read`;
  skip(why);
}

/** Demands that the recipient of this name is found under `status`, and not under the other one. */
async function expectStatusOf(ctx: CheckContext, variable: string, name: string, status: boolean) {
  const right = await search(ctx, name, status);
  const wrong = await search(ctx, name, !status);
  const misplaced = `lists the recipient of ${variable} under status=${!status} and not under status=${status}`;
  demand(!wrong.isFound || right.isFound, wrong.response, misplaced, MEANING, [right.response]);
  if (!right.isFound)
    undecided(`the recipient of ${variable} is found under neither status`, {
      advice: "check the name",
    });
  if (!wrong.isFound) return;
  // Two recipients may have the same name, but not the same id.
  const again = await search(ctx, name, status);
  const { identity } = await listOf(ctx, LIST).located();
  const [one, other] = [wrong.items.filter(showsRecipientId), again.items.filter(showsRecipientId)];
  const isSame = identity !== undefined && countCommon(one, other, identity) > 0;
  const doubled = `lists the same recipient of ${variable} both under status=true and under status=false`;
  demand(!isSame, wrong.response, doubled, MEANING, [right.response]);
  undecided(
    `lists a recipient of the name in ${variable} under both statuses, perhaps two of the same name`,
    { advice: "name a recipient whose name no other one has" },
  );
}

async function search(ctx: CheckContext, name: string, status: boolean) {
  const { response, items } = await listOf(ctx, LIST).widest({ searchRecipientAccountName: name, status });
  const shown = items.flatMap((item) => scalars(item));
  const wanted = name.toLowerCase();
  const isShown =
    response.kind === "done" && shown.some(([, value]) => String(value).toLowerCase().includes(wanted));
  // If items show no name, the search itself must have found it.
  const hasNames = shown.some(([path]) => /name$/i.test(path));
  return { response, items, isFound: isShown || (!hasNames && items.length > 0) };
}
