import { expect, it } from "vitest";
import { answerTo } from "../testing/example-load.ts";
import { carriedOut, readJournal } from "./journal.ts";

it("reads the journal line by line and drops a line that a crash tore", () => {
  const text = [
    '["createTransfer","load-a-0000001","accepted",200,"T1"]',
    '["createTransfer","load-a-0000002","timeout",0,null]',
    '["createTransfer","load-a-0000003","malformed",200,{"id":1}]',
    "a message of k6 itself",
    '["createTransfer","load-a-00000',
  ].join("\n");

  expect(readJournal(text)).toEqual([
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
