import { expect, test } from "vitest";
import { faults } from "../../fixtures/mutants/faults/faults.ts";
import { throttledTo } from "../../fixtures/mutants/variations/busy.ts";
import { variations } from "../../fixtures/mutants/variations/variations.ts";
import { sandboxClient } from "../testing/sandbox-client.ts";
import { learnListing, referencesOfRun } from "./listing.ts";

const known = [...faults, ...variations, throttledTo(2)];

test.each([
  [1, "as the sandbox does", "none"],
  [1, "and returns 404 for a reference that it does not know", "nothing-found-404"],
  [1, "and returns null for an empty list", "empty-list-is-null"],
  [2, "with an attempt beside it", "attempts-listed"],
  [0, "not at all", "accepted-is-lost"],
  [undefined, "in a response without a list, as documented", "layout-single-record"],
  [1, "after it has throttled the first requests", "throttled"],
])("counts %s rows for a transfer that the API lists %s", async (rows, _, id) => {
  const { client } = await sandboxClient({ changes: known.filter((one) => one.id === id) });
  const { control: transferReference } = referencesOfRun(client);
  const draft = client.builder.build("createTransfer", { body: { transferReference } });
  await client.send("createTransfer", draft, "control");

  const { control } = await learnListing(client);

  expect(control).toBe(rows);
});
