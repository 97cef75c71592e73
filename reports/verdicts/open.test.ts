import { expect, it } from "vitest";
import { exampleCheck } from "../testing/examples.ts";
import { openGroups, openReason } from "./open.ts";
import type { CheckResult } from "./verdict.ts";

it.each<[string, Partial<CheckResult>]>([
  ["set PAGE_ID, PRODUCT_ID", { reason: "variable", variables: ["PAGE_ID", "PRODUCT_ID"] }],
  [
    "SEO_IMAGE a.png cannot be read",
    { reason: "variable", variables: ["SEO_IMAGE"], message: "SEO_IMAGE a.png cannot be read" },
  ],
  ["raise MAX_PAYOUTS", { reason: "budget", variables: ["MAX_PAYOUTS"], message: "no room for 100" }],
  ["the payout budget or the time limit is used up", { reason: "budget" }],
  ["provide unused data in PAGE_ID", { reason: "spent", variables: ["PAGE_ID"], message: "used before" }],
  ["set PAGE_ID", { variables: ["PAGE_ID"], message: "rejected, but perhaps for another reason" }],
  ["rejected, but perhaps for another reason", { message: "rejected, but perhaps for another reason" }],
])("says %j", (text, differences) => {
  expect(openReason(exampleCheck("not-tested", differences))).toBe(text);
});

it("groups open checks by what would complete them, and leaves out those that another check blocks", () => {
  const needs = (id: string, variable: string) =>
    exampleCheck("not-tested", { id, reason: "variable", variables: [variable] });

  const groups = openGroups([
    needs("listTransfers/a", "PAGE_ID"),
    needs("listTransfers/b", "CUSTOMER_ID"),
    needs("listTransfers/c", "CUSTOMER_ID"),
    exampleCheck("pass-weak", { blockedBy: "listTransfers/accepted" }),
    exampleCheck("pass"),
  ]);

  expect(groups.map(({ reason, checks }) => [reason, checks.map(({ id }) => id)])).toEqual([
    ["set CUSTOMER_ID", ["listTransfers/b", "listTransfers/c"]],
    ["set PAGE_ID", ["listTransfers/a"]],
  ]);
});
