import type { z } from "zod";
import type { RequirementId } from "./requirements.ts";

/** HTTP method and path of an operation, as section 4 writes them. */
export type Route = `${"GET" | "POST" | "PUT"} /${string}`;

/** What a call does to the deployment: nothing, a new record, a changed record, or money on the move. */
export type Effect = "read" | "create" | "update" | "money";

/** Stands in a {@link Change} for a value that is new in every request: a reference, a link, a code. */
export const FRESH: unique symbol = Symbol("fresh");

/** An identifier that no deployment is expected to hold, within 32 bits. */
export const UNKNOWN_ID = 2_147_480_000;

/** What to alter in a valid request. A member that is `undefined` is left out; `body: null` sends no body at all. */
export interface Change {
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: Readonly<Record<string, unknown>> | null;
  /** The body where the operator gave none; it reaches no record of the operator's. */
  readonly bodyIfNone?: Readonly<Record<string, unknown>>;
}

/** A condition that the specification ties to one status code and, where it shows one, to one body. */
export interface Bound {
  readonly id: string;
  readonly change: Change;
  readonly status: number;
  /** The body the specification shows for this answer; absent where it shows none. */
  readonly shape?: z.ZodType;
  /** Variables without which the condition cannot be met (a subscription that exists, a link that is taken). */
  readonly needs?: readonly string[];
  readonly requirements: readonly RequirementId[];
}

/** When an answer means that the operation was carried out: the status, then what its body must hold. */
export interface Success {
  readonly status: number | "2xx";
  /** A field that only a successful body has. */
  readonly has?: string;
  /** A field and the value that only a successful body has. */
  readonly equals?: { readonly field: string; readonly value: boolean };
}

/** One operation of section 4, all data. Everything else in the suite follows from these. */
export interface Definition {
  readonly id: string;
  readonly section: `4.${number}`;
  readonly summary: string;
  readonly effect: Effect;
  readonly contentType: "none" | "application/json" | "multipart/form-data";
  readonly path?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodObject;
  /** Variables of the configuration that a valid request is built from. */
  readonly needs: readonly string[];
  /** Documented bodies by status code; `any` is the success body where the specification shows no codes. */
  readonly responses: { readonly [status: number]: z.ZodType; readonly any?: z.ZodType };
  /** The documented error body of an operation whose codes are not shown. */
  readonly refusal?: z.ZodType;
  /** The widest success body that is no violation, where it is wider than the documented one. */
  readonly tolerated?: z.ZodType;
  readonly success: Success;
  /** A field and its values that make a body with the identifier the record of a refusal. */
  readonly recordedRefusal?: { readonly field: string; readonly values: readonly string[] };
  /** A request holds a card number and its security code, which must not travel in the clear (PCI DSS 4.2.1). */
  readonly carriesCard?: true;
  /** A list: whether limit and page choose its window, and the query parameter whose odd value finds nothing. */
  readonly list?: {
    readonly paged: boolean;
    readonly search: string;
    /** Proved by the size of pages, and by what page selects. */
    readonly requirements: {
      readonly limit: readonly RequirementId[];
      readonly page: readonly RequirementId[];
    };
  };
  readonly bound: readonly Bound[];
  readonly requirements: {
    /** Proved by a valid request that succeeds. */
    readonly success: readonly RequirementId[];
    /** Proved by refusing a request without a required field. */
    readonly required?: readonly RequirementId[];
    /** Proved by refusing a value of the wrong type. */
    readonly types?: readonly RequirementId[];
    /** Proved by the body of a refusal. */
    readonly refusal?: readonly RequirementId[];
    /** Proved by refusing a request without a valid token, beyond what holds of every operation. */
    readonly authentication?: readonly RequirementId[];
  };
}

type Exact<D> = { readonly [K in Exclude<keyof D, keyof Definition>]: never };

/** Declares the operation at `route`; unknown properties do not compile. */
export function operation<const R extends Route, const D extends Definition>(
  route: R,
  definition: D & Exact<D>,
): D & { readonly method: MethodOf<R>; readonly route: PathOf<R> } {
  const [method, path] = route.split(" ") as [MethodOf<R>, PathOf<R>];
  return { ...definition, method, route: path };
}

type MethodOf<R extends Route> = R extends `${infer M} ${string}` ? M : never;
type PathOf<R extends Route> = R extends `${string} ${infer P}` ? P : never;

/** Any declared operation, for code that treats all alike. */
export type Operation = Definition & { readonly method: string; readonly route: string };
