import { expect, test } from "vitest";
import { ATTACKS } from "./attacks.ts";
import { tryAttack } from "./try-attack.ts";

test("the attacks are many, and each has a name of its own", () => {
  const names = ATTACKS.map(({ name }) => name);

  expect(names.length).toBeGreaterThan(200);
  expect(new Set(names).size).toBe(names.length);
});

/** One of each kind; `npm run attacks` tries all. */
test.each([
  "body/data-in-a-prototype",
  "bomb/gzip",
  "paid/and-then-it-says-400",
  "payload/escape-sequence",
  "echo/in-the-identifier",
])("%s does no harm", async (name) => {
  const attack = ATTACKS.find((one) => one.name === name);

  expect(attack && (await tryAttack(attack)).complaints).toEqual([]);
});
