import { z } from "zod";
import { isTestCard } from "../../fixtures/engine/config/interlocks.ts";
import type { Target } from "../../fixtures/engine/config/target.ts";
import * as is from "../../fixtures/engine/config/variable-types.ts";
import type { VariableName } from "../../fixtures/engine/config/variables.ts";
import { CommandError } from "../../reports/command-line/command.ts";
import { holdsLiveKey, liveKeyIn } from "../../reports/command-line/live-keys.ts";
import { groupBy } from "../../reports/grouping.ts";
import {
  jsonWithLines,
  parseWithLines,
  readCsv,
  readInput,
  unknownName,
  type WithLines,
} from "./input-file.ts";

const text = z.string().min(1, "must not be empty").max(200);

/** A spreadsheet writes a long number like this when it saves a file, and its last digits are lost. */
const digits = text.regex(
  /^(?!\d(?:[.,]\d+)?E[+-]?\d+$)/i,
  "is a number as a spreadsheet shortens it: make its column a text column and enter it again",
);

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

/** The records of each kind, with the field names of the specification. */
const KINDS = {
  customers: records({ customerId: z.number(), email: is.emailAddress.exactOptional() }),
  plans: records({ planId: z.number() }),
  channels: records({ operation: z.enum(["qr", "card", "ndd"]), channel: text }),
  merchants: records({ mch_no: digits, sub_mch_no: digits }),
  beneficiaries: records({
    bankCode: digits,
    bankName: text.exactOptional(),
    accountNumber: digits,
    accountName: text,
    emailAddress: is.emailAddress.exactOptional(),
    amount: z.number().positive().max(1e9).exactOptional(),
  }),
  cards: records({
    cardNumber: is.cardNumber,
    expiryMonth: text,
    expiryYear: text,
    cvv: z.string().regex(/^\d{3,4}$/, "must be 3 or 4 digits"),
  }),
} as const;

const Data = z.strictObject(KINDS);

/** The operator's records, of which requests are made. */
export type LoadData = z.infer<typeof Data>;

/** The fields of a record of each kind. */
export const FIELDS = Object.entries(KINDS).map(
  ([kind, one]) => [kind as keyof LoadData, Object.keys(one.unwrap().element.shape)] as const,
);

const withTestCards = (confirmedCard: string | undefined) =>
  Data.superRefine(({ cards = [] }, context) => {
    for (const [index, { cardNumber }] of cards.entries())
      if (!isTestCard(cardNumber, confirmedCard))
        context.addIssue({
          code: "custom",
          path: ["cards", index, "cardNumber"],
          message:
            "is not a published test number: set CARD_IS_TEST=<its last four digits> to confirm that it is not a real card",
        });
  });

/**
 * Reads the file that DATA names: JSON, or CSV whose first column `kind` says what a row is. Throws a
 * {@link CommandError}: 3 for a live key in it, 2 with the line of each other problem.
 */
export function readData({ values }: Target): LoadData | undefined {
  const { DATA: path } = values;
  if (path === undefined) return undefined;
  const content = readInput("DATA", path);
  const read = /\.csv$/i.test(path) ? recordsInCsv(path, content) : jsonWithLines("DATA", path, content);
  // The text was searched as well, but JSON may write a letter as an escape.
  if (holdsLiveKey(JSON.stringify(read.value))) throw new CommandError(3, [liveKeyIn(["the file of DATA"])]);
  return parseWithLines("DATA", path, read, withTestCards(values.CARD_IS_TEST));
}

const NUMBERS: readonly string[] = ["customerId", "planId", "amount"];

/** Groups the rows of a CSV file by their kind; an empty cell is an absent field. */
function recordsInCsv(path: string, content: string): WithLines {
  const rows = readCsv(content);
  const refuse = (line: number, problem: string) =>
    new CommandError(2, [`DATA: ${path} line ${line}: ${problem}`]);
  if ("badLine" in rows)
    throw refuse(rows.badLine, "a quoted cell does not end where a comma or a line ends");
  const [head, ...records] = rows;
  const example = "kind,bankCode,accountNumber,accountName";
  if (head?.cells[0] !== "kind")
    throw refuse(1, `the first row must name the columns, the first of them kind: ${example}`);
  const byKind = groupBy(records, ({ line, cells: [kind = "", ...cells] }) => {
    if (!Object.hasOwn(KINDS, kind)) throw refuse(line, unknownName("kind", kind, Object.keys(KINDS)));
    if (cells.length + 1 !== head.cells.length)
      throw refuse(line, `the row has ${cells.length + 1} cells, and the first row has ${head.cells.length}`);
    return kind;
  });
  const recordOf = (cells: readonly string[]) =>
    Object.fromEntries(
      head.cells.slice(1).flatMap((name, column) => {
        const cell = cells[column + 1] ?? "";
        const isNumber = NUMBERS.includes(name) && /^-?\d+(\.\d+)?$/.test(cell);
        return cell === "" ? [] : [[name, isNumber ? Number(cell) : cell]];
      }),
    );
  return {
    value: Object.fromEntries(
      [...byKind].map(([kind, rows]) => [kind, rows.map(({ cells }) => recordOf(cells))]),
    ),
    lineOf: ([kind, index]) => byKind.get(String(kind))?.[Number(index ?? 0)]?.line ?? 1,
  };
}

/** The variables that hold one record, and where DATA has its value instead; of two places, the later one counts. */
const VARIABLES = [
  ["CUSTOMER_ID", "customers", "customerId"],
  ["EMAIL_ADDRESS", "customers", "email"],
  ["PLAN_ID", "plans", "planId"],
  ["MCH_NO", "merchants", "mch_no"],
  ["SUB_MCH_NO", "merchants", "sub_mch_no"],
  ["BANK_CODE", "beneficiaries", "bankCode"],
  ["ACCOUNT_NUMBER", "beneficiaries", "accountNumber"],
  ["ACCOUNT_NAME", "beneficiaries", "accountName"],
  ["EMAIL_ADDRESS", "beneficiaries", "emailAddress"],
  ["TRANSFER_AMOUNT", "beneficiaries", "amount"],
  ["CARD_NUMBER", "cards", "cardNumber"],
  ["CARD_EXPIRY_MONTH", "cards", "expiryMonth"],
  ["CARD_EXPIRY_YEAR", "cards", "expiryYear"],
  ["CARD_CVV", "cards", "cvv"],
] as const satisfies readonly (readonly [VariableName, keyof LoadData, string])[];

/** The target with the first records of DATA in place of the variables that hold one, and with their secrets. */
export function withData(target: Target, data: LoadData): Target {
  const { channels = [] } = data;
  const first = [
    ...VARIABLES.map(([variable, kind, field]) => [variable, Object(data[kind]?.[0])[field]]),
    // The last one is set first, so that the first one remains.
    ...channels.toReversed().map((one) => [`${one.operation.toUpperCase()}_CHANNEL`, one.channel]),
  ];
  const values = {
    ...target.values,
    ...Object.fromEntries(first.filter(([, value]) => value !== undefined)),
  };
  return { ...target, values, secrets: [...target.secrets, ...secretsIn(data)] };
}

/** No file of a run holds a request, and a defect that writes one would write these as well. */
const SEARCHED_RECORDS = 20;
const SECRET_FIELDS: readonly string[] = ["accountNumber", "emailAddress", "email", "cardNumber", "cvv"];

const secretsIn = (data: LoadData) =>
  Object.entries(data).flatMap(([kind, records]) =>
    records.slice(0, SEARCHED_RECORDS).flatMap((record, index) =>
      Object.entries(record)
        .filter(([field]) => SECRET_FIELDS.includes(field))
        .map(([field, value]) => ({ name: `DATA.${kind}[${index}].${field}`, value: String(value) })),
    ),
  );
