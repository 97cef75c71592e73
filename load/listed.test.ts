import { describe, expect, it } from "vitest";
import { learnCount, listsNothing } from "./listed.ts";

const item = (reference: string) => ({ transferReference: reference, amount: 100, status: "Successful" });
const envelope = (data: unknown) => ({ status: "success", message: "ok", data });

/** Ways in which deployments may list the transfers with one reference; the specification shows none. */
const LAYOUTS: Record<string, (reference: string, items: number) => unknown> = {
  "an array as data": (reference, items) => envelope(Array.from({ length: items }, () => item(reference))),
  "a named array": (reference, items) =>
    envelope({
      reference: "r",
      status: "s",
      transfers: Array.from({ length: items }, () => item(reference)),
      total: items,
    }),
  "an echo of the query beside the list": (reference, items) =>
    envelope({
      query: { transferReference: reference },
      items: Array.from({ length: items }, () => item(reference)),
    }),
  "an echo of the query around the list": (reference, items) =>
    envelope({ reference, items: Array.from({ length: items }, () => item(reference)) }),
  "a list far down": (reference, items) =>
    envelope({
      result: { page: { rows: Array.from({ length: items }, () => ({ transfer: item(reference) })) } },
    }),
  "columns and links beside the list": (reference, items) =>
    envelope({
      columns: [{ name: "amount" }, { name: "status" }],
      links: ["/first", "/last"],
      rows: Array.from({ length: items }, () => item(reference)),
    }),
  "bare references": (reference, items) =>
    envelope({ references: Array.from({ length: items }, () => reference) }),
  "items under integer keys": (reference, items) =>
    envelope(
      Object.fromEntries(Array.from({ length: items }, (_, index) => [String(index), item(reference)])),
    ),
  "data that is null when nothing is found": (reference, items) =>
    envelope(items === 0 ? null : Array.from({ length: items }, () => item(reference))),
  "items that do not show their reference": (_, items) =>
    envelope({ columns: ["amount"], transfers: Array.from({ length: items }, () => ({ amount: 100 })) }),
  "items with their history": (reference, items) =>
    envelope(Array.from({ length: items }, () => ({ ...item(reference), history: [{ at: "today" }] }))),
};

describe.each(Object.entries(LAYOUTS))("a transfer list with %s", (_, layout) => {
  const count = learnCount(
    { reference: "ref-control", body: layout("ref-control", 1) },
    { reference: "ref-nothing", body: layout("ref-nothing", 0) },
  );

  it.each([0, 1, 2, 5])("counts %i items", (items) => {
    expect(count?.(layout("ref-0000001", items), "ref-0000001")).toBe(items);
  });
});

describe("a transfer list that cannot be counted", () => {
  it("is one that answers alike for every reference", () => {
    const body = envelope([item("another"), item("one more")]);

    expect(learnCount({ reference: "a", body }, { reference: "b", body })).toBeUndefined();
    expect(listsNothing(body)).toBe(false);
  });

  it("is one that only repeats the question", () => {
    const body = (reference: string) => envelope({ reference, status: "s" });

    expect(
      learnCount({ reference: "a", body: body("a") }, { reference: "b", body: body("b") }),
    ).toBeUndefined();
    expect(listsNothing(body("a"))).toBe(true);
  });
});
