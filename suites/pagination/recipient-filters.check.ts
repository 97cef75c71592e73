import { judgeAnswered } from "../../fixtures/answered.ts";
import type { Bench } from "../../fixtures/bench.ts";
import { isStatus2xx, isSuccess } from "../../fixtures/classify.ts";
import { Inconclusive } from "../../fixtures/findings.ts";
import { sameItems, shared, showsOwnId } from "../../fixtures/identity.ts";
import { identityOf, locate, readFiltered, readPage } from "../../fixtures/listing.ts";
import { itemsAt, pathInRecord, scalars } from "../../fixtures/pointer.ts";
import { accepted, sendPatiently } from "../../fixtures/positive.ts";
import { whileQuiet } from "../../fixtures/quiescence.ts";
import { check } from "../../fixtures/test.ts";
import { outcomeOf, violation } from "../../fixtures/wording.ts";

const LIST = "listRecipients";
const scope = "paging";

for (const status of [true, false]) {
  check(
    `listRecipients/status-${status}-accepted`,
    { level: "MUST", requirements: ["R012", "R021", "R062"] },
    (bench) => accepted(bench, LIST, { query: { status } }, { ownData: true }),
  );
}

check("listRecipients/search-accepted", { level: "MUST", requirements: ["R012", "R062"] }, async (bench) => {
  const searchRecipientAccountName = bench.run.builder.fresh();
  await accepted(bench, LIST, { query: { searchRecipientAccountName } }, { ownData: true });
  await accepted(bench, LIST, { query: { searchRecipientAccountName, status: true } }, { ownData: true });
});

check(
  "listRecipients/status-unknown",
  { level: "SHOULD", requirements: ["R012", "R021"], scope },
  async (bench) => {
    const answer = await sendPatiently(bench, LIST, { query: { status: "maybe" } });
    judgeAnswered(answer);
    if (!isStatus2xx(answer)) return;
    const { length } = itemsAt(answer.json, (await locate(bench, LIST)).pointer);
    if (length > 0) throw violation(answer, `answered ${length} items to status=maybe`, "400");
  },
);

for (const form of ["1", "TRUE"]) {
  check(`listRecipients/status-${form}`, { level: "OBSERVE", source: "G20" }, async (bench) => {
    const answer = await sendPatiently(bench, LIST, { query: { status: form } });
    bench.observe("G20", `status=${form} ${outcomeOf(answer)}`);
  });
}

check(
  "listRecipients/status-sets-disjoint",
  { level: "MUST", requirements: ["R012", "R021"], scope },
  async (bench) => {
    const identity = await identityOf(bench, LIST);
    const { active, inactive } = await whileQuiet(async () => {
      const [active, inactive, again] = [
        await readStatus(bench, true),
        await readStatus(bench, false),
        await readStatus(bench, true),
      ];
      return { value: { active, inactive }, quiet: sameItems(active.items, again.items, identity) };
    });
    if (active.items.length === 0 || inactive.items.length === 0) {
      throw new Inconclusive("the deployment has no active or no inactive recipients: seed both kinds");
    }
    const both = shared(active.items, inactive.items, identity);
    // One account may belong to two recipients, one of them active; only an id of their own tells them apart.
    const few = active.items.every(showsId) ? 0 : Math.min(active.items.length, inactive.items.length) / 2;
    if (both > few)
      throw violation(
        inactive.answer,
        `shows ${both} recipients under status=true and under status=false`,
        "each under one of them",
      );
  },
);

check(
  "listRecipients/search-unknown-finds-nothing",
  { level: "MUST", requirements: ["R012", "R062"], scope },
  async (bench) => {
    const searchRecipientAccountName = bench.run.builder.fresh();
    for (const besides of [{}, { status: true }, { status: false }]) {
      const { answer, items } = await readFiltered(bench, LIST, { searchRecipientAccountName, ...besides });
      if (items.length > 0)
        throw violation(
          answer,
          `answered ${items.length} items to a name that nobody has`,
          "no items: the search is ignored",
        );
    }
  },
);

for (const variable of ["ACTIVE_RECIPIENT_NAME", "INACTIVE_RECIPIENT_NAME"] as const) {
  const kind = variable === "ACTIVE_RECIPIENT_NAME" ? "active" : "inactive";
  check(
    `listRecipients/search-finds-${kind}`,
    { level: "SHOULD", requirements: ["R012"], scope },
    async (bench) => {
      const name = bench.need(variable);
      const page = await readFiltered(bench, LIST, { searchRecipientAccountName: name });
      if (page.items.length === 0)
        throw violation(page.answer, `finds nobody by the name of ${variable}`, "at least one recipient");
    },
  );
}

check("listRecipients/search-semantics", { level: "OBSERVE", source: "N02", scope }, async (bench) => {
  const name = bench.need("ACTIVE_RECIPIENT_NAME");
  const finds = async (text: string) =>
    (await readFiltered(bench, LIST, { searchRecipientAccountName: text })).items.length > 0
      ? "finds"
      : "does not find";
  bench.observe(
    "N02",
    `searching for the first half of a name ${await finds(name.slice(0, Math.ceil(name.length / 2)))} it`,
  );
  bench.observe(
    "N02",
    `searching for the last half of a name ${await finds(name.slice(Math.floor(name.length / 2)))} it`,
  );
  bench.observe("N02", `searching in upper case ${await finds(name.toUpperCase())} a name`);
});

check(
  "listRecipients/status-means-active",
  { level: "MUST", requirements: ["R012", "R021"], scope },
  async (bench) => {
    const [active, inactive] = [bench.need("ACTIVE_RECIPIENT_NAME"), bench.need("INACTIVE_RECIPIENT_NAME")];
    for (const { name, status, variable } of [
      { name: active, status: true, variable: "ACTIVE_RECIPIENT_NAME" },
      { name: inactive, status: false, variable: "INACTIVE_RECIPIENT_NAME" },
    ]) {
      const right = await finds(bench, name, status);
      const wrong = await finds(bench, name, !status);
      if (wrong.found && !right.found) {
        throw violation(
          wrong.answer,
          `shows the recipient of ${variable} under status=${!status} and not under status=${status}`,
          "true = active, false = inactive",
        );
      }
      if (!wrong.found && !right.found)
        throw new Inconclusive(`the recipient of ${variable} is found under neither status: check the name`);
      if (!wrong.found) continue;
      // Two recipients may have one name; an id of its own belongs to one of them.
      const both = await sharedById(bench, wrong.items, (await finds(bench, name, status)).items);
      if (both > 0)
        throw violation(
          wrong.answer,
          `shows the same recipient of ${variable} under status=true and under status=false`,
          "true = active, false = inactive",
        );
      bench.warn(`the recipient of ${variable} is shown under both statuses`);
    }
  },
);

check("listRecipients/account-numbers", { level: "OBSERVE", source: "N02", scope }, async (bench) => {
  const { items } = await readPage(bench, LIST, { limit: 5, page: 1 });
  const numbers = items.flatMap((item) =>
    scalars(item).filter(([path]) => /account_?(number|no)$/i.test(path)),
  );
  const full = numbers.some(([, value]) => /^\d{8,}$/.test(String(value)));
  bench.observe(
    "N02",
    numbers.length === 0
      ? "recipients show no account number"
      : `recipients show account numbers ${full ? "in full" : "masked"}`,
  );
});

const readStatus = (bench: Bench, status: boolean) => readFiltered(bench, LIST, { status });

/** Whether an item of the list shows an id that is the recipient's own. */
const showsId = (item: unknown) =>
  showsOwnId(item) || scalars(item).some(([path]) => /^recipient_?(id|uuid)$/i.test(pathInRecord(path)));

/** How many recipients both readings show by an id of their own. */
async function sharedById(bench: Bench, one: readonly unknown[], other: readonly unknown[]) {
  const { identity } = await locate(bench, LIST);
  return identity ? shared(one.filter(showsId), other.filter(showsId), identity) : 0;
}

async function finds(bench: Bench, name: string, status: boolean) {
  const { answer, items } = await readFiltered(bench, LIST, { searchRecipientAccountName: name, status });
  const wanted = name.toLowerCase();
  const found =
    isSuccess(answer) &&
    items.some((item) => scalars(item).some(([, value]) => String(value).toLowerCase().includes(wanted)));
  // Items may not show the name; what the search itself found counts then.
  const shows = items.some((item) => scalars(item).some(([path]) => /name$/i.test(path)));
  return { answer, items, found: found || (!shows && items.length > 0) };
}
