import { expect, it } from "vitest";
import { readLine } from "../results/recording/log-line.ts";
import { answerTo } from "../testing/example-load.ts";
import { carriedOut, Journal } from "./journal.ts";

it("keeps what is said of money, and drops a line that a crash tore", () => {
  const journal = new Journal();

  for (const line of [
    '["createTransfer","load-a-0000001","accepted",200,"T1",[0,0,0,9.5]]',
    '["listTransfers",null,"accepted",200,null,[3,150,0,4]]',
    "a message of k6 itself",
    '["createTransfer","load-a-00000',
  ])
    journal.add(readLine(line));

  expect(journal.entries).toEqual([answerTo("load-a-0000001", "accepted", "T1")]);
});

it.each([
  ["accepted", "T1", "yes"],
  ["business-refused", null, "no"],
  ["business-refused", "T1", "unknown"],
  ["throttled", null, "no"],
  ["connection-error", null, "no"],
  ["timeout", null, "unknown"],
  ["server-error", null, "unknown"],
] as const)(
  "knows of %s with identifier %s whether it was carried out: %s",
  (outcome, identifier, whether) => {
    expect(carriedOut(answerTo("r", outcome, identifier))).toBe(whether);
  },
);
