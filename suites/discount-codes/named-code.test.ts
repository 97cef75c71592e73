import { expect, test } from "vitest";
import { placeOf } from "./named-code.ts";

const item = (id: number, others: object = {}) => ({
  id,
  code: `C-${id}`,
  value: 5,
  productId: 7,
  ...others,
});
const ITEMS = [item(5), item(6), { ...item(7), productId: 5 }];

test.each([
  ["under the same name", "id", 5, "id"],
  ["under another name, as text", "discountCode", "C-6", "code"],
  ["in no field that is no identifier", "value", 5, "id"],
  ["only once, since several items share it", "productId", 7, "id"],
  ["under its own name first", "productId", 5, "productId"],
  ["nowhere", "id", 99, undefined],
])("an identifier of an update is found %s", (_, name, value, place) => {
  expect(placeOf(ITEMS, name, value)).toBe(place);
});

test("an identifier is found in records that an item wraps", () => {
  const wrapped = [{ attributes: item(5) }, { attributes: item(6) }];

  expect(placeOf(wrapped, "id", 6)).toBe("attributes.id");
});
