import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { closeLedger } from "../../fixtures/engine/ledger/closing.ts";
import type { Caps } from "../../fixtures/engine/ledger/ledger.ts";
import { commandErrorOf, temporaryFolder } from "../../fixtures/testing/example-target.ts";
import { answerTo, transfersOf100 } from "../testing/example-load.ts";
import { Reservations } from "./reservations.ts";

const ledgerPath = () => join(temporaryFolder(), "ledger.jsonl");

const reserve = (caps: Caps, references: readonly string[], path = ledgerPath()) =>
  new Reservations({ path, caps }, "run", transfersOf100(references));

describe("reservations", () => {
  it("keep what was accepted or may have moved, and release the rest", () => {
    const reservations = reserve({ count: 5, total: 500 }, ["a", "b", "c", "d", "e"]);

    reservations.settle([
      answerTo("a", "accepted", "T0"),
      answerTo("b", "business-refused"),
      answerTo("c", "timeout"),
      answerTo("d", "business-refused", "T3"),
    ]);

    expect(reservations.close()).toMatchObject({
      planned: { count: 5, total: 500 },
      kept: { count: 3, total: 300 },
      released: { count: 2, total: 200 },
    });
  });

  it("keep what may have been sent without a response", () => {
    const reservations = reserve({ count: null, total: null }, ["a", "b", "c", "c", "d"]);

    reservations.settle([answerTo("a", "business-refused")], ["b", "c"]);

    expect(reservations.close().kept).toEqual({ count: 3, total: 300 });
  });

  it("keep what the list shows as paid, although the response was a rejection", () => {
    const reservations = reserve({ count: null, total: null }, ["a", "b"]);

    reservations.settle([answerTo("a", "business-refused"), answerTo("b", "business-refused")], [], ["b"]);

    expect(reservations.close().kept).toEqual({ count: 1, total: 100 });
  });

  it.each([
    ["MAX_PAYOUTS", { count: 4, total: null }],
    ["MAX_PAYOUT_TOTAL", { count: null, total: 400 }],
  ])("stop the run and keep nothing if they exceed %s", async (variable, caps) => {
    const path = ledgerPath();

    const error = await commandErrorOf(() => reserve(caps, ["a", "b", "c", "d", "e"], path));

    expect(error).toMatchObject({ exitCode: 3, problems: [expect.stringContaining(variable)] });
    expect(error.message).toContain("room for 5 transfers, 500.00 in total");
    const money = closeLedger(path, "run", { count: 5, total: 500 }, caps);
    expect(money).toMatchObject({ kept: { count: 0, total: 0 }, released: { count: 0, total: 0 } });
  });
});
