import { expect, it } from "vitest";
import { readLine } from "../results/recording/answers.ts";
import { answerTo } from "../testing/example-load.ts";
import { carriedOut, Journal } from "./journal.ts";

it("keeps what is said of money, and drops a line that a crash tore", () => {
  const lines = [
    '["createTransfer","load-a-0000001","accepted",200,"T1",[0,0,0,9.5]]',
    '["createTransfer","load-a-0000002","timeout",0,null,[1,50,0,5000]]',
    '["createTransfer","load-a-0000003","malformed",200,null,[2,100,0,8]]',
    '["listTransfers",null,"accepted",200,null,[3,150,0,4]]',
    "a message of k6 itself",
    '["createTransfer","load-a-00000',
  ];
  const journal = new Journal();

  for (const line of lines) journal.add(readLine(line));

  expect(journal.entries).toEqual([
    {
      operation: "createTransfer",
      reference: "load-a-0000001",
      outcome: "accepted",
      status: 200,
      identifier: "T1",
    },
    {
      operation: "createTransfer",
      reference: "load-a-0000002",
      outcome: "timeout",
      status: 0,
      identifier: null,
    },
    {
      operation: "createTransfer",
      reference: "load-a-0000003",
      outcome: "malformed",
      status: 200,
      identifier: null,
    },
  ]);
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
  "knows of a request that is %s with identifier %s whether it was carried out: %s",
  (...expected) => {
    const [outcome, identifier, whether] = expected;

    expect(carriedOut(answerTo("r", outcome, identifier))).toBe(whether);
  },
);
