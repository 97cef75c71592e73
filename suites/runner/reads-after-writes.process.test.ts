import { expect, test } from "vitest";
import { deploy, verdictsIn } from "../../fixtures/testing/deployment.ts";
import { invoke } from "../../fixtures/testing/invoke.ts";
import { certify } from "./certify.ts";

const LONG = { timeout: 120_000 };

test("on a page without products, the checks that need some use those which the run adds", LONG, async () => {
  const { env } = await deploy();
  // Only the first of the seeded pages has products.
  const PAGE_ID = String(Number(env.PAGE_ID) + 1);

  const run = await invoke(certify, ["--select", "listPageProducts/*,addPageProducts/*", "--seed", "7"], {
    ...env,
    PAGE_ID,
  });

  const open = verdictsIn(run).checks.filter(({ verdict }) => verdict !== "pass" && verdict !== "observed");
  expect(run.code).toBe(0);
  expect(open.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual([
    "listPageProducts/added-products-join-the-others not-tested",
    "listPageProducts/values/odd-search inconclusive",
  ]);
});
