import { defectOf } from "./changes.ts";
import type { BoundCondition, Defect, Operation } from "./operation.ts";
import { fieldsOf, strictProbes } from "./probes.ts";
import type { RequirementId } from "./requirements.ts";

/** A request with a mistake that makes it invalid, or with two. */
interface Mistake extends Defect {
  /** MUST if the mistake alone must be rejected. */
  readonly level: "MUST" | "SHOULD";
  readonly requirements: readonly RequirementId[];
  /** The response to the request, if the specification ties the mistake to it. */
  readonly bound?: Pick<BoundCondition, "status" | "shape">;
}

/** Combines two mistakes in different fields: one missing field and one wrong type where there are both. */
export function twoMistakes(operation: Operation): Mistake | undefined {
  const mistakes = mistakesOf(operation);
  const pairs = mistakes.flatMap((first) =>
    mistakes.filter((second) => areApart(first, second)).map((second) => [first, second] as const),
  );
  const [best] = pairs.toSorted((one, other) => worth(other) - worth(one));
  return best && combined(...best);
}

function mistakesOf(operation: Operation): Mistake[] {
  const { bound, rejects = [], requirements, fieldProbes } = operation;
  if (fieldProbes === "none") return [];
  const { required = [], types = [] } = requirements;
  return [
    ...bound.map(({ change, what, requirements, status, shape }) => ({
      ...{ change, what, requirements, level: "MUST" as const, bound: { status, shape } },
    })),
    ...rejects.map((defect) => ({ ...defect, level: "MUST" as const, requirements: required })),
    ...strictProbes(operation).flatMap(({ level, requirements, defects }) =>
      defects.flatMap((defect) =>
        level === "MUST" || (level === "SHOULD" && defect.change.body)
          ? [{ ...defect, level, requirements }]
          : [],
      ),
    ),
    ...numbersOfForm(operation).map((defect) => ({
      ...defect,
      level: "SHOULD" as const,
      requirements: types,
    })),
    // A server may not find a path whose parameter is wrong.
  ].filter(({ change }) => !change.path);
}

/** The encoding of numbers in a form is open (G15), but no encoding makes a number of these letters. */
const numbersOfForm = (operation: Operation): Defect[] =>
  fieldsOf(operation, "body").flatMap(({ field, type, isRequired }) =>
    operation.multipart && type === "number" && !isRequired ? [defectOf({ body: { [field]: "abc" } })] : [],
  );

const membersOf = ({ change: { query, body } }: Defect) => Object.entries({ ...query, ...body });

function areApart(first: Defect, second: Defect): boolean {
  const fields = membersOf(first).map(([field]) => field);
  return fields.length > 0 && membersOf(second).every(([field]) => !fields.includes(field));
}

const isBound = (first: Mistake, second: Mistake) =>
  first.bound !== undefined && first.bound.status === second.bound?.status;

/** How well a pair shows how the operation handles two mistakes. */
function worth([first, second]: readonly [Mistake, Mistake]): number {
  const has = (mistake: Mistake, value: unknown) => membersOf(mistake).some(([, found]) => found === value);
  const isMust = first.level === "MUST";
  const points = [isMust, isBound(first, second), has(first, undefined), has(second, "abc")];
  return points.reduce((sum, holds) => 2 * sum + Number(holds), 0);
}

function combined(first: Mistake, second: Mistake): Mistake {
  const both = (part: "query" | "body") =>
    first.change[part] || second.change[part]
      ? { [part]: { ...first.change[part], ...second.change[part] } }
      : {};
  return {
    ...defectOf({ ...both("query"), ...both("body") }),
    level: first.level,
    requirements: [...new Set([...first.requirements, ...second.requirements])],
    ...(isBound(first, second) && first.bound && { bound: first.bound }),
  };
}
