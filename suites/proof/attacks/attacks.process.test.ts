import { expect, test, vi } from "vitest";
import { ATTACKS } from "./attacks.ts";
import { tryAttack } from "./try-attack.ts";

vi.setConfig({ testTimeout: 300_000 });

test("the attacks are many, and each has a name of its own", () => {
  const names = ATTACKS.map(({ name }) => name);

  expect(names.length).toBeGreaterThan(150);
  expect(new Set(names).size).toBe(names.length);
});

test.each(ATTACKS.filter(({ fast }) => fast).map((attack) => [attack.name, attack] as const))(
  "%s does no harm",
  async (_, attack) => {
    const { complaints } = await tryAttack(attack);

    expect(complaints).toEqual([]);
  },
);
