import type { FreshAs } from "./recipe.ts";

/** Invents words and numbers; seeded, so that a run with the same seed sends the same values. */
export interface Inventor {
  /** A name in Latin letters, in French with an accent, in Arabic or in Chinese. */
  readonly name: (language: "english" | "french" | "arabic" | "chinese") => string;
  readonly emoji: () => string;
  readonly word: () => string;
  readonly int: (min: number, max: number) => number;
  /** Writes a date, given as YYYY-MM-DD, in the form that the operation takes. */
  readonly date: (date: string) => string;
  /** The image of the run as a file, under its own name or another one, with so many more bytes. */
  readonly image: (rename?: (name: string) => string, more?: number) => unknown;
  /** The ordinary amount of a payment of this run, and the largest that the caps leave for one of many. */
  readonly amount: { readonly ordinary: number; readonly largest: number };
}

/** The largest payment of the catalogue, as a multiple of the ordinary amount. */
export const TIMES_ORDINARY = 20;

/** A class of values: what is particular about it, how to make one, and how to make ordinary values on either side of it. */
export type ValueClass = readonly [
  what: string,
  make: (invent: Inventor) => unknown,
  around?: (invent: Inventor) => readonly unknown[],
  day?: string,
];

/** Signs that separate or escape something in a form, an address, a list, a path or a template. */
const MARKS: ValueClass = [
  "signs of addresses, lists and paths",
  ({ name, word }) =>
    `=${word()}, ${word()} & ${name("english")}=1? +2 #3 -- $&/../{5} \\n <7; %2B {{8}} \${9} %s`,
];
const LETTERS: ValueClass = [
  "accented, Turkish, Arabic and Chinese letters",
  ({ name }) => `${name("french")} e\u0301 \u0130 ${name("arabic")} ${name("chinese")}`,
];
/** A percent sign without digits after it is not what a decoder of addresses expects. */
const SIGNS: ValueClass = [
  "an apostrophe, quotation marks and a percent sign",
  ({ name, word }) => `${name("english")} O'${name("english")} "${word()}" 50% off`,
];
const EMOJI: ValueClass = ["an emoji", ({ name, emoji, word }) => `${name("english")} ${emoji()} ${word()}`];
const EVERYTHING: ValueClass = [
  "letters outside ASCII, an emoji, and quotation marks and other signs",
  (invent) => [LETTERS, SIGNS, EMOJI, MARKS].map(([, make]) => make(invent)).join(" "),
];
/** More than 255 bytes, but not that many letters; whoever cuts it after an even number of bytes cuts a letter in two. */
const LONG: ValueClass = [
  "130 letters of two bytes each",
  ({ name }) =>
    `N${name("arabic")
      .replaceAll(/[^\u0620-\u064a]/g, "")
      .repeat(100)
      .slice(0, 100)}`,
];
const LONG_LINES: ValueClass = [
  "130 letters of two bytes each, and a line break",
  (invent) => `${LONG[1](invent)}\n${invent.word()}`,
];
const EMPTY: ValueClass = ["an empty text", () => ""];
/** Some languages take these texts for nothing; beside them stand texts of the same kind. */
const NOUGHT: ValueClass = ["the text 0", () => "0", () => ["1", "2"]];
const ZEROS: ValueClass = ["digits that begin with zeros", () => "007", () => ["107", "207"]];
const POWER: ValueClass = ["digits with an exponent", () => "1e3", () => ["1d3", "1f3"]];
/** Some readers of JSON turn such a text into a date, and others read it as JSON. */
const MOMENT: ValueClass = ["a point in time", () => "2031-03-09T10:00:00+01:00"];
/** What stands around a text is not part of it, or is; either is kept. */
const SPACES: ValueClass = ["spaces around a text", ({ name }) => ` ${name("english")} `];
/** Signs that begin something which then does not end, in a pattern or a query of a database. */
const OPEN: ValueClass = [
  "an open bracket, a star and a backslash at the end",
  ({ word }) => `(${word()}[*\\`,
];
/** Words and signs of query languages; an index may know none of the short ones. */
const QUERY: ValueClass = ["words of a query", ({ word }) => `The IT OR NOT ${word()} AND -${word()}`];
/** An object that serves as a map has members of this name. */
const INHERITED: ValueClass = ["the text constructor", () => "constructor"];
const ZERO: ValueClass = ["0", () => 0];
/** On either side of an amount that binary fractions miss stands one with as many decimals that they hit. */
const CENTS: ValueClass = [
  "two decimals",
  ({ int }) => inexact(int(10, 40)),
  ({ int }) => [int(1, 9) + 0.25, int(45, 60) + 0.75],
];
const quartersOfPayment = ({ amount }: Inventor) => [0.25, 0.75].map((part) => amount.ordinary + part);
const PAID: readonly ValueClass[] = [
  ["two decimals", ({ amount }) => inexact(amount.ordinary), quartersOfPayment],
  // Some writers of numbers take them for tens of cents.
  ["fewer than ten cents", ({ amount }) => amount.ordinary + 0.05, quartersOfPayment],
  ["one decimal", ({ amount }) => amount.ordinary + 0.5],
];
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
  text,
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

const freshAs = (what: string, write: FreshAs["freshAs"]): ValueClass => [what, () => ({ freshAs: write })];

const inDigits = (fresh: string) =>
  fresh.replaceAll(/[a-z]/gi, (letter) => String(letter.charCodeAt(0) % 10)).replaceAll(/\D/g, "");

/** A point in time that a fresh value determines, by the last digits of its run and of its number. */
const inTime = (fresh: string) =>
  inDigits(fresh).replace(/^.*(...)(.....)..(....)$/, "2$1-03-09T10:00:00.$2$3Z");

/** The classes of valid values of each kind: what parsers, databases and languages are known to get wrong. */
export const CLASSES = {
  text: [
    LETTERS,
    SIGNS,
    EMOJI,
    MARKS,
    LONG,
    // Some readers of forms stop after 4 kB.
    ["5,000 letters", ({ name }) => `${name("english")} `.repeat(1000).slice(0, 5000).trim()],
    ["two lines", ({ word }) => `${word()}\n${word()}`],
    ["the text Null, which is a surname", () => "Null", () => ["Nile", "Nunn"]],
    ["the text undefined", () => "undefined", () => ["undecided", "undaunted"]],
    ["the text True", () => "True", () => ["Tree", "Troy"]],
    ZEROS,
    POWER,
    MOMENT,
    ["a text in JSON", ({ word }) => `["${word()}", {"a": 1}]`],
    SPACES,
    OPEN,
    QUERY,
  ],
  /** A text that may be empty. */
  note: [EVERYTHING, EMPTY, LONG_LINES, NOUGHT, MOMENT],
  /** A reference or code that is new in every request. */
  fresh: [
    freshAs("signs of addresses, paths and queries", (fresh) => `${fresh} a/b&c=d+e,f;%2Bg?#"'\\<$&>`),
    freshAs("letters outside ASCII and an emoji", (fresh) => `${fresh}-\u1ecd\u00e9\u2713\ud83c\udf89`),
    freshAs("96 characters in mixed case", (fresh) => fresh.padEnd(96, "aBcDeFgHiJ")),
    freshAs("digits that begin with zeros", (fresh) => `000${inDigits(fresh)}`),
    freshAs("the form of a point in time", inTime),
  ],
  texts: [
    [
      "a single one",
      ({ word }) => [word()],
      ({ word }) => [
        [word(), word()],
        [word(), word(), word()],
      ],
    ],
    // Some parsers make an object of more than 20.
    ["25 of them", ({ word }) => Array.from({ length: 25 }, word)],
    ...[LETTERS, SIGNS, EMOJI, MARKS].map(
      ([what, make]): ValueClass => [what, (invent) => [make(invent), invent.word()]],
    ),
  ],
  /** Everything at once, for a search, which changes nothing. */
  search: [EVERYTHING, EMPTY, ZEROS, POWER, MOMENT, SPACES, OPEN, QUERY, INHERITED, LONG],
  number: [
    CENTS,
    ["a million and two decimals", ({ int }) => inexact(int(1_000_000, 9_000_000))],
    ["a number whose hundredths need more than 32 bits", ({ int }) => inexact(int(50_000_000, 90_000_000))],
    ["one hundredth", () => 0.01],
    WHOLE,
    ZERO,
  ],
  fee: [CENTS, HALF, WHOLE, ZERO],
  /** Of a payment: it counts against the caps. */
  amount: [...PAID, ["a large number", ({ amount }) => Math.max(amount.largest, amount.ordinary + 1)]],
  payout: [
    ...PAID,
    // Some writers of numbers separate thousands.
    [
      "a thousand and more, where the caps allow it",
      ({ amount }) => Math.min(amount.largest, Math.max(1000, amount.ordinary) + 0.25),
    ],
  ],
  /** As digits of the subunit, in a text. */
  subunits: [
    ["an odd amount", ({ amount }) => String(amount.ordinary + 37)],
    ["a large number", ({ amount }) => String(Math.max(amount.largest, amount.ordinary + 1))],
  ],
  percent: [CENTS, HALF, WHOLE, ["most of it", ({ int }) => int(61, 90)], ["all of it", () => 100]],
  count: [
    ["several", ({ int }) => int(2, 9)],
    // Cut to 32 bits, it is a small number, or below 0.
    ["a number of more than 32 bits", ({ int }) => 2 ** 32 + int(2, 9)],
    ["the largest whole number that every reader of JSON holds exactly", () => Number.MAX_SAFE_INTEGER],
    ["one", () => 1],
  ],
  boolean: [TRUE, FALSE],
  /** Payments of this suite are never live. */
  notLive: [FALSE],
  address: [
    ["an IPv4 address", ({ int }) => `192.0.2.${int(1, 250)}`],
    ["an IPv6 address", ({ int }) => `2001:db8::${int(1, 9000)}`],
    [
      "an IPv6 address of 39 characters",
      ({ int }) => `2001:0db8:85a3:0000:0000:8a2e:0370:${int(1000, 9999)}`,
    ],
  ],
  /** A parser may take 08 for an octal number. Holidays may have a rule of their own, so no dates stand beside them. */
  date: [
    dateOf("08 as its day, which may be taken for its month", "2031-07-08", "2031-06-24", "2031-10-21"),
    dateOf("a leap day", "2032-02-29", "2031-11-30", "2032-05-30"),
    dateOf(
      "the last day of a year after 2038, where seconds since 1970 need more than 31 bits",
      "2040-12-31",
    ),
  ],
  /** Of the end of a period. */
  laterDate: [
    dateOf("09 as its month and 08 as its day", "2031-09-08", "2031-06-23", "2031-11-24"),
    dateOf("a 31st", "2032-03-31", "2031-07-30", "2032-06-30"),
    dateOf("a leap day", "2036-02-29", "2035-11-30", "2036-05-30"),
    dateOf("the first day of a year after 2038", "2099-01-01"),
  ],
  file: [
    ["an image", ({ image }) => image()],
    ["an image with a percent sign in its name", ({ image }) => image((name) => `sale 50% ${name}`)],
    [
      "an image whose name has letters outside ASCII",
      ({ image }) => image((name) => `Zo\u00e9 \u2713 \u043b\u043e\u0433\u043e ${name}`),
    ],
    ["an image whose name is in capitals", ({ image }) => image((name) => name.toUpperCase())],
    ["an image of 100 kB", ({ image }) => image(undefined, 100_000)],
  ],
  link: [
    ["a path and a query", ({ word }) => `https://example.com/${word()}?step=2`],
    [
      "an ampersand, an escape and a fragment",
      ({ word }) => `https://example.com/a%20b?x=${word()}&y=%C3%A9#z`,
    ],
    [
      "a port and an address in its query",
      ({ word }) =>
        `https://shop.example.com:8443/~${word()}/(1);v=2,3/?next=https%3A%2F%2Fexample.com%2F%3Fok%3D1`,
    ],
    ["500 characters", ({ word }) => `https://example.com/${word()}?token=${"0aB-_.~9".repeat(60)}`],
  ],
  email: [
    ["a dot", ({ word, int }) => `${word()}.${int(10, 99)}@example.com`],
    [
      "a plus sign",
      ({ word, int }) => `${word()}+${int(10, 99)}@example.com`,
      ({ word }) => [`${word()}@example.com`, `${word()}@example.com`],
    ],
    [
      "an apostrophe and capitals",
      ({ word, int }) => `Ann.O'${word()}${int(10, 99)}@Example.COM`,
      ({ word }) => [`${word()}@example.com`, `${word()}@example.com`],
    ],
    [
      "64 characters before its domain",
      ({ word }) => `${word().padEnd(64, "ab.c")}@example.com`,
      ({ word }) => [`${word()}@example.com`, `${word()}@example.com`],
    ],
    ["a long top-level domain", ({ word, int }) => `${word()}${int(10, 99)}@pay.example`],
  ],
} satisfies Readonly<Record<string, readonly ValueClass[]>>;
