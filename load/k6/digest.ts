const LENGTH = 16;

/**
 * Makes digests of identifiers that a target returned, which may be secrets or megabytes long: what is logged of them only
 * has to show which ones are the same. `sha256` returns hexadecimal digits. Other values have no digest.
 */
export const digestWith =
  (sha256: (text: string) => string) =>
  (identifier: unknown): string | null =>
    typeof identifier === "string" || typeof identifier === "number"
      ? sha256(String(identifier)).slice(0, LENGTH)
      : null;
