import { z } from "zod";
import { isTestCard } from "../../fixtures/engine/config/interlocks.ts";
import type { Target } from "../../fixtures/engine/config/target.ts";
import * as is from "../../fixtures/engine/config/variable-types.ts";
import { CommandError } from "../../reports/command-line/command.ts";
import { holdsLiveKey, liveKeyIn } from "../../reports/command-line/live-keys.ts";
import { groupBy } from "../../reports/grouping.ts";
import { readCsv } from "./csv.ts";
import { unknownName } from "./names.ts";
import { type Placed, parsePlaced, placedJson, readInput } from "./placed.ts";

const text = z.string().min(1, "must not be empty").max(200);
const amount = z.number().positive().max(1e9);

/** The records of each kind, with the field names of the specification. */
const KINDS = {
  customers: z.strictObject({ customerId: z.number(), email: is.emailAddress.exactOptional() }),
  plans: z.strictObject({ planId: z.number() }),
  channels: z.strictObject({ operation: z.enum(["qr", "card", "ndd"]), channel: text }),
  merchants: z.strictObject({ mch_no: text, sub_mch_no: text }),
  beneficiaries: z.strictObject({
    bankCode: text,
    bankName: text.exactOptional(),
    accountNumber: text,
    accountName: text,
    emailAddress: is.emailAddress.exactOptional(),
    amount: amount.exactOptional(),
  }),
  cards: z.strictObject({
    cardNumber: is.cardNumber,
    expiryMonth: text,
    expiryYear: text,
    cvv: z.string().regex(/^\d{3,4}$/, "must be 3 or 4 digits"),
  }),
} as const;

type Kind = keyof typeof KINDS;
const KIND_NAMES = Object.keys(KINDS) as Kind[];
const MAX_RECORDS = 100_000;

/** The operator's records, of which requests are made. */
export type LoadData = { readonly [K in Kind]?: readonly z.infer<(typeof KINDS)[K]>[] };

/** Records of one kind have the same fields, because a request either has a field or lacks it. */
const recordsOf = <S extends z.ZodObject>(schema: S) =>
  z
    .array(schema)
    .min(1, "must have at least one record")
    .max(MAX_RECORDS)
    .superRefine((records, context) => {
      const fields = (record: object) => Object.keys(record).sort().join(", ");
      const [first] = records;
      const odd = records.findIndex((record) => first && fields(record) !== fields(first));
      if (first && odd > 0)
        context.addIssue({
          code: "custom",
          path: [odd],
          message: `all records of a kind must have the same fields, and the first one has ${fields(first)}`,
        });
    })
    .exactOptional();

function schemaFor(confirmedCard: string | undefined) {
  const card = KINDS.cards.refine(({ cardNumber }) => isTestCard(cardNumber, confirmedCard), {
    path: ["cardNumber"],
    message:
      "is not a published test number: set CARD_IS_TEST=<its last four digits> to confirm that it is not a real card",
  });
  return z.strictObject({
    customers: recordsOf(KINDS.customers),
    plans: recordsOf(KINDS.plans),
    channels: recordsOf(KINDS.channels),
    merchants: recordsOf(KINDS.merchants),
    beneficiaries: recordsOf(KINDS.beneficiaries),
    cards: recordsOf(card),
  });
}

/**
 * Reads the file that DATA names: JSON, or CSV whose first column `kind` says what a row is. Throws a
 * {@link CommandError}: 3 for a live key in it, 2 with the line of each other problem.
 */
export function readData({ values }: Target): LoadData | undefined {
  const { DATA: path } = values;
  if (path === undefined) return undefined;
  const content = readInput("DATA", path);
  const placed = /\.csv$/i.test(path) ? placedCsv(path, content) : placedJson("DATA", path, content);
  // The text was searched as well, but JSON may write a letter as an escape.
  if (holdsLiveKey(JSON.stringify(placed.value)))
    throw new CommandError(3, [liveKeyIn(["the file of DATA"])]);
  return parsePlaced("DATA", path, placed, schemaFor(values.CARD_IS_TEST));
}

const NUMBERS: readonly string[] = ["customerId", "planId", "amount"];

/** Groups the rows of a CSV file by their kind; an empty cell is an absent field. */
function placedCsv(path: string, content: string): Placed {
  const rows = readCsv(content);
  const refuse = (line: number, problem: string) =>
    new CommandError(2, [`DATA: ${path} line ${line}: ${problem}`]);
  if ("badLine" in rows)
    throw refuse(rows.badLine, "a quoted cell does not end where a comma or a line ends");
  const [head, ...records] = rows;
  if (head?.cells[0] !== "kind")
    throw refuse(
      1,
      `the first row must name the columns, the first of them kind: kind,bankCode,accountNumber,accountName`,
    );
  const placed = records.map(({ line, cells }) => {
    const [kind = ""] = cells;
    if (!(kind in KINDS)) throw refuse(line, unknownName("kind", kind, KIND_NAMES));
    if (cells.length !== head.cells.length)
      throw refuse(line, `the row has ${cells.length} cells, and the first row has ${head.cells.length}`);
    const named = head.cells.map((name, column) => [name, cells[column] ?? ""] as const).slice(1);
    const fields = named.filter(([, cell]) => cell !== "").map(([name, cell]) => [name, cellOf(name, cell)]);
    return { kind, line, record: Object.fromEntries(fields) as unknown };
  });
  const byKind = groupBy(placed, ({ kind }) => kind);
  return {
    value: Object.fromEntries([...byKind].map(([kind, rows]) => [kind, rows.map(({ record }) => record)])),
    lineOf: ([kind, index]) => byKind.get(String(kind))?.[Number(index ?? 0)]?.line ?? 1,
  };
}

const cellOf = (name: string, cell: string) =>
  NUMBERS.includes(name) && /^-?\d+(\.\d+)?$/.test(cell) ? Number(cell) : cell;

/** The target with the first records of DATA in place of the variables that hold one, and with their secrets. */
export function withData(target: Target, data: LoadData): Target {
  const [customer] = data.customers ?? [];
  const [plan] = data.plans ?? [];
  const [merchant] = data.merchants ?? [];
  const [payee] = data.beneficiaries ?? [];
  const [card] = data.cards ?? [];
  const channel = (operation: "qr" | "card" | "ndd") =>
    data.channels?.find((one) => one.operation === operation)?.channel;
  const first = {
    CUSTOMER_ID: customer?.customerId,
    PLAN_ID: plan?.planId,
    QR_CHANNEL: channel("qr"),
    CARD_CHANNEL: channel("card"),
    NDD_CHANNEL: channel("ndd"),
    MCH_NO: merchant?.mch_no,
    SUB_MCH_NO: merchant?.sub_mch_no,
    BANK_CODE: payee?.bankCode,
    ACCOUNT_NUMBER: payee?.accountNumber,
    ACCOUNT_NAME: payee?.accountName,
    EMAIL_ADDRESS: payee?.emailAddress ?? customer?.email,
    TRANSFER_AMOUNT: payee?.amount,
    CARD_NUMBER: card?.cardNumber,
    CARD_EXPIRY_MONTH: card?.expiryMonth,
    CARD_EXPIRY_YEAR: card?.expiryYear,
    CARD_CVV: card?.cvv,
  };
  const given = Object.entries(first).filter(([, value]) => value !== undefined);
  const values = { ...target.values, ...Object.fromEntries(given) };
  return { ...target, values, secrets: [...target.secrets, ...secretsIn(data)] };
}

/** No file of a run holds a request, and a defect that writes one would write these as well. */
const SEARCHED_RECORDS = 20;
const SECRET_FIELDS: readonly string[] = ["accountNumber", "emailAddress", "email", "cardNumber", "cvv"];

function secretsIn(data: LoadData) {
  return Object.entries(data).flatMap(([kind, records]) =>
    (records as readonly object[])
      .slice(0, SEARCHED_RECORDS)
      .flatMap((record, index) =>
        Object.entries(record).flatMap(([field, value]) =>
          SECRET_FIELDS.includes(field)
            ? [{ name: `DATA.${kind}[${index}].${field}`, value: String(value) }]
            : [],
        ),
      ),
  );
}
