/** How a client waits for a response, and how often it sends again. */
export interface ClientKind {
  readonly timeoutMs: number;
  /** How many times the client sends a request again, with the same reference, if no response came in time. */
  readonly resends: number;
}

/** The clients that a run may have. */
export const CLIENTS = ["patient", "impatient"] as const;
export type ClientName = (typeof CLIENTS)[number];

/**
 * A patient client waits `timeoutMs`, as the operator says, and never sends twice. An impatient one makes a retry storm of a
 * slow response, as mobile apps do.
 */
export const clientOf = (name: ClientName, timeoutMs: number): ClientKind =>
  name === "impatient" ? { timeoutMs: 2000, resends: 3 } : { timeoutMs, resends: 0 };

/** The longest time that one iteration of the client takes. */
export const longestMs = ({ timeoutMs, resends }: ClientKind) => timeoutMs * (resends + 1);
