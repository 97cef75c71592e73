/** Placeholder for a value that is new in every request: a reference, a link, a code. */
export const FRESH: unique symbol = Symbol("fresh");

/** Placeholder for a value that is new in every request, written in an unusual way. */
export interface FreshAs {
  readonly freshAs: (fresh: string) => string;
}

export const isFreshAs = (value: unknown): value is FreshAs =>
  typeof value === "object" && value !== null && "freshAs" in value;

/** Placeholder for an invented address under example.com, so that no stranger gets mail. */
export const INVENTED_EMAIL: unique symbol = Symbol("invented e-mail address");

/** Placeholder for a value of a kind that has several forms. */
export interface Invented {
  readonly invented: Kind;
  readonly isNew?: true;
  readonly inDays?: number;
}

export const isInvented = (value: unknown): value is Invented =>
  typeof value === "object" && value !== null && "invented" in value;

/** Placeholders for a note that names the run, and for one that {@link FRESH} follows. */
export const NOTE: Invented = { invented: "note" };
export const FRESH_NOTE: Invented = { invented: "note", isNew: true };

/** Placeholders for the IP address of a customer, and for the address to which a page sends its payers. */
export const IP_ADDRESS: Invented = { invented: "ipAddress" };
export const REDIRECT_LINK: Invented = { invented: "redirect" };

/** Placeholders for the dates, in the near future, between which a discount code is valid. */
export const START_DATE: Invented = { invented: "date", inDays: 1 };
export const END_DATE: Invented = { invented: "date", inDays: 30 };

/**
 * The kinds of values that the suite invents: the forms in which it writes them, the usual one first, and the variable with
 * which the operator chooses a form or gives the value. The specification gives no rules for them, so a deployment may
 * refuse one form and accept another; `none` leaves the field out.
 */
export const INVENTED = {
  reference: { variable: "REFERENCE_FORM", forms: ["plain", "uuid", "digits", "short"] },
  accountReference: { variable: "REFERENCE_FORM", forms: ["plain", "uuid", "digits", "short", "none"] },
  code: { variable: "CODE_FORM", forms: ["plain", "short"] },
  link: { variable: "LINK_FORM", forms: ["plain", "short"] },
  search: { variable: "SEARCH_FORM", forms: ["plain", "letters"] },
  note: { variable: "NOTE_FORM", forms: ["full", "plain", "letters", "none"] },
  ipAddress: { variable: "IP_ADDRESS", forms: ["example", "public", "none"] },
  redirect: { variable: "REDIRECT_LINK", forms: ["example", "own", "none"] },
  date: { variable: "DISCOUNT_DATE_FORMAT", forms: ["YYYY-MM-DD", "YYYY-MM-DDT00:00:00Z", "DD/MM/YYYY"] },
} as const satisfies Readonly<Record<string, { variable: string; forms: readonly string[] }>>;

export type Kind = keyof typeof INVENTED;

/** The kinds of values that are new in every request. */
export type FreshKind = "reference" | "accountReference" | "code" | "link" | "search";

/** The kind of value that a placeholder asks for; `undefined` if the value is not invented. */
export function kindOf(value: unknown, fresh: FreshKind = "reference"): Kind | undefined {
  if (value === FRESH) return fresh;
  return isInvented(value) ? value.invented : undefined;
}

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

/** Takes a variable that every valid request needs; `otherwise` keeps a request without it well formed. */
export const given = <const N extends string>(
  variable: N,
  more: Pick<Given, "otherwise" | "member"> = {},
): Given<N> => ({ variable, required: true, ...more });

/** Takes a field of the operator's card, whose JSON types section 4.3 leaves open. */
export const givenCard = <const N extends string>(variable: N): Given<N> => ({
  ...given(variable),
  numberIf: "CARD_AS_NUMBERS",
});

export const givenOr = <const N extends string>(
  variable: N,
  otherwise: unknown,
  more: Pick<Given, "member"> = {},
): Given<N> => ({ variable, required: false, otherwise, ...more });

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
        ? { [K in keyof T]-?: VariablesOf<T[K]> }[keyof T]
        : never;

/** The members of a template by name, each as it is declared; the parts of which only the operator knows the members are left out. */
export function membersOf(template: Template = {}): Readonly<Record<string, unknown>> {
  if (Array.isArray(template)) return Object.assign({}, ...template.map(membersOf));
  return isGiven(template) ? {} : (template as Readonly<Record<string, unknown>>);
}

export const isGiven = (value: unknown): value is Given =>
  typeof value === "object" && value !== null && "variable" in value && "required" in value;

/** The variables without which `recipe` makes no valid request, each once. */
export const requiredVariables = (recipe: unknown): string[] => [
  ...new Set(givens(recipe).flatMap(({ variable, required }) => (required ? [variable] : []))),
];

/** Every variable that `recipe` uses, each once. */
export const usedVariables = (recipe: unknown): string[] => [
  ...new Set(givens(recipe).flatMap(({ variable, numberIf = [] }) => [variable].concat(numberIf))),
];

function givens(recipe: unknown): Given[] {
  if (isGiven(recipe)) return [recipe, ...givens(recipe.otherwise)];
  return typeof recipe === "object" && recipe !== null ? Object.values(recipe).flatMap(givens) : [];
}
