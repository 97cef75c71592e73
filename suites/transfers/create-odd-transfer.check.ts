import { handlingOf } from "../../fixtures/http/wording.ts";
import { shouldReject } from "../../fixtures/judge/check-families.ts";
import { expectAnswered, expectNoCrash } from "../../fixtures/judge/matchers.ts";
import { check } from "../../fixtures/run/check.ts";
import { requireControl } from "../../fixtures/run/control.ts";
import { sendInvalidWithRetry } from "../../fixtures/run/sending.ts";
import { checkAmounts } from "../transactions/amounts.ts";
import { rejectsWithoutIdentifier } from "../transactions/observations.ts";

const ID = "createTransfer";

checkAmounts(ID, [
  { name: "thousandth", literal: "0.001" },
  { name: "three-decimals", literal: "100.005" },
  { name: "quadrillion", literal: "1e15" },
]);

const ODD_VALUES = [
  { field: "bankCode", name: "letters", value: "NOBANK", rules: "N40" },
  { field: "accountNumber", name: "of-3-digits", value: "123", rules: "practice" },
  { field: "accountNumber", name: "letters", value: "ABCDEFGHIJ", rules: "practice" },
  { field: "emailAddress", name: "malformed", value: "x", rules: "practice" },
] as const;

for (const { field, name, value, rules } of ODD_VALUES) {
  shouldReject(`createTransfer/${field}-${name}`, rules, {
    change: { body: { [field]: value } },
    what: `${field} is ${JSON.stringify(value)}`,
    field,
  });
}

shouldReject("createTransfer/accountNumber-number", ["R083"], {
  change: (ctx) => ({ body: { accountNumber: asNumber(ctx.values.ACCOUNT_NUMBER) } }),
  what: "accountNumber is a number, which loses leading zeros",
  field: "accountNumber",
});

check(
  "createTransfer/status-codes",
  "accepts and rejects transfers with status codes of its choice",
  { observe: "N31" },
  async (ctx) => {
    const success = await requireControl(ctx, ID);
    ctx.observe("N31", `an accepted transfer gets ${success.status}`);
    const rejection = await sendInvalidWithRetry(ctx, ID, { body: { amount: undefined } });
    expectAnswered(rejection);
    expectNoCrash(rejection, "amount is missing");
    ctx.observe("N31", `a transfer without amount ${handlingOf(rejection)}`);
  },
);

rejectsWithoutIdentifier(ID, ["R086"]);

/** The operator's account as a number; 123, which no account has, if that number would name another account. */
function asNumber(account: string | undefined): number {
  return account !== undefined && String(Number(account)) === account ? Number(account) : 123;
}
