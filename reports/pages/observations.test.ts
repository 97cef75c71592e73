import { expect, it } from "vitest";
import type { Observation } from "../verdicts/verdict.ts";
import { renderObservations } from "./observations.ts";

const render = (observations: readonly Observation[]) =>
  renderObservations({
    observations,
    startedAt: "2026-03-01T10:00:00.000Z",
    target: {
      name: "staging",
      baseUrl: "https://sandbox.example.com",
      environment: "sandbox",
      embedded: false,
      pathForms: {},
    },
  });

it("lists each sentence once, by open item, with the operations for which it holds", () => {
  const none = { item: "N33", text: "a 401 without a token has no body" };

  const text = render([
    { item: "G04", operation: "listTransfers", text: "the list is at /data/items" },
    { ...none, operation: "getProfile" },
    { ...none, operation: "listTransfers" },
  ]);

  expect(text).toBe(
    [
      "# What the specification leaves open",
      "Observed on 2026-03-01 at staging (https://sandbox.example.com). The specification neither requires nor forbids any of this.",
      "## N33: body of a 401 response",
      "- a 401 without a token has no body (getProfile, listTransfers)",
      "## G04: where the list is inside data",
      "- the list is at /data/items (listTransfers)\n",
    ].join("\n\n"),
  );
});

it("counts the operations if there are many", () => {
  const operations = [
    "getProfile",
    "listTransfers",
    "listCustomers",
    "getDispute",
    "createTransfer",
  ] as const;

  const text = render(
    operations.map((operation) => ({ item: "G22", operation, text: "status is 1" }) as const),
  );

  expect(text).toContain("- status is 1 (5 operations)\n");
});

it("keeps the words of a target from becoming markup", () => {
  const text = render([{ item: "N17", operation: "getProfile", text: "has <b>[x](y)</b>\n# `z`" }]);

  expect(text).toContain("- has \\<b\\>\\[x\\](y)\\</b\\>\\\\n\\# \\`z\\` (getProfile)\n");
});
