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

it("tells each sentence once, by open item, with the operations it holds for", () => {
  const none = { item: "N33", text: "a 401 for want of a token has no body" };

  const text = render([
    { item: "G04", operation: "listTransfers", text: "the list stands at /data/items" },
    { ...none, operation: "getProfile" },
    { ...none, operation: "listTransfers" },
  ]);

  expect(text).toBe(
    [
      "# What the specification leaves open",
      "As observed of staging https://sandbox.example.com on 2026-03-01. None of it is right or wrong.",
      "## N33: body of a 401 answer",
      "- a 401 for want of a token has no body (getProfile, listTransfers)",
      "## G04: place of the list inside data",
      "- the list stands at /data/items (listTransfers)\n",
    ].join("\n\n"),
  );
});

it("counts the operations where they are many", () => {
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
