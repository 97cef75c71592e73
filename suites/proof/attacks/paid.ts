import type { Sandbox } from "../../../fixtures/sandbox/service/server.ts";
import { contract } from "../../../schemas/contract.ts";

/** The number and the sum of some payments. */
export interface Paid {
  readonly count: number;
  readonly total: number;
}

/** What a sandbox has paid by transfers since it was seeded, as its own list says. */
export async function paidBy({ url, env }: Pick<Sandbox, "url" | "env">): Promise<Paid> {
  const path = `${contract.listTransfers.route}?limit=100000&page=1`;
  const answer = await fetch(url + path, { headers: { Authorization: `Bearer ${env.SECRET_KEY}` } });
  const rows = rowsIn(await answer.json());
  return { count: rows.length, total: rows.reduce((sum, { amount }) => sum + Number(amount), 0) };
}

/** The first array below a value. */
function rowsIn(value: unknown): { readonly amount: unknown }[] {
  if (Array.isArray(value)) return value;
  if (typeof value !== "object" || value === null) return [];
  const [found = []] = Object.values(value)
    .map(rowsIn)
    .filter((rows) => rows.length > 0);
  return found;
}
