import { describe, expect, it } from "vitest";
import { renderCreatedCsv } from "./created.ts";

const at = "2026-03-01T10:01:00.000Z";

describe("created.csv", () => {
  it("lists operation, reference, identifier and time of every record", () => {
    const csv = renderCreatedCsv([
      { operation: "createTransfer", reference: "r-1", identifier: "T1", at },
      { operation: "createPaymentPage", reference: "r-2", at },
    ]);

    expect(csv).toBe(
      `operation,reference,identifier,time\r\ncreateTransfer,r-1,T1,${at}\r\ncreatePaymentPage,r-2,,${at}\r\n`,
    );
  });

  it.each([
    ['say "hi"', '"say ""hi"""'],
    ["a,b", '"a,b"'],
    ["two\nlines", "two\\nlines"],
    ["\u001b[31m\u009b1m", "\\u001b[31m\\u009b1m"],
    ["=1+1", "'=1+1"],
    ["+1", "'+1"],
    ["-1", "'-1"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["\t=1", "\\u0009=1"],
    ["\r=1", "\\u000d=1"],
    [" =1", "' =1"],
    ["\uff1d1", "'\uff1d1"],
    ["a;=1", '"a;\'=1"'],
    ['=HYPERLINK("x","y")', '"\'=HYPERLINK(""x"",""y"")"'],
    ['a"\r\n=1', '"a""\\u000d\\n=1"'],
    ["plain=1", "plain=1"],
  ])("writes %j as one harmless cell", (identifier, cell) => {
    const csv = renderCreatedCsv([{ operation: "createTransfer", reference: "r", identifier, at }]);

    expect(csv).toBe(`operation,reference,identifier,time\r\ncreateTransfer,r,${cell},${at}\r\n`);
  });
});
