import type { VariableName } from "../../fixtures/config/variables.ts";
import type { Client } from "../../fixtures/http/client.ts";
import type { Change } from "../../schemas/operation.ts";
import { FRESH } from "../../schemas/recipe.ts";
import type { OperationName } from "../k6/generated/requests.ts";
import { REFERENCE, type Template } from "../k6/settings.ts";
import { type WorkloadName, workloads } from "../k6/workloads.ts";

/** The request templates of a workload, and what they need. */
export interface Prepared {
  readonly templates: Readonly<Partial<Record<OperationName, Template>>>;
  /** The amount, as sent, that one accepted request moves, by operation. */
  readonly stakes: ReadonlyMap<OperationName, number>;
  /** The variables that are not set and that the workload needs. */
  readonly missing: readonly VariableName[];
}

/** What a load changes in the ordinary request of an operation: a lookup asks for the reference of its iteration. */
const CHANGES: Partial<Record<OperationName, Change>> = {
  listTransfers: { query: { transferReference: FRESH, limit: 5, page: 1 } },
};

/** Makes the request templates of a workload from the operator's data; k6 only fills in the references. */
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

export const operationsOf = (workload: WorkloadName): OperationName[] => [
  ...new Set(workloads[workload].map(({ operation }) => operation)),
];
