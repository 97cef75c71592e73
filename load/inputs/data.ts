import { z } from "zod";
import type { Target } from "../../fixtures/engine/config/target.ts";
import * as is from "../../fixtures/engine/config/variable-types.ts";
import type { VariableName } from "../../fixtures/engine/config/variables.ts";
import { CommandError } from "../../reports/command-line/command.ts";
import { readJsonFile } from "../../reports/command-line/json-file.ts";
import { holdsLiveKey, liveKeyIn } from "../../reports/command-line/live-keys.ts";

const text = z.string().min(1, "must not be empty").max(200);

const MAX_RECORDS = 100_000;

/** Records of one kind have the same fields, because a request either has a field or lacks it. */
const records = <S extends z.ZodRawShape>(shape: S) =>
  z
    .array(z.strictObject(shape))
    .min(1, "must have at least one record")
    .max(MAX_RECORDS)
    .superRefine((given, context) => {
      const fields = given.map((record) => Object.keys(record).sort().join(", "));
      const [first = ""] = fields;
      const odd = fields.findIndex((one) => one !== first);
      const message = `all records of a kind must have the same fields, and the first one has ${first}`;
      if (odd > 0) context.addIssue({ code: "custom", path: [odd], message });
    })
    .exactOptional();

const Data = z.strictObject({
  customers: records({ customerId: z.number(), email: is.emailAddress.exactOptional() }),
  plans: records({ planId: z.number() }),
  beneficiaries: records({
    bankCode: text,
    bankName: text.exactOptional(),
    accountNumber: text,
    accountName: text,
    emailAddress: is.emailAddress.exactOptional(),
    amount: z.number().positive().max(1e9).exactOptional(),
  }),
});

/** The operator's records, of which requests are made. */
export type LoadData = z.infer<typeof Data>;

/** Reads the JSON file that DATA names. Throws a {@link CommandError}: 3 for a live key in it, 2 for another problem. */
export function readData({ values: { DATA: path } }: Target): LoadData | undefined {
  if (path === undefined) return undefined;
  const data = readJsonFile("DATA", path, Data, "load/README.md has an example");
  // The text was searched as well, but JSON may write a letter as an escape.
  if (holdsLiveKey(JSON.stringify(data))) throw new CommandError(3, [liveKeyIn(["the file of DATA"])]);
  return data;
}

/** The variables that hold one record, and where DATA has its value instead; of two places, the later one counts. */
const VARIABLES = [
  ["CUSTOMER_ID", "customers", "customerId"],
  ["EMAIL_ADDRESS", "customers", "email"],
  ["PLAN_ID", "plans", "planId"],
  ["BANK_CODE", "beneficiaries", "bankCode"],
  ["ACCOUNT_NUMBER", "beneficiaries", "accountNumber"],
  ["ACCOUNT_NAME", "beneficiaries", "accountName"],
  ["EMAIL_ADDRESS", "beneficiaries", "emailAddress"],
  ["TRANSFER_AMOUNT", "beneficiaries", "amount"],
] as const satisfies readonly (readonly [VariableName, keyof LoadData, string])[];

/** The target with the first records of DATA in place of the variables that hold one, and with their secrets. */
export function withData(target: Target, data: LoadData): Target {
  const first = VARIABLES.map(([variable, kind, field]) => [variable, Object(data[kind]?.[0])[field]]);
  const values = {
    ...target.values,
    ...Object.fromEntries(first.filter(([, value]) => value !== undefined)),
  };
  return { ...target, values, secrets: [...target.secrets, ...secretsIn(data)] };
}

/** No file of a run holds a request, and a defect that writes one would write these as well. */
const SEARCHED_RECORDS = 20;
const SECRET_FIELDS: readonly string[] = ["accountNumber", "emailAddress", "email"];

const secretsIn = (data: LoadData) =>
  Object.entries(data).flatMap(([kind, records]) =>
    records.slice(0, SEARCHED_RECORDS).flatMap((record, index) =>
      Object.entries(record)
        .filter(([field]) => SECRET_FIELDS.includes(field))
        .map(([field, value]) => ({ name: `DATA.${kind}[${index}].${field}`, value: String(value) })),
    ),
  );
