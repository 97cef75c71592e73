import type { VariableName } from "../../fixtures/config/variables.ts";
import type { Client } from "../../fixtures/http/client.ts";
import type { Change } from "../../schemas/operation.ts";
import { FRESH } from "../../schemas/recipe.ts";
import type { OperationName } from "../k6/generated/requests.ts";
import { REFERENCE, type Template } from "../k6/settings.ts";
import type { WorkloadName } from "../k6/workloads.ts";
import { workloads } from "../k6/workloads.ts";

/** How each operation of a workload is called, and what that needs. */
export interface Prepared {
  readonly templates: Readonly<Partial<Record<OperationName, Template>>>;
  /** Amount that one accepted request moves, as sent, by operation. */
  readonly stakes: ReadonlyMap<OperationName, number>;
  /** Variables without which the workload cannot be sent. */
  readonly missing: readonly VariableName[];
}

/** What a workload's request differs in from the ordinary valid one: a lookup asks for the iteration's reference. */
const CHANGES: Partial<Record<OperationName, Change>> = {
  listTransfers: { query: { transferReference: FRESH, limit: 5, page: 1 } },
};

/** Makes the request templates of a workload from the operator's data; k6 only fills in references. */
export async function prepare(client: Client, workload: WorkloadName): Promise<Prepared> {
  const templates: Partial<Record<OperationName, Template>> = {};
  const stakes = new Map<OperationName, number>();
  const missing = new Set<VariableName>();
  for (const operation of operationsOf(workload)) {
    const built = client.builder.build(operation, CHANGES[operation]);
    const { request } = await client.prepare(operation, built, "load");
    const withReference = (text: string) => text.replaceAll(built.reference, REFERENCE);
    templates[operation] = {
      url: withReference(request.origin + request.path),
      headers: Object.fromEntries(request.headers.filter(([name]) => name !== "X-Request-Id")),
      body: request.body ? withReference(request.body.toString("utf8")) : null,
    };
    if (built.stake !== undefined) stakes.set(operation, built.stake);
    for (const name of built.missing) missing.add(name);
  }
  return { templates, stakes, missing: [...missing] };
}

/** Operations of a workload, each once. */
export const operationsOf = (workload: WorkloadName): OperationName[] => [
  ...new Set(workloads[workload].map(({ operation }) => operation)),
];
