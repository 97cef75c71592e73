import { z } from "zod";
import type { Target } from "../../fixtures/engine/config/target.ts";
import * as is from "../../fixtures/engine/config/variable-types.ts";
import { readJsonFile } from "../../reports/command-line/json-file.ts";
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

/** Reads the JSON file that DATA names; throws a `CommandError` (2) with the place of a problem. */
export const readData = ({ values: { DATA: path } }: Target): Pools =>
  path === undefined ? {} : readJsonFile("DATA", path, Data, "load/README.md has an example");
