import { z } from "zod";
import type { Operation } from "./operation.ts";
import { type Given, isGiven } from "./recipe.ts";

/** Invents words and numbers; seeded, so that a run with the same seed sends the same values. */
export interface Inventor {
  /** A name in Latin letters, in French with an accent, in Arabic or in Chinese. */
  readonly name: (language: "english" | "french" | "arabic" | "chinese") => string;
  readonly emoji: () => string;
  readonly word: () => string;
  /** A whole number of this range. */
  readonly int: (min: number, max: number) => number;
  /** Writes a date, given as YYYY-MM-DD, in the form that the operation takes. */
  readonly date: (date: string) => string;
  /** The ordinary amount of a payment of this run, and the largest that the caps leave for one of many. */
  readonly amount: { readonly ordinary: number; readonly largest: number };
}

/** The largest payment of the catalogue, as a multiple of the ordinary amount. */
export const TIMES_ORDINARY = 20;

/** A kind of valid values that the suite may choose freely. */
export type FreeKind = keyof typeof CLASSES;

/** The fields of an operation that the suite may fill freely, each with its kind; a variable may also name the value. */
export type FreeFields = Readonly<Record<string, FreeKind | Given>>;

/** A class of values: what is particular about it, how to make one, and how to make ordinary values on either side of it. */
type ValueClass = readonly [
  what: string,
  make: (invent: Inventor) => unknown,
  around?: (invent: Inventor) => readonly unknown[],
];

const LETTERS: ValueClass = [
  "accented, Arabic and Chinese letters",
  ({ name }) => `${name("french")} ${name("arabic")} ${name("chinese")}`,
];
/** A percent sign without digits after it is not what a decoder of addresses expects. */
const SIGNS: ValueClass = [
  "an apostrophe, quotation marks and a percent sign",
  ({ name, word }) => `${name("english")} O'${name("english")} "${word()}" 50% off`,
];
const EMOJI: ValueClass = ["an emoji", ({ name, emoji, word }) => `${name("english")} ${emoji()} ${word()}`];
const EVERYTHING: ValueClass = [
  "letters outside ASCII, quotation marks, a percent sign and an emoji",
  (invent) => [LETTERS, SIGNS, EMOJI].map(([, make]) => make(invent)).join(" "),
];
/** Whoever cuts it after an even number of bytes cuts a letter in two. */
const LONG: ValueClass = [
  "a hundred letters of two bytes each",
  ({ name }) =>
    `N${name("arabic")
      .replaceAll(/[^\u0620-\u064a]/g, "")
      .repeat(100)
      .slice(0, 100)}`,
];
const EMPTY: ValueClass = ["an empty text", () => ""];
const CENTS: ValueClass = ["two decimals", ({ int }) => inexact(int(1, 40))];
const HALF: ValueClass = ["one decimal", ({ int }) => int(1, 40) + 0.5];
const WHOLE: ValueClass = ["a whole number", ({ int }) => int(2, 60)];
const TRUE: ValueClass = ["true", () => true];
const FALSE: ValueClass = ["false", () => false];

/**
 * A date on which parsers fail, and those on either side of it, which are of the same weekday and as late in the month:
 * a rule about working days or billing days treats all three alike.
 */
const dateOf = (what: string, text: string, ...around: readonly string[]): ValueClass => [
  what,
  ({ date }) => date(text),
  ({ date }) => around.map(date),
];

/** Such amounts come at most this many cents apart, up to a gap that ends with the next power of two. */
const MOST_APART = 32;

/** The next amount with two decimals that becomes too small when it is multiplied by 100, as 19.99 becomes 1998.9999999999998. */
export function inexact(from: number): number {
  const first = Math.floor(from * 100) + 1;
  const powerOfTwo = Math.ceil(2 ** Math.ceil(Math.log2(first / 100)) * 100);
  let cents = first;
  while (cents % 10 === 0 || (cents / 100) * 100 >= cents)
    cents = cents === first + MOST_APART ? Math.max(powerOfTwo, cents + 1) : cents + 1;
  return cents / 100;
}

/** The classes of valid values of each kind (text, numbers, both booleans); each round of requests takes the next one. */
const CLASSES = {
  text: [LETTERS, SIGNS, EMOJI],
  /** A text that may be empty. */
  note: [EVERYTHING, EMPTY, LONG],
  texts: [LETTERS, SIGNS, EMOJI].map(
    ([what, make]): ValueClass => [what, (invent) => [make(invent), invent.word()]],
  ),
  /** Everything at once, for a search, which changes nothing. */
  search: [EVERYTHING],
  number: [CENTS, ["a million and two decimals", ({ int }) => inexact(int(1_000_000, 9_000_000))], WHOLE],
  fee: [CENTS, HALF, WHOLE],
  /** Of a payment: it counts against the caps. */
  amount: [
    ["two decimals", ({ amount }) => inexact(amount.ordinary)],
    ["one decimal", ({ amount }) => amount.ordinary + 0.5],
    ["a large number", ({ amount }) => Math.max(amount.largest, amount.ordinary + 1)],
  ],
  /** As digits of the subunit, in a text. */
  subunits: [
    ["an odd amount", ({ amount }) => String(amount.ordinary + 37)],
    ["a large number", ({ amount }) => String(Math.max(amount.largest, amount.ordinary + 1))],
  ],
  percent: [CENTS, HALF, WHOLE],
  count: [
    ["several", ({ int }) => int(2, 9)],
    // Cut to 32 bits, it is a small number, or below 0.
    ["a number of more than 32 bits", ({ int }) => 2 ** 32 + int(2, 9)],
    ["one", () => 1],
  ],
  boolean: [TRUE, TRUE, FALSE],
  /** That a code is deleted hides its other values from the list, so the last round has it, whose values are the plainest. */
  otherBoolean: [FALSE, FALSE, TRUE],
  /** Another field has a meaning only together with it. */
  companion: [TRUE, TRUE, TRUE, FALSE],
  /** Payments of this suite are never live. */
  notLive: [FALSE],
  address: [
    ["an IPv4 address", ({ int }) => `192.0.2.${int(1, 250)}`],
    ["an IPv6 address", ({ int }) => `2001:db8::${int(1, 9000)}`],
  ],
  /** A parser may take 08 for an octal number. Holidays may have a rule of their own, so no dates stand beside them. */
  date: [
    dateOf("08 as its month and day", "2031-08-08", "2031-05-23", "2031-10-24"),
    dateOf("a leap day", "2032-02-29", "2031-11-30", "2032-05-30"),
    dateOf(
      "the last day of a year after 2038, where seconds since 1970 need more than 31 bits",
      "2040-12-31",
    ),
  ],
  /** In each round later than the `date` of another field. */
  laterDate: [
    dateOf("09 as its month and day", "2031-09-09", "2031-06-24", "2031-11-25"),
    dateOf("a 31st", "2032-03-31", "2031-07-30", "2032-06-30"),
    dateOf("the first day of a year after 2038", "2099-01-01"),
  ],
  link: [["a path and a query", ({ word }) => `https://example.com/${word()}?step=2`]],
  email: [["a dot", ({ word, int }) => `${word()}.${int(10, 99)}@example.com`]],
} satisfies Readonly<Record<string, readonly ValueClass[]>>;

/** Values of some fields of one request. */
export interface ValueSet {
  /** What tells the set from the others of its operation. */
  readonly name: string;
  /** A member that is undefined leaves its field out. */
  readonly values: Readonly<Record<string, unknown>>;
  /** It fills a single one of several fields. */
  readonly isAlone: boolean;
  /** The one optional field that it leaves out, if it fills all others. */
  readonly without?: string;
  /** What is particular about the values, by field. */
  readonly words: Readonly<Record<string, string>>;
  /** Ordinary values on either side of a value, by field: a rule about a range that allows both allows the value too. */
  readonly around: Readonly<Record<string, readonly unknown[]>>;
}

const ROUNDS = 3;

/**
 * The value sets of an operation: in rounds, all free fields with one class each; then each optional field alone; then all
 * but one of them, unless each request pays. A variable that is not set leaves its field out; `read` reads it.
 */
export function valueSets(
  { free = {}, body, ordinary, effect }: Operation,
  inventorOf: (set: string) => Inventor,
  read: (given: Given) => unknown,
): ValueSet[] {
  const fields = Object.entries(free);
  const make = (name: string, round: number, chosen: typeof fields): ValueSet => {
    const invent = inventorOf(name);
    const made = chosen.map(([field, kind]) => {
      if (isGiven(kind)) return { field, what: "its usual value", value: read(kind), around: [] };
      // Rounds begin with the first class, fields alone with the last one.
      const classes: readonly ValueClass[] = CLASSES[kind];
      const [what = "", make, around] = classes.at(round % classes.length) ?? [];
      return { field, what, value: make?.(invent), around: around?.(invent) ?? [] };
    });
    const used = made.filter(({ value }) => value !== undefined);
    return {
      name,
      isAlone: round < 0,
      values: Object.fromEntries(used.map(({ field, value }) => [field, value])),
      words: Object.fromEntries(used.map(({ field, what }) => [field, what])),
      around: Object.fromEntries(used.map(({ field, around }) => [field, around])),
    };
  };
  const most = Math.max(0, ...fields.map(([, kind]) => (isGiven(kind) ? 1 : CLASSES[kind].length)));
  const rounds = Array.from({ length: Math.min(most, ROUNDS) }, (_, round) =>
    make(`round ${round + 1}`, round, fields),
  );
  const isOptional = (field: string) => body?.shape[field] instanceof z.ZodOptional;
  const usual = Object.keys(Object.assign({}, ...[ordinary.body ?? {}].flat()));
  const alone = fields.filter(([field]) => isOptional(field) && !usual.includes(field));
  // If no field is required, nothing says which ones a valid request needs.
  const others = body?.safeParse({}).success ? [] : usual.filter(isOptional);
  const without = Object.fromEntries(others.map((field) => [field, undefined]));
  // But each text that it has may be left out once, together with one other change; a payment is not tried so.
  const texts =
    others.length > 0 || effect === "money" ? [] : usual.filter((field) => free[field] === "text");
  const single = alone.map((field, index) => {
    const set = make(`${field[0]} alone`, -1 - index, [field]);
    if (Object.keys(set.values).length === 0) return set;
    const text = texts[index];
    const omitted = text === undefined ? {} : { [text]: "left out" };
    const values = { ...without, ...(text !== undefined && { [text]: undefined }), ...set.values };
    return { ...set, values, words: { ...set.words, ...omitted } };
  });
  const optional = fields.filter(([field]) => isOptional(field));
  const allButOne = optional.map(([field]): ValueSet => {
    // With the classes of the first round, which shows whether they are accepted.
    const set = make(
      `all but ${field}`,
      0,
      optional.filter(([name]) => name !== field),
    );
    const values = { ...set.values, [field]: undefined };
    return { ...set, values, without: field, words: { [field]: "left out" }, around: {} };
  });
  const parts = alone.length > 1 ? [...single, ...(effect === "money" ? [] : allButOne)] : [];
  return [...rounds, ...parts].filter(({ values }) => Object.keys(values).length > 0);
}
