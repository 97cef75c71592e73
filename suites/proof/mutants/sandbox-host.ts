import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { LogEntry } from "../../../fixtures/sandbox/service/log.ts";

/** What a sandbox is started with: the ids of the catalogue, since behaviour cannot be sent to another process. */
interface Ingredients {
  readonly seed: number;
  readonly fault: string | undefined;
  readonly variations: readonly string[];
}

/** What the campaign has to know of a request that a sandbox received. */
export type Received = Pick<LogEntry, "requestId" | "operation" | "path" | "error">;

/** A message to the process of the sandboxes; the answer has the same id. */
export type Question = { readonly id: number } & (
  | ({ readonly ask: "start" } & Ingredients)
  | { readonly ask: "close"; readonly sandbox: number }
);

/** A message from the process of the sandboxes. */
export type Answer = { readonly id: number } & (
  | { readonly env: Readonly<Record<string, string>> }
  | { readonly log: readonly Received[] }
  | { readonly error: string }
);

/** A sandbox that runs in another process. */
export interface HostedSandbox {
  readonly env: Readonly<Record<string, string>>;
  /** Closes it; returns what it received. */
  close(): Promise<readonly Received[]>;
}

/** Runs sandboxes in a process of their own: next to those who test them, both would share one core. */
export class SandboxHost {
  readonly #process = fork(fileURLToPath(new URL("./sandbox-process.ts", import.meta.url)), {
    execArgv: ["--import", "tsx"],
  });
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #asked = 0;

  constructor() {
    this.#process.on("message", (answer: Answer) => {
      this.#waiting.get(answer.id)?.(answer);
      this.#waiting.delete(answer.id);
    });
  }

  async start(ingredients: Ingredients): Promise<HostedSandbox> {
    const started = await this.#ask({ ask: "start", ...ingredients });
    if (!("env" in started))
      throw new Error("error" in started ? started.error : "the sandbox did not start");
    return {
      env: started.env,
      close: async () => {
        const closed = await this.#ask({ ask: "close", sandbox: started.id });
        if (!("log" in closed)) throw new Error("the log of a sandbox was lost");
        return closed.log;
      },
    };
  }

  /** Ends the process, and with it every sandbox that still runs. */
  async close() {
    const ended = once(this.#process, "exit");
    this.#process.disconnect();
    await ended;
  }

  #ask(question: DistributiveOmit<Question, "id">): Promise<Answer> {
    this.#asked += 1;
    const id = this.#asked;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#process.send({ id, ...question });
    });
  }
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
