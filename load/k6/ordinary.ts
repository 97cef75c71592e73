import { REFERENCE } from "./templates/template.ts";

/** A value of a request that the operator gives, or that is new in every request. */
export type Source =
  | { readonly new: "reference" }
  | {
      readonly variable: string;
      readonly type: "text" | "number" | "boolean" | "json" | "list";
      readonly required?: true;
      /** Sends digits as a number if this variable is true. */
      readonly numberIf?: string;
      readonly otherwise?: unknown;
    };

/** The ordinary request of an operation, as the contract declares it; several parts of a body are merged. */
export interface Ordinary {
  readonly route: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body?: readonly unknown[];
  /** The amount of the body is in the currency's subunit. */
  readonly inSubunits?: true;
  /** By the id of a condition: the members that make the request wrong; one that is `null` is left out. */
  readonly refusals: Readonly<Record<string, Changed>>;
}

interface Changed {
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Fills ordinary requests from the environment; collects the variables that they lack. */
export class Filler {
  readonly missing = new Set<string>();
  readonly #environment: Environment;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** The members of an object, without those that have no value. */
  members(part: unknown): Record<string, unknown> {
    const value = this.valueOf(part);
    const entries = Object.entries(value as Readonly<Record<string, unknown>>);
    return Object.fromEntries(
      entries.map(([name, one]) => [name, this.valueOf(one)]).filter(([, one]) => one !== undefined),
    );
  }

  valueOf(value: unknown): unknown {
    if (typeof value !== "object" || value === null) return value;
    if ("new" in value) return REFERENCE;
    if (!("variable" in value)) return value;
    const source = value as Extract<Source, { variable: string }>;
    const text = this.#environment[source.variable];
    if (text !== undefined && text !== "") return this.#read(source, text);
    if (source.required) this.missing.add(source.variable);
    return this.valueOf(source.otherwise);
  }

  #read({ type, numberIf }: Extract<Source, { variable: string }>, text: string): unknown {
    if (numberIf !== undefined && this.#environment[numberIf] === "true")
      return Number(text.replace(/[ -]/g, ""));
    if (type === "number") return Number(text);
    if (type === "boolean") return text === "true";
    if (type === "json") return JSON.parse(text) as unknown;
    return type === "list" ? text.split(",")[0]?.trim() : text;
  }
}
