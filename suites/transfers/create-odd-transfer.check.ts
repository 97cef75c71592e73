import { judgeAnswered } from "../../fixtures/answered.ts";
import { basisOf, handlingOf, judgeNoBreakdown } from "../../fixtures/leeway.ts";
import { discourages } from "../../fixtures/leeway-checks.ts";
import { attemptPatiently } from "../../fixtures/negative.ts";
import { check } from "../../fixtures/test.ts";
import { checkAmounts, NOT_POSITIVE } from "../transactions/amounts.ts";
import { refusesWithoutIdentifier } from "../transactions/observations.ts";

const ID = "createTransfer";

checkAmounts(ID, [
  ...NOT_POSITIVE,
  { name: "thousandth", literal: "0.001" },
  { name: "three-decimals", literal: "100.005" },
  { name: "quadrillion", literal: "1e15" },
]);

const ODD_VALUES = [
  { field: "bankCode", name: "letters", value: "NOBANK", source: "N40" },
  { field: "accountNumber", name: "of-3-digits", value: "123", source: "practice" },
  { field: "accountNumber", name: "letters", value: "ABCDEFGHIJ", source: "practice" },
  { field: "emailAddress", name: "malformed", value: "x", source: "practice" },
] as const;

for (const { field, name, value, ...basis } of ODD_VALUES) {
  discourages(`createTransfer/${field}-${name}`, basis, {
    change: { body: { [field]: value } },
    what: `${field} is ${JSON.stringify(value)}`,
    field,
  });
}

discourages(
  "createTransfer/accountNumber-number",
  { requirements: ["R083"] },
  {
    change: (bench) => ({ body: { accountNumber: asNumber(bench.values.ACCOUNT_NUMBER) } }),
    what: "accountNumber is a number, which loses leading zeros",
    field: "accountNumber",
  },
);

check("createTransfer/status-codes", { level: "OBSERVE", source: "N31" }, async (bench) => {
  const success = await basisOf(bench, ID);
  bench.observe("N31", `an accepted transfer is answered with ${success.status}`);
  const refusal = await attemptPatiently(bench, ID, { body: { amount: undefined } });
  judgeAnswered(refusal);
  judgeNoBreakdown(refusal, "amount is left out");
  bench.observe("N31", `a transfer without amount ${handlingOf(refusal)}`);
});

refusesWithoutIdentifier(ID, { requirements: ["R086"] });

/** The operator's account as a number; where that would name another account, a number that names none. */
function asNumber(account: string | undefined): number {
  return account !== undefined && String(Number(account)) === account ? Number(account) : 123;
}
