import { settle } from "../../fixtures/lists/counting.ts";
import type { CheckContext } from "../../fixtures/run/check-context.ts";

/** Repeats a read until `isShown`, at most `retries` times, each after the settle time; returns the last value. */
export async function readUntil<T>(
  ctx: CheckContext,
  read: () => Promise<T>,
  isShown: (value: T) => boolean,
  retries = 1,
): Promise<T> {
  let value = await read();
  for (let retry = 0; !isShown(value) && retry < retries; retry += 1) {
    await settle(ctx);
    value = await read();
  }
  return value;
}

/** Whether a text has a word, in any letter case: an API may store codes and links in another one. */
export const hasInAnyCase = (text: string, word: string) => text.toLowerCase().includes(word.toLowerCase());
