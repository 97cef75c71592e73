import { rowAt } from "../k6/templates/pool.ts";
import { Schedule } from "../k6/traffic/schedule.ts";
import type { Records } from "../results/result.ts";
import type { Prepared, PreparedStep } from "./templates.ts";

/** Counts the different customers and beneficiaries that the requests of a run name. */
export function recordsIn({ steps, pools }: Prepared, iterations: number): Records {
  const schedule = new Schedule(steps);
  const named = { customerId: new Set<string>(), email: new Set<string>(), accountNumber: new Set<string>() };
  for (let iteration = 0; iteration < iterations; iteration += 1) {
    const { step, origin } = schedule.requestAt(iteration);
    for (const [field, names] of Object.entries(named))
      if (step.template.body?.includes(`"${field}":`)) names.add(nameIn(step, field, pools, origin));
  }
  // Only a virtual account names its customer by an e-mail address.
  const customers = named.customerId.size || named.email.size;
  const beneficiaries = named.accountNumber.size;
  return { ...(customers > 0 && { customers }), ...(beneficiaries > 0 && { beneficiaries }) };
}

/** The value that tells a record apart; without a pool, it is always the operator's. */
function nameIn({ pooled }: PreparedStep, field: string, pools: Prepared["pools"], origin: number): string {
  const [kind = "", member = ""] = pooled[field]?.split(".") ?? [];
  return rowAt(pools[kind] ?? [], origin)?.[member] ?? field;
}
