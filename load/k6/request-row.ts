/** Fields of a body and the JSON types that each may have; an empty list allows any type. */
export type Fields = Readonly<Record<string, readonly string[]>>;

/** A range of status codes, both ends included. */
export interface StatusRange {
  readonly from: number;
  readonly to: number;
}

/** What k6 has to know about an operation: how to call it and how to classify its responses. */
export interface RequestRow {
  readonly method: "GET" | "POST" | "PUT";
  readonly path: string;
  readonly contentType: "none" | "application/json" | "multipart/form-data";
  readonly effect: "read" | "create" | "update" | "money";
  /** The statuses of a success, and the field (or the field and its value) that only a success body has. */
  readonly success: StatusRange & {
    readonly has?: string;
    readonly equals?: { readonly field: string; readonly value: boolean };
  };
  /** The fields of a success body. */
  readonly accepted: Fields;
  /** The rejections whose body is documented. */
  readonly rejections: readonly (StatusRange & { readonly fields: Fields })[];
}
