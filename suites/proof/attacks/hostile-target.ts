import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { routeOf } from "../../../fixtures/sandbox/service/request.ts";
import { startSandbox } from "../../../fixtures/sandbox/service/server.ts";
import { forward } from "../../../fixtures/testing/forward.ts";
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

/** Starts a sandbox on 127.0.0.1 whose responses are damaged wherever `isHit` says so. */
export async function startHostileTarget(isHit: (passing: Passing) => boolean, damage: Damage) {
  const sandbox = await startSandbox();
  /** Requests to where only a redirect of the target leads. */
  const followed: string[] = [];
  const counts = new Map<string, number>();
  const start = performance.now();
  const pass = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { url: path = "" } = incoming;
    if (path.startsWith(TRAP)) followed.push(path);
    const { body, response, sent } = await forward(sandbox.url, incoming);
    const { operation } = routeOf(path);
    const count = (counts.get(operation ?? "") ?? 0) + 1;
    counts.set(operation ?? "", count);
    const { statusCode: status = 500, rawHeaders } = response;
    const passing: Passing = {
      operation,
      path,
      sent,
      count,
      age: performance.now() - start,
      status,
      headers: pairs(rawHeaders),
      body,
    };
    if (isHit(passing)) damage(passing, incoming.socket);
    else outgoing.writeHead(status, rawHeaders).end(body);
  };
  const server = createServer((incoming, outgoing) => {
    // The suite itself cuts some requests off.
    pass(incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.on("connection", (socket) => socket.on("error", () => {}));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sandbox,
    followed,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await sandbox.close();
    },
  };
}

const pairs = (raw: readonly string[]) =>
  raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? ""] as const] : []));
