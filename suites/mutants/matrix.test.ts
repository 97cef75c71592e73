import { expect, it } from "vitest";
import { type Entry, type Matrix, renderMatrix } from "./matrix.ts";

const caught: Entry = {
  kind: "fault",
  id: "every-request",
  variations: [],
  checks: 11,
  red: ["getProfile/accepted"],
  open: [],
  complaints: [],
};
const seenIn = (visibleIn: number, isCaught: boolean): Entry => ({
  ...caught,
  id: `one-in-${visibleIn}`,
  sight: { visibleIn, probability: 1 / visibleIn, isCaught },
});
const matrixOf = (entries: readonly Entry[]): Matrix => ({
  schema: "payments-conformance/mutants@1",
  seed: 1,
  full: false,
  entries,
  declarations: [],
});

it("counts and lists apart the faults that a run may miss", () => {
  const missed = { ...seenIn(4, false), complaints: ["is not caught by getProfile/accepted: pass"] };
  const entries = [caught, seenIn(8, true), missed, seenIn(20, true), seenIn(50, false)];

  expect(renderMatrix(matrixOf(entries)).split("\n")).toEqual([
    "fault one-in-4: is not caught by getProfile/accepted: pass",
    "",
    "2 of 3 faults that show in at least one of 8 requests are caught; 2 rarer ones: 1 caught",
    "  caught, shows in one of 20 requests: one-in-20",
    "  missed, shows in one of 50 requests: one-in-50",
    "1 complaint, seed 1",
    "",
  ]);
});

it("shows how much a run decides about each variation, the least first", () => {
  const variation = (id: string, decided: number): Entry => ({ ...caught, kind: "variation", id, decided });
  const entries = [variation("plain", 100), variation("sparse", 95.4)];

  expect(renderMatrix(matrixOf(entries))).toContain(
    "MUST checks that a run decides:\n   95.4 % of sparse\n  100.0 % of plain\n",
  );
});
