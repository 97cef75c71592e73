import type { Answer, WireRequest } from "../fixtures/answer.ts";
import { Builder, type Built } from "../fixtures/build.ts";
import { encode, type PathForm } from "../fixtures/encode.ts";
import type { Target } from "../fixtures/target.ts";
import { Transport } from "../fixtures/transport.ts";
import { contract, type OperationId } from "../schemas/contract.ts";
import type { Change, Operation } from "../schemas/operation.ts";

/** Sends what a load run sends besides the load: the control before it, the lookups after it. */
export class Client {
  readonly target: Target;
  readonly runId: string;
  readonly #builder: Builder;
  readonly #transport: Transport;
  readonly #pathForms: Readonly<Record<OperationId, PathForm>>;
  #sent = 0;

  constructor(target: Target, runId: string, pathForms: Readonly<Record<OperationId, PathForm>>) {
    this.target = target;
    this.runId = runId;
    this.#builder = new Builder(target, runId, 0);
    this.#transport = new Transport(target);
    this.#pathForms = pathForms;
  }

  /** A valid request from the operator's data, with `change` applied, and how it looks on the wire. */
  async prepare(
    id: OperationId,
    change: Change = {},
  ): Promise<{ built: Built; wire: WireRequest; requestId: string }> {
    this.#sent += 1;
    const requestId = `${this.runId}-load-${this.#sent}`;
    const { baseUrl, secretKey, values } = this.target;
    const destination = { baseUrl, secretKey, extraHeaders: values.EXTRA_HEADERS ?? {} };
    const built = this.#builder.build(id, change);
    const wire = await encode(contract[id], built, this.#pathForms[id], destination, requestId);
    return { built, wire, requestId };
  }

  async send(id: OperationId, change: Change = {}): Promise<Answer> {
    const operation: Operation = contract[id];
    const { wire, requestId } = await this.prepare(id, change);
    return this.#transport.send(operation, wire, {
      requestId,
      deadlineMs: this.target.timeoutMs,
      ownConnection: operation.effect !== "read",
    });
  }

  close(): Promise<void> {
    return this.#transport.close();
  }
}
