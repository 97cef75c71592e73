import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import type { Dialogue } from "./setup.ts";

/** Asks line by line, and hides the typing of secrets. */
export class Terminal implements Dialogue {
  #hidden = false;
  #ended = false;
  readonly #lines = createInterface({
    input: process.stdin,
    output: new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        if (!this.#hidden) process.stdout.write(chunk);
        done();
      },
    }),
    terminal: true,
  });

  constructor() {
    this.#lines.once("close", () => {
      this.#ended = true;
    });
  }

  ask(question: string, secret: boolean): Promise<string | undefined> {
    if (this.#ended) return Promise.resolve(undefined);
    process.stdout.write(question);
    this.#hidden = secret;
    return new Promise((resolve) => {
      const end = () => resolve(undefined);
      this.#lines.once("close", end);
      this.#lines.once("line", (line) => {
        this.#lines.removeListener("close", end);
        if (this.#hidden) process.stdout.write("\n");
        this.#hidden = false;
        resolve(line);
      });
    });
  }

  say(text: string) {
    process.stdout.write(text);
  }

  close() {
    this.#lines.close();
  }
}
