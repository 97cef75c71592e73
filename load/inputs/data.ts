import { z } from "zod";
import type { Target } from "../../fixtures/engine/config/target.ts";
import * as is from "../../fixtures/engine/config/variable-types.ts";
import { CommandError } from "../../reports/command-line/command.ts";
import { readJsonFile } from "../../reports/command-line/json-file.ts";
import { holdsLiveKey, liveKeyIn } from "../../reports/command-line/live-keys.ts";
import { operations } from "../../schemas/contract.ts";
import type { Pools } from "../k6/requests.ts";

const text = z.string().min(1, "must not be empty").max(200);

const MAX_RECORDS = 100_000;

/** Fields of a body that differ between requests: not those by which the suite finds a payment again. */
const Fields = z.strictObject({
  customerId: z.number().exactOptional(),
  planId: z.number().exactOptional(),
  bankCode: text.exactOptional(),
  bankName: text.exactOptional(),
  accountNumber: text.exactOptional(),
  accountName: text.exactOptional(),
  email: is.emailAddress.exactOptional(),
  emailAddress: is.emailAddress.exactOptional(),
  amount: z.number().positive().max(1e9).exactOptional(),
});

const PAYING = operations.filter(({ effect }) => effect === "money").map(({ id }) => id);

const Data = z.partialRecord(
  z.enum(PAYING),
  z.array(Fields).min(1, "must have at least one record").max(MAX_RECORDS),
);

/** Reads the JSON file that DATA names. Throws a {@link CommandError}: 3 for a live key in it, 2 for another problem. */
export function readData({ values: { DATA: path } }: Target): Pools {
  if (path === undefined) return {};
  const data = readJsonFile("DATA", path, Data, "load/README.md has an example");
  // The text was searched as well, but JSON may write a letter as an escape.
  if (holdsLiveKey(JSON.stringify(data))) throw new CommandError(3, [liveKeyIn(["the file of DATA"])]);
  return data;
}

/** No file of a run holds a request, and a defect that writes one would write these as well. */
const SEARCHED_RECORDS = 20;

/** The values in the first records of DATA that no file of a run may show. */
export const secretsIn = (data: Pools) =>
  Object.entries(data).flatMap(([operation, records]) =>
    records.slice(0, SEARCHED_RECORDS).flatMap((record, index) =>
      ["accountNumber", "emailAddress", "email"].flatMap((field) => {
        const value = record[field];
        return value === undefined
          ? []
          : [{ name: `DATA.${operation}[${index}].${field}`, value: String(value) }];
      }),
    ),
  );
