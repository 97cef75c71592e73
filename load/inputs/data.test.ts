import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { commandErrorOf, exampleTarget, temporaryFolder } from "../../fixtures/testing/example-target.ts";
import { readData, secretsIn } from "./data.ts";

function read(text: string) {
  const path = join(temporaryFolder(), "data.json");
  writeFileSync(path, text);
  return readData(exampleTarget({ DATA: path }));
}

const PAYEES = [
  { bankCode: "058", accountNumber: "0123456789", accountName: "Ada, Test" },
  { bankCode: "044", accountNumber: "0123456780" },
];
const DATA = { createTransfer: PAYEES, createQrTransaction: [{ customerId: 1001 }] };

it("reads the records of DATA, if it is set, and names what is secret in them", () => {
  expect(readData(exampleTarget())).toEqual({});
  expect(read(JSON.stringify(DATA))).toEqual(DATA);
  const name = "DATA.createTransfer[1].accountNumber";
  expect(secretsIn(DATA)).toContainEqual({ name, value: "0123456780" });
});

it.each([
  ["", 2, "is not valid JSON"],
  ["[".repeat(100_000), 2, "is not valid JSON"],
  ["null", 2, "expected record"],
  ['{"listTransfers":[{"customerId":1}]}', 2, "data.json"],
  ['{"createTransfer":[]}', 2, "at createTransfer: must have at least one record"],
  ['{"createTransfer":[{"accountNumber":123}]}', 2, "at createTransfer[0].accountNumber: "],
  ['{"createTransfer":[{"transferReference":"mine"}]}', 2, 'Unrecognized key: "transferReference"'],
  // JSON may write a letter as an escape.
  [String.raw`{"createTransfer":[{"accountName":"sk\u005flive_0123456789"}]}`, 3, "live key"],
])("refuses a file that holds no data: %#", async (text, code, problem) => {
  const { exitCode, problems } = await commandErrorOf(() => read(text));

  expect({ exitCode, problems }).toEqual({ exitCode: code, problems: [expect.stringContaining(problem)] });
});
