import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { commandErrorOf, exampleTarget, temporaryFolder } from "../../fixtures/testing/example-target.ts";
import { readData, withData } from "./data.ts";

function read(text: string) {
  const path = join(temporaryFolder(), "data.json");
  writeFileSync(path, text);
  return readData(exampleTarget({ DATA: path }));
}

const PAYEES = [
  { bankCode: "058", accountNumber: "0123456789", accountName: "Ada, Test" },
  { bankCode: "044", accountNumber: "0123456780", accountName: 'Ben "Ben" Test' },
];
const WITHOUT_NUMBER = '{"beneficiaries":[{"bankCode":"058","accountNumber":123,"accountName":"A"}]}';
const OTHER_FIELDS = '{"customers":[{"customerId":1,"email":"a@example.com"},{"customerId":2}]}';

it("reads the records of DATA, if it is set", () => {
  const data = { beneficiaries: PAYEES, customers: [{ customerId: 1001 }] };

  expect(readData(exampleTarget())).toBeUndefined();
  expect(read(JSON.stringify(data))).toEqual(data);
});

it.each([
  ["", "is not valid JSON"],
  ["[".repeat(100_000), "is not valid JSON"],
  ["null", "expected object"],
  ['{"__proto__":{"beneficiaries":[]}}', "data.json"],
  ['{"plans":[]}', "at plans: must have at least one record"],
  [WITHOUT_NUMBER, "at beneficiaries[0].accountNumber: "],
  [OTHER_FIELDS, "at customers[1]: all records of a kind must have the same fields"],
])("refuses a file that holds no data: %#", async (text, problem) => {
  const { exitCode, problems } = await commandErrorOf(() => read(text));

  expect({ exitCode, problems }).toEqual({ exitCode: 2, problems: [expect.stringContaining(problem)] });
});

it("refuses a live key, also where JSON writes it as escapes", async () => {
  const text = JSON.stringify({ beneficiaries: [{ ...PAYEES[0], accountName: "sk_live_0123456789" }] });

  expect(await commandErrorOf(() => read(text.replace("_", "\\u005f")))).toMatchObject({ exitCode: 3 });
});

it("takes the first records in place of variables, and hides what is secret in them", () => {
  const target = withData(exampleTarget({ BANK_CODE: "000" }), { beneficiaries: PAYEES });

  expect(target.values).toMatchObject({ BANK_CODE: "058", ACCOUNT_NUMBER: "0123456789" });
  expect(target.secrets).toContainEqual({
    name: "DATA.beneficiaries[1].accountNumber",
    value: "0123456780",
  });
});
