import { describeChange } from "./changes.ts";
import type { BoundCondition, Change, Defect, Operation } from "./operation.ts";
import { fieldProbes, fieldsOf } from "./probes.ts";
import type { RequirementId } from "./requirements.ts";

/** A request with two mistakes, each of which alone makes it invalid. */
export interface TwoMistakes extends Defect {
  /** MUST if one of the mistakes alone must be rejected. */
  readonly level: "MUST" | "CRITICAL";
  readonly requirements: readonly RequirementId[];
  /** The first mistake alone. */
  readonly first: Defect;
  /** The answer to the request, if the specification ties both mistakes to it. */
  readonly bound?: Pick<BoundCondition, "status" | "shape">;
}

type Mistake = Omit<TwoMistakes, "first">;

/** Combines two mistakes in different fields: one missing field and one wrong type where there are both. */
export function twoMistakes(operation: Operation): TwoMistakes | undefined {
  const mistakes = mistakesOf(operation);
  const pairs = mistakes.flatMap((first) =>
    mistakes.filter((second) => areApart(first, second)).map((second) => [first, second] as const),
  );
  const [best] = pairs.toSorted((one, other) => worth(other) - worth(one));
  return best && combined(...best);
}

function mistakesOf(operation: Operation): Mistake[] {
  const { bound, rejects = [], requirements, fieldProbes: probing } = operation;
  if (probing === "none") return [];
  const { required = [], types = [] } = requirements;
  const fields = fieldProbes(operation).flatMap(({ kind, level, requirements, defects }) =>
    (level === "MUST" || level === "CRITICAL") && kind !== "type-lenient" && kind !== "empty"
      ? defects.map((defect) => ({ ...defect, level, requirements }))
      : [],
  );
  return [
    ...bound.map(({ change, what, requirements, status, shape }) => ({
      ...{ change, what, requirements, level: "MUST" as const, bound: { status, shape } },
    })),
    ...rejects.map((defect) => ({ ...defect, level: "MUST" as const, requirements: required })),
    ...fields,
    ...numbersOfForm(operation).map((change) => ({
      ...{ change, what: describeChange(change), level: "CRITICAL" as const, requirements: types },
    })),
    // A server may not find a path whose parameter is wrong.
  ].filter(({ change }) => !change.path);
}

/** The encoding of numbers in a form is open (G15), but no encoding makes a number of these letters. */
const numbersOfForm = (operation: Operation): Change[] =>
  operation.multipart
    ? fieldsOf(operation, "body").flatMap(({ field, type, isRequired }) =>
        type === "number" && !isRequired ? [{ body: { [field]: "abc" } }] : [],
      )
    : [];

const membersOf = ({ change: { query, body } }: Defect) => Object.entries({ ...query, ...body });

function areApart(first: Defect, second: Defect): boolean {
  const fields = membersOf(first).map(([field]) => field);
  return fields.length > 0 && membersOf(second).every(([field]) => !fields.includes(field));
}

/** How well a pair shows how the operation handles two mistakes. */
function worth([first, second]: readonly [Mistake, Mistake]): number {
  const has = (mistake: Mistake, value: unknown) => membersOf(mistake).some(([, found]) => found === value);
  return (
    (first.level === "MUST" ? 8 : 0) +
    (first.bound && first.bound.status === second.bound?.status ? 4 : 0) +
    (has(first, undefined) ? 2 : 0) +
    (has(second, "abc") ? 1 : 0)
  );
}

function combined(first: Mistake, second: Mistake): TwoMistakes {
  const change = {
    ...(first.change.query || second.change.query
      ? { query: { ...first.change.query, ...second.change.query } }
      : {}),
    ...(first.change.body || second.change.body
      ? { body: { ...first.change.body, ...second.change.body } }
      : {}),
  };
  const isBound = first.bound !== undefined && first.bound.status === second.bound?.status;
  return {
    change,
    what: describeChange(change),
    level: first.level,
    requirements: [...new Set([...first.requirements, ...second.requirements])],
    first,
    ...(isBound && first.bound && { bound: first.bound }),
  };
}
