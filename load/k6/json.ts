/** Parses JSON; `undefined` if it is none. */
export function parseJson(text: string | ArrayBuffer | null): unknown {
  if (typeof text !== "string") return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
