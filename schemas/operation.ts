import type { z } from "zod";
import { isUndocumented, ReadEnvelope, ToleratedReadEnvelope } from "./bodies.ts";
import { type FreshKind, type Recipe, requiredVariables, type Template } from "./recipe.ts";
import type { RequirementId } from "./requirements.ts";
import type { FreeFields } from "./values.ts";

/** What a call does to the deployment: nothing, create a record, change a record, or move money. */
export type Effect = "read" | "create" | "update" | "money";

/** What to alter in a valid request. A member that is `undefined` is left out; `body: null` sends no body at all. */
export interface Change {
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: Readonly<Record<string, unknown>> | null;
  /** The body if the operator gave none; it must not match any of the operator's records. */
  readonly bodyIfNone?: Readonly<Record<string, unknown>>;
}

/** One way in which a request is wrong, and the sentence that says so: `customerId is missing`. */
export interface Defect {
  readonly change: Change;
  readonly what: string;
}

/** A condition that the specification ties to one status code and, if it shows one, to one body. */
export interface BoundCondition extends Defect {
  readonly id: string;
  readonly status: number;
  readonly requirements: readonly RequirementId[];
  /** The body documented for the status, which {@link operation} fills in. */
  readonly shape?: z.ZodType | undefined;
}

/** How to recognise that the operation was carried out: by the status, then by the body. */
export interface Success {
  readonly status: number | "2xx";
  readonly has?: string;
  readonly equals?: { readonly field: string; readonly value: boolean };
}

/** One operation of section 4, as data. Everything else in the suite is derived from these. */
export interface Definition {
  /** Method and path, as section 4 writes them. */
  readonly endpoint: `${"GET" | "POST" | "PUT"} /${string}`;
  readonly section: `4.${number}`;
  /** What the titles of checks call a request: "a transfer". */
  readonly noun: string;
  readonly effect: Effect;
  readonly path?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodObject;
  readonly multipart?: true;
  readonly ordinary: Recipe;
  /** Values for the optional fields that the ordinary request leaves out. */
  readonly optional?: Template;
  /** What the value is that is new in every request: a reference, unless this says otherwise. */
  readonly fresh?: FreshKind;
  /** Documented bodies by status code; `any` is the success body if the status codes are undocumented. */
  readonly responses: { readonly [status: number]: z.ZodType; readonly any?: z.ZodType };
  /** The documented error body of an operation whose status codes are undocumented. */
  readonly errorBody?: z.ZodType;
  /** The error body with the types that only section 7 shows; other types deserve a warning. */
  readonly errorInFull?: z.ZodType;
  /** The widest success body that is no violation, if it is wider than the documented one; reads have one anyway. */
  readonly tolerated?: z.ZodType;
  /** The body of a success about a record that exists, where other successes may have a wider one. */
  readonly found?: z.ZodType;
  /** What only the body of a success has; without it, the status alone shows a success. */
  readonly success?: Omit<Success, "status">;
  /** A field and its values that turn a body with the identifier into the record of a rejected request. */
  readonly recordedRejection?: { readonly field: string; readonly values: readonly string[] };
  /**
   * Fields without any one of which nothing can be carried out, however little the API validates: each needs a number
   * that can be one of the operator's, any text, or the name of a record that the suite did not make up. An operation
   * that does not declare them may act on every request.
   */
  readonly needsToAct?: Readonly<Record<string, "number" | "text" | "record">>;
  /** How much money a request can move. */
  readonly stake?: {
    readonly field: string;
    /** The amount is in the currency's subunit; every other one counts as an amount in its unit (G01). */
    readonly unit?: "subunit";
    /** Bodies that can move money; if absent, every body with all required variables. */
    readonly onlyIf?: z.ZodType;
  };
  /** Data that an accepted request uses up for good: the attached records, or one entry of a list of transactions. */
  readonly singleUse?: "attachment" | { readonly entryOf: string };
  /** The read that shows what the operation changes; it is sent first, so that there is something to compare with. */
  readonly shownBy?: string;
  /**
   * The read that finds a new record by a field that both requests have, and what it shows then. It is asked before the
   * record is made too: a deployment may remember what it returned.
   */
  readonly foundBy?: { readonly read: string; readonly field: string; readonly shows: string };
  /**
   * A field whose value can be used once, and requests that a deployment may reject only after most of its work, when it
   * has perhaps taken the value already: about a record that does not exist, or with a mistake at the end.
   */
  readonly takes?: { readonly field: string; readonly late: readonly Defect[] };
  /** The responses are about persons or money, so no cache may store them. */
  readonly private?: true;
  /** Requests hold a card number and its security code, which must not travel unencrypted (PCI DSS 4.2.1). */
  readonly carriesCard?: true;
  /** A body or query field that takes any text. */
  readonly freeText?: string;
  /** Fields that take any valid value, each with the kind of values that the suite sends in it. */
  readonly free?: FreeFields;
  /** A variable that allows writing odd values into the operator's record. */
  readonly expendable?: string;
  /** Wrong-type probes: values that no reading makes valid (`strict`), or none if the request is undocumented. */
  readonly fieldProbes?: "strict" | "none";
  /** Optional fields for whose wrong values the specification shows a rejection. */
  readonly refuses?: readonly string[];
  /** Requests that a conformant API rejects although no single field is at fault; other checks judge them. */
  readonly rejects?: readonly Defect[];
  /** A second name under which OUT_OF_SCOPE may exclude the operation. */
  readonly scope?: "discount-update";
  /** A list: the query parameter whose odd value finds nothing. */
  readonly list?: {
    readonly search: string;
    /** The fields of an item in which the search looks; without it, those with "name" in their name. */
    readonly at?: RegExp;
    /** The variable that holds a text by which the search finds something. */
    readonly known?: string;
    readonly item: string;
    /** If limit and page choose the window: what the size of pages proves, and what page selects. */
    readonly paged?: { readonly limit: readonly RequirementId[]; readonly page: readonly RequirementId[] };
  };
  readonly bound?: readonly BoundCondition[];
  readonly requirements: {
    /** Proved by a valid request that succeeds. */
    readonly success: readonly RequirementId[];
    /** Proved by rejecting a request without a required field. */
    readonly required?: readonly RequirementId[];
    /** Proved by rejecting a value of the wrong type. */
    readonly types?: readonly RequirementId[];
    /** Proved by the body of a rejection. */
    readonly rejection?: readonly RequirementId[];
    /** Proved by rejecting a request without a valid token, in addition to what holds for every operation. */
    readonly authentication?: readonly RequirementId[];
  };
}

type Exact<D> = { readonly [K in Exclude<keyof D, keyof Definition>]: never };

/** Declares an operation; unknown properties do not compile. */
export function operation<const D extends Definition>(definition: D & Exact<D>): D & Derived<D["endpoint"]> {
  const { endpoint, body, multipart, responses, bound = [] } = definition;
  const [method, route] = endpoint.split(" ") as EndpointParts<D["endpoint"]>;
  const type = multipart ? "multipart/form-data" : "application/json";
  const status = responses.any ? "2xx" : Number(Object.keys(responses).find((code) => code.startsWith("2")));
  return {
    ...definition,
    ...(responses[200] === ReadEnvelope && { tolerated: ToleratedReadEnvelope }),
    method,
    route,
    contentType: body ? type : "none",
    success: { status, ...definition.success },
    bound: bound.map((condition) => ({ ...condition, shape: documented(responses[condition.status]) })),
  };
}

const documented = (body?: z.ZodType) => (isUndocumented(body) ? undefined : body);

type EndpointParts<E> = E extends `${infer M} ${infer R}` ? [M, R] : never;

interface Derived<E extends string> {
  readonly method: EndpointParts<E>[0];
  readonly route: EndpointParts<E>[1];
  readonly contentType: "none" | "application/json" | "multipart/form-data";
  readonly success: Success;
  readonly bound: readonly BoundCondition[];
}

/** Any declared operation, for code that treats all alike. */
export type Operation = Definition & Derived<Definition["endpoint"]> & { readonly id: string };

/** The variables without which the operation cannot be called validly. */
export const neededVariables = ({ ordinary, singleUse }: Operation): string[] => [
  ...requiredVariables(ordinary),
  ...(typeof singleUse === "object" ? [singleUse.entryOf] : []),
];

/** Whether the specification marks a field of the body as required. */
export const marksRequired = ({ body }: Operation): boolean => body?.safeParse({}).success === false;

/** A condition about the record that the path names needs that record's variable, unless it changes the path. */
export const neededByCondition = ({ ordinary }: Operation, { change }: Defect): string[] =>
  change.path ? [] : requiredVariables(ordinary.path);

/** The documented error body of a response with this status; `undefined` if none is documented. */
export const errorSchema = ({ errorBody, responses }: Operation, status: number): z.ZodType | undefined =>
  errorBody ?? (status >= 400 ? responses[status] : undefined);

/** The bodies of all errors that the operation documents by status, or the one that it documents without. */
export const errorSchemas = ({ errorBody, responses }: Operation): z.ZodType[] =>
  errorBody
    ? [errorBody]
    : Object.entries(responses).flatMap(([status, schema]) => (Number(status) >= 400 ? [schema] : []));

/** The statuses in the operation's row of section 7; `undefined` if the table does not name the operation. */
export const listedStatuses = ({ responses }: Operation): number[] | undefined =>
  responses.any ? undefined : Object.keys(responses).map(Number);

/** Whether section 7 has a row for the operation, without a server error in it. */
export const listsNoServerError = (operation: Operation): boolean =>
  listedStatuses(operation)?.every((status) => status < 500) ?? false;

/** Whether 500 is the operation's only documented failure (section 4.7): there it is a rejection, not a crash. */
export const rejectsWith500 = ({ errorBody, responses }: Operation): boolean =>
  !errorBody &&
  500 in responses &&
  Object.keys(responses).every((code) => Number(code) < 400 || Number(code) >= 500);

const LIST = new Intl.ListFormat("en-GB");

/** Says what a change makes of a valid request: `limit and page are missing`, `amount is "abc"`. */
function describeChange({ path, query, body }: Change): string {
  const members = Object.entries({ ...path, ...query, ...body });
  const missing = members.flatMap(([name, value]) => (value === undefined ? [name] : []));
  const altered = members.flatMap(([name, value]) =>
    value === undefined ? [] : [`${name} is ${JSON.stringify(value)}`],
  );
  const verb = missing.length > 1 ? "are" : "is";
  const without = missing.length > 0 ? [`${LIST.format(missing)} ${verb} missing`] : [];
  return [...without, ...altered].join(", and ");
}

/** Makes the defect that a field of the body has this value, or is missing if that is `undefined`. */
export function fieldDefect(
  field: string,
  value: unknown,
  what = describeChange({ body: { [field]: value } }),
): Defect & { readonly field: string } {
  return { change: { body: { [field]: value } }, what, field };
}

/** Makes a defect that its change alone describes. */
export const defectOf = (change: Change): Defect => ({ change, what: describeChange(change) });

/** Makes a bound condition that its change alone describes. */
export const condition = (
  id: string,
  change: Change,
  status: number,
  requirements: readonly RequirementId[],
): BoundCondition => ({ id, ...defectOf(change), status, requirements });

/** The title of a check that a request with a defect is rejected. */
export function rejectionTitle(noun: string, what: string): string {
  const [, missing] = /^(\w+(?:(?:, | and )\w+)*) (?:is|are) missing$/.exec(what) ?? [];
  return missing ? `refuses ${noun} without ${missing}` : `refuses ${noun} when ${what}`;
}
