import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { commandErrorOf, exampleTarget, temporaryFolder } from "../../fixtures/testing/example-target.ts";
import { readData } from "./data.ts";

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

it("reads the records of DATA, if it is set", () => {
  expect(readData(exampleTarget())).toEqual({});
  expect(read(JSON.stringify(DATA))).toEqual(DATA);
});

it.each([
  ["", "is not valid JSON"],
  ["[".repeat(100_000), "is not valid JSON"],
  ["null", "expected record"],
  ['{"listTransfers":[{"customerId":1}]}', "data.json"],
  ['{"createTransfer":[]}', "at createTransfer: must have at least one record"],
  ['{"createTransfer":[{"accountNumber":123}]}', "at createTransfer[0].accountNumber: "],
  ['{"createTransfer":[{"transferReference":"mine"}]}', 'Unrecognized key: "transferReference"'],
])("refuses a file that holds no data: %#", async (text, problem) => {
  const { exitCode, problems } = await commandErrorOf(() => read(text));

  expect({ exitCode, problems }).toEqual({ exitCode: 2, problems: [expect.stringContaining(problem)] });
});
