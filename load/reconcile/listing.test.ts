import { expect, onTestFinished, test } from "vitest";
import { parseTarget } from "../../fixtures/engine/config/target.ts";
import { BARE_PATHS, Client } from "../../fixtures/engine/http/client.ts";
import { faults } from "../../fixtures/mutants/faults/faults.ts";
import { throttledTo } from "../../fixtures/mutants/variations/busy.ts";
import { variations } from "../../fixtures/mutants/variations/variations.ts";
import { type SandboxOptions, startSandbox } from "../../fixtures/sandbox/service/server.ts";
import { referencesOf } from "../k6/templates/reference.ts";
import { learnListing } from "./listing.ts";

const references = referencesOf("0123abcd");

/** The rows that a deployment with this fault or variation lists for a transfer that it accepted. */
function controlIn(id: string) {
  const fault = faults.find((one) => one.id === id);
  return controlOf({ variations: variations.filter((one) => one.id === id), ...(fault && { fault }) });
}

async function controlOf(options: SandboxOptions) {
  const sandbox = await startSandbox(options);
  const target = parseTarget({ variables: sandbox.env, embedded: true });
  const client = new Client(target, "0123abcd", { pathForms: BARE_PATHS });
  onTestFinished(async () => {
    await client.close();
    await sandbox.close();
  });
  const draft = client.builder.build("createTransfer", { body: { transferReference: references.control } });
  await client.send("createTransfer", draft, "control");
  const { control } = await learnListing(client, references);
  return control;
}

test.each([
  [1, "as the sandbox does", "none"],
  [1, "and returns 404 for a reference that it does not know", "nothing-found-404"],
  [1, "and returns null for an empty list", "empty-list-is-null"],
  [2, "with an attempt beside it", "attempts-listed"],
  [0, "not at all", "accepted-is-lost"],
  [undefined, "in a response without a list, as documented", "layout-single-record"],
])("counts %s rows for a transfer that the API lists %s", async (rows, _, id) => {
  expect(await controlIn(id)).toBe(rows);
});

test("waits for a list that is throttled", async () => {
  expect(await controlOf({ variations: [throttledTo(2)] })).toBe(1);
});
