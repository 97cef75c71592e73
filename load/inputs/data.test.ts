import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commandErrorOf, exampleTarget, temporaryFolder } from "../../fixtures/testing/example-target.ts";
import { readData, withData } from "./data.ts";

function file(name: string, text: string): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, text);
  return path;
}

const read = (name: string, text: string, variables: Record<string, string> = {}) =>
  readData(exampleTarget({ DATA: file(name, text), ...variables }));

const PAYEES = [
  { bankCode: "058", accountNumber: "0123456789", accountName: "Ada, Test" },
  { bankCode: "044", accountNumber: "0123456780", accountName: 'Ben "Ben" Test' },
];

const CSV = `kind,bankCode,accountNumber,accountName,customerId,amount
beneficiaries,058,0123456789,"Ada, Test",,

beneficiaries,044,0123456780,"Ben ""Ben"" Test",,
customers,,,,1001,
`;

describe("readData", () => {
  it("reads the same records from JSON and from CSV", () => {
    const expected = { beneficiaries: PAYEES, customers: [{ customerId: 1001 }] };

    expect(readData(exampleTarget())).toBeUndefined();
    expect(read("data.json", JSON.stringify(expected))).toEqual(expected);
    expect(read("data.csv", CSV)).toEqual(expected);
    expect(read("data.csv", CSV.replaceAll("\n", "\r\n"))).toEqual(expected);
  });

  const TWO_PROBLEMS = `{
"beneficiaries": [
{ "bankCode": "058", "accountNumber": 123,
"accountName": "A" }
],
"plans": []
}`;
  const OTHER_FIELDS = '{"customers":[{"customerId":1,"email":"a@example.com"},\n{"customerId":2}]}';

  it.each([
    [
      "data.json",
      TWO_PROBLEMS,
      ["line 3, beneficiaries[0].accountNumber: ", "line 6, plans: must have at least"],
    ],
    ["data.json", OTHER_FIELDS, ["line 2, customers[1]: all records of a kind must have the same fields"]],
    [
      "data.csv",
      `${CSV}customers,,,,first,\nplans,,,,,\n`,
      ["line 6, customers[1].customerId: ", "line 7, plans[0]"],
    ],
    ["data.csv", "kind,planId\nplan,1\n", ["line 2: unknown kind: plan (did you mean plans?)"]],
    ["data.csv", "kind,planId\nplans,1,2\n", ["line 2: the row has 3 cells, and the first row has 2"]],
    ["data.csv", 'kind,planId\nplans,"1"x\n', ["line 2: a quoted cell"]],
    ["data.csv", "planId\n1\n", ["line 1: the first row must name the columns"]],
    ["data.csv", CSV.replace("0123456789", "1E+09"), ["line 2, beneficiaries[0].accountNumber: is a number"]],
  ])("names the line of each problem in %s", async (name, text, places) => {
    const { exitCode, problems } = await commandErrorOf(() => read(name, text));

    expect({ exitCode, problems }).toEqual({
      exitCode: 2,
      problems: places.map((place) => expect.stringContaining(place)),
    });
  });

  const deep = "[".repeat(100_000);
  const AMOUNT = '{"beneficiaries":[{"bankCode":"058","amount":';

  const WRONG = ["-1", "1e999", "[1]"].map((amount) => `${AMOUNT}${amount}}]}`);

  it.each([
    ...["", "null", deep, "\0".repeat(4096), "<html></html>", '{"\u001b[31mbeneficiaries":[]}'],
    ...['{"__proto__":{"beneficiaries":[]}}', AMOUNT + deep, ...WRONG],
  ])("refuses a file that holds no data: %#", async (text) => {
    expect((await commandErrorOf(() => read("data.json", text))).exitCode).toBe(2);
  });

  it("refuses a card that is no published test card, unless it is confirmed", async () => {
    const cards = [{ cardNumber: "4000123412341234", expiryMonth: "12", expiryYear: "2030", cvv: "123" }];
    const text = JSON.stringify({ cards });

    const error = await commandErrorOf(() => read("data.json", text));

    expect(error.message).toContain("CARD_IS_TEST");
    expect(error.message).not.toContain("4000123412341234");
    expect(read("data.json", text, { CARD_IS_TEST: "1234" })).toEqual({ cards });
  });

  it("refuses a live key, also where JSON writes it as escapes", async () => {
    const text = '{"plans":[{"planId":1,"note":"sk\\u005flive_0123456789"}]}';

    expect(await commandErrorOf(() => read("data.json", text))).toMatchObject({ exitCode: 3 });
  });
});

describe("withData", () => {
  it("takes the first records in place of variables, and hides what is secret in them", () => {
    const target = withData(exampleTarget({ BANK_CODE: "000" }), { beneficiaries: PAYEES });

    expect(target.values).toMatchObject({ BANK_CODE: "058", ACCOUNT_NUMBER: "0123456789" });
    expect(target.secrets).toContainEqual({
      name: "DATA.beneficiaries[1].accountNumber",
      value: "0123456780",
    });
  });
});
