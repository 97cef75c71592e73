/** How a client waits for a response, and how often it sends again. */
export interface ClientKind {
  readonly timeoutMs: number;
  /** How many times the client sends a request again, with the same reference, if no response came in time. */
  readonly resends: number;
}

/** Waits as long as the operator says, and never sends twice. */
export const patient = (timeoutMs: number): ClientKind => ({ timeoutMs, resends: 0 });

/** Makes a retry storm of a slow response, as mobile apps do. */
export const IMPATIENT: ClientKind = { timeoutMs: 2000, resends: 3 };

/** The clients that a run may have. */
export const CLIENTS = ["patient", "impatient"] as const;
export type ClientName = (typeof CLIENTS)[number];

/** The client with this name, where the operator gives a request `timeoutMs`. */
export const clientOf = (name: ClientName, timeoutMs: number): ClientKind =>
  name === "impatient" ? IMPATIENT : patient(timeoutMs);

/** The longest time that one iteration of the client takes. */
export const longestMs = ({ timeoutMs, resends }: ClientKind) => timeoutMs * (resends + 1);
