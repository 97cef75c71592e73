import { candidates, pathInRecord, scalars } from "../../fixtures/lists/json-pointer.ts";

/** Finds the first name in any list of the body. */
export const nameIn = (body: unknown) =>
  textAt(
    candidates(body).flatMap(({ items }) => items),
    /(name|title)$/i,
  );

/** Finds the first name of a product itself, and not of its category. */
export const ownNameIn = (products: readonly unknown[]) =>
  textAt(products, /^(product\.)?(product_?)?(name|title)$/i);

/** The first text with letters whose path in a record matches. */
const textAt = (records: readonly unknown[], place: RegExp) =>
  records
    .flatMap((record) => scalars(record))
    .filter(([path]) => place.test(pathInRecord(path)))
    .map(([, value]) => String(value))
    .find((text) => /^[A-Za-z ]*[A-Za-z]{3}/.test(text));
