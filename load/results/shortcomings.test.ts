import { expect, it } from "vitest";
import { shortcomings } from "./verdict.ts";

it("says how many of the planned requests k6 did not start, unless it dropped them", () => {
  const of30 = (iterations: number, dropped: number) =>
    shortcomings({ iterations: 30 }, { iterations, dropped });

  expect(of30(3, 0)).toEqual(["k6 started only 3 of 30 requests"]);
  expect(of30(3, 27)).toEqual([]);
});
