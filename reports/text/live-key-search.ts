/** A letter before it makes it another word (`task_live`). */
const LIVE_KEY = /(?<![a-z])[sp]k_live_[a-z\d]/i;

const ESCAPE = /\\u([\da-f]{4})|\\x([\da-f]{2})|%([\da-f]{2})|&#x([\da-f]{1,6});|&#(\d{1,7});/gi;
/** So many letters encode the beginning of a key at least. */
const BASE64 = /[\w+/-]{12,}/g;
/** An address may stand in JSON, and both in base64. */
const LAYERS = 3;

/** Decodes a text of base64, in either alphabet and of any length, to one character a byte. */
export type DecodeBase64 = (text: string) => string;

/**
 * Makes the search for live keys; Node and k6 decode base64 in ways of their own. It tells whether a text shows a live key:
 * as it is, escaped for JSON, pages or addresses, in base64, or in 16-bit characters.
 */
export function liveKeySearch(decodeBase64: DecodeBase64): (text: string) => boolean {
  const holds = (text: string, layers: number): boolean => {
    if (LIVE_KEY.test(text)) return true;
    if (layers === 0 || text.length === 0) return false;
    const plain = text.replace(ESCAPE, (found, ...groups: (string | undefined)[]) => {
      const [json, short, address, page, decimal] = groups;
      const code = decimal ? Number(decimal) : Number.parseInt(json ?? short ?? address ?? page ?? "", 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : found;
    });
    return (
      (plain !== text && holds(plain, layers - 1)) || decoded(text).some((one) => holds(one, layers - 1))
    );
  };
  /** What stands in base64 in a text; where a word begins in the middle of other letters is not known. */
  const decoded = (text: string): string[] => {
    const words = text.match(BASE64) ?? [];
    if (words.length === 0) return [];
    return [0, 1, 2, 3].map((offset) => words.map((word) => decodeBase64(word.slice(offset))).join("\n"));
  };
  return (text) => holds(text.replaceAll("\0", ""), LAYERS);
}
