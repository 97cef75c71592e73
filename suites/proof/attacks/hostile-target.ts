import type { Socket } from "node:net";
import type { Points } from "../../../fixtures/sandbox/points/points.ts";
import { startSandbox } from "../../../fixtures/sandbox/service/server.ts";
import type { OperationId } from "../../../schemas/contract.ts";

/** A request, and the response of the sandbox to it, on its way to the suite. */
export interface Passing {
  readonly operation: OperationId | undefined;
  readonly path: string;
  /** Headers and body of the request as text. */
  readonly sent: string;
  /** How many requests of this operation have come, this one included. */
  readonly count: number;
  /** Milliseconds since the target was started. */
  readonly age: number;
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

/** What a hostile target does instead of passing a response on: it writes to the connection what it likes. */
export type Damage = (passing: Passing, connection: Socket) => void;

/** Where redirects lead. */
export const TRAP = "/trap";

/** A request with this header gets the response of the sandbox, whatever the attack is. */
export const UNDAMAGED = "x-undamaged";

/** Starts a sandbox on 127.0.0.1 whose responses are damaged wherever `isHit` says so. */
export function startHostileTarget(isHit: (passing: Passing) => boolean, damage: Damage) {
  const counts = new Map<OperationId | undefined, number>();
  const start = performance.now();
  const wire: Points["wire"] = (response, { call: { operation, target: path, incoming, received } }) => {
    const { status, headers, body } = response;
    if (incoming.headers[UNDAMAGED] || !(body instanceof Uint8Array)) return response;
    const count = (counts.get(operation) ?? 0) + 1;
    counts.set(operation, count);
    const passing: Passing = {
      operation,
      path,
      sent: `${incoming.rawHeaders.join(": ")} ${received?.bytes ?? ""}`,
      count,
      age: performance.now() - start,
      status,
      headers: Object.entries(headers).flatMap(([name, value]) =>
        [value].flat().map((one) => [name, one] as const),
      ),
      body: Buffer.from(body),
    };
    if (!isHit(passing)) return response;
    // The connection is the attack's alone once the sandbox has written nothing to it.
    setImmediate(damage, passing, incoming.socket);
    return { ...response, raw: Buffer.alloc(0), ending: "stall" };
  };
  const when = ({ listener }: { readonly listener: string }) => listener === "sandbox";
  return startSandbox({ changes: [{ id: "hostile", when, points: { wire } }] });
}
