/** JSON kinds that a field may have; none means that any value will do as long as the field is there. */
export type Fields = Readonly<Record<string, readonly string[]>>;

/** What k6 has to know of one operation: how to call it and how to tell its answers apart. */
export interface RequestRow {
  readonly method: "GET" | "POST" | "PUT";
  readonly path: string;
  readonly contentType: "none" | "application/json" | "multipart/form-data";
  readonly effect: "read" | "create" | "update" | "money";
  /** Statuses of a success, and the field (or field and value) that only a successful body has. */
  readonly success: {
    readonly from: number;
    readonly to: number;
    readonly has?: string;
    readonly equals?: { readonly field: string; readonly value: boolean };
  };
  /** Fields of a successful body. */
  readonly accepted: Fields;
  /** Refusals whose body the specification shows. */
  readonly refusals: readonly { readonly from: number; readonly to: number; readonly fields: Fields }[];
}
