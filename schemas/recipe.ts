/** Placeholder for a value that is new in every request: a reference, a link, a code. */
export const FRESH: unique symbol = Symbol("fresh");

/** Placeholder for a note that names the run. */
export const NOTE: unique symbol = Symbol("note");

/** Placeholder for {@link NOTE} followed by the request's {@link FRESH} value. */
export const FRESH_NOTE: unique symbol = Symbol("fresh note");

/** Placeholder for an invented address under example.com, so that no stranger gets mail. */
export const INVENTED_EMAIL: unique symbol = Symbol("invented e-mail address");

/** An identifier that no deployment is expected to have; it fits into 32 bits. */
export const UNKNOWN_ID = 2_147_480_000;

/** Placeholder for the value of a configuration variable, which the operator provides. */
export interface Given<N extends string = string> {
  readonly variable: N;
  /** The operation cannot be called validly without the variable. */
  readonly required: boolean;
  readonly otherwise?: unknown;
  /** Takes this member of the value, which is an object. */
  readonly member?: string;
  /** Sends the digits as a JSON number if this variable is true. */
  readonly numberIf?: string;
}

/** Takes a variable that every valid request needs; `standIn` keeps a request without it well formed. */
export const given = <const N extends string>(
  variable: N,
  { standIn, member }: { readonly standIn?: unknown; readonly member?: string } = {},
): Given<N> => ({ variable, required: true, otherwise: standIn, ...(member !== undefined && { member }) });

/** Takes a field of the operator's card, whose JSON types section 4.3 leaves open. */
export const givenCard = <const N extends string>(variable: N): Given<N> => ({
  variable,
  required: true,
  numberIf: "CARD_AS_NUMBERS",
});

export const givenOr = <const N extends string>(variable: N, otherwise: unknown): Given<N> => ({
  variable,
  required: false,
  otherwise,
});

/** The members of one part of a request; several objects are merged, the last one wins. */
export type Template = Given | Readonly<Record<string, unknown>> | readonly Template[];

export interface Recipe {
  readonly path?: Template;
  readonly query?: Template;
  readonly body?: Template;
}

export const FIRST_PAGE = { query: { limit: 5, page: 1 } } as const satisfies Recipe;

/** The variables that a recipe names, as a type. */
export type VariablesOf<T> =
  T extends Given<infer N>
    ? N
    : T extends readonly (infer Part)[]
      ? VariablesOf<Part>
      : T extends object
        ? { [K in keyof T]: VariablesOf<T[K]> }[keyof T]
        : never;

export const isGiven = (value: unknown): value is Given =>
  typeof value === "object" && value !== null && "variable" in value && "required" in value;

/** The variables without which `recipe` makes no valid request, each once. */
export const requiredVariables = (recipe: unknown): string[] => [
  ...new Set(givens(recipe).flatMap(({ variable, required }) => (required ? [variable] : []))),
];

/** Every variable that `recipe` uses, each once. */
export const usedVariables = (recipe: unknown): string[] => [
  ...new Set(
    givens(recipe).flatMap(({ variable, numberIf }) => (numberIf ? [variable, numberIf] : [variable])),
  ),
];

function givens(recipe: unknown): Given[] {
  if (isGiven(recipe)) return [recipe];
  return typeof recipe === "object" && recipe !== null ? Object.values(recipe).flatMap(givens) : [];
}
