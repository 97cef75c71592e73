/** A letter before it makes it another word (`task_live`). */
const LIVE_KEY = /(?<![a-z])[sp]k_live_[a-z\d]/i;

const ESCAPE = /\\u([\da-f]{4})|\\x([\da-f]{2})|%([\da-f]{2})|&#x([\da-f]{1,6});|&#(\d{1,7});/gi;
/** The beginning of a key takes at least this many letters of base64. */
const BASE64 = /[\w+/-]{12,}/g;
/** A key may be in an address, the address in JSON, and the JSON in base64. */
const LAYERS = 3;

/** Whether a text shows a live key: as it is, escaped for JSON, pages or addresses, in base64, or in 16-bit characters. */
export const holdsLiveKey = (text: string): boolean => holds(text.replaceAll("\0", ""), LAYERS);

function holds(text: string, layers: number): boolean {
  if (LIVE_KEY.test(text)) return true;
  if (layers === 0 || text.length === 0) return false;
  const plain = text.replace(ESCAPE, (found, ...groups: (string | undefined)[]) => {
    const [json, short, address, page, decimal] = groups;
    const code = decimal ? Number(decimal) : Number.parseInt(json ?? short ?? address ?? page ?? "", 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : found;
  });
  return (plain !== text && holds(plain, layers - 1)) || decoded(text).some((one) => holds(one, layers - 1));
}

/** What a text holds in base64; where a word begins in the middle of other letters is not known. */
function decoded(text: string): string[] {
  const words = text.match(BASE64) ?? [];
  if (words.length === 0) return [];
  const fromBase64 = (word: string) => Buffer.from(word, "base64").toString("latin1");
  return [0, 1, 2, 3].map((offset) => words.map((word) => fromBase64(word.slice(offset))).join("\n"));
}

/** What to do about a live key in these places. */
export const liveKeyIn = (places: readonly string[]): string =>
  `${places.join(", ")} holds a live key (sk_live_ or pk_live_): remove it, this suite only takes test keys. Nothing was sent`;
