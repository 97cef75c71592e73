import { faker as english } from "@faker-js/faker/locale/en";
import type { Target } from "../../fixtures/engine/config/target.ts";
import { asNumber } from "../../fixtures/engine/http/build.ts";
import type { Pools, Row } from "../k6/requests.ts";
import { FIELDS, type LoadData } from "./data.ts";

/** How many different notes, addresses and amounts the suite makes up. */
const INVENTED = 1000;
/** No amount is smaller than the operator's, or larger by more than this share of it. */
const AMOUNT_SPREAD = 0.1;
/** The shortest limit that a form of notes keeps. */
const NOTE_LENGTH = 30;

const CHANNEL_OF = {
  qr: "createQrTransaction",
  card: "createCardTransaction",
  ndd: "createNddTransaction",
} as const;

/** The field without which a request has no place for a record of the kind. */
export const KEYS: Readonly<Record<string, string>> = { beneficiaries: "accountNumber", cards: "cardNumber" };

/** Invented words; unlike other values they are a part of a text, after what names the run. */
export const WORDS = "invented.words";

/** Where the value of a body's field comes from, by field: the first place that has one. */
export const PLACES: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    FIELDS.flatMap(([kind, fields]) => fields.map((field) => [field, [`${kind}.${field}`]])),
  ),
  channel: ["channels_{operation}.channel"],
  emailAddress: ["beneficiaries.emailAddress", "invented.email"],
  email: ["customers.email", "invented.email"],
  amount: ["beneficiaries.amount", "amounts_{operation}.amount"],
  message: [WORDS],
  transferNote: [WORDS],
};

/** The records of DATA, and invented notes and e-mail addresses, as k6 puts them into bodies. */
export function poolsOf({ values }: Target, data: LoadData = {}): Pools {
  const { channels = [], ...kinds } = data;
  const written = (kind: string, records: readonly object[]): Row[] =>
    records.map((record) =>
      Object.fromEntries(
        Object.entries(record).map(([field, value]) => [
          field,
          JSON.stringify(kind === "cards" && values.CARD_AS_NUMBERS ? asNumber(value) : value),
        ]),
      ),
    );
  const byOperation = Object.entries(CHANNEL_OF).map(([name, id]) => [
    `channels_${id}`,
    channels.filter(({ operation }) => operation === name),
  ]);
  const all: Record<string, readonly object[]> = { ...kinds, ...Object.fromEntries(byOperation) };
  return {
    ...Object.fromEntries(Object.entries(all).map(([kind, records]) => [kind, written(kind, records)])),
    invented: invented(),
  };
}

/** The class of faker's instances: the package's main entry exports it, but loads every language with it. */
const Faker = english.constructor as new (options: {
  locale: typeof english.rawDefinitions;
  seed: number;
}) => typeof english;

/** A source of invented values that are the same for the same seed. */
const seededFaker = (seed: number): typeof english => new Faker({ locale: english.rawDefinitions, seed });

/** Words of letters and spaces, which every form of notes allows, and addresses that belong to no person. */
function invented(): Row[] {
  const faker = seededFaker(1);
  return Array.from({ length: INVENTED }, (_, index) => {
    const note = `${faker.word.adjective()} ${faker.word.noun()} ${faker.word.verb()}`;
    const [first, last] = [faker.person.firstName(), faker.person.lastName()].map((name) =>
      name.toLowerCase().replaceAll(/[^a-z]/g, ""),
    );
    return {
      words: note
        .replaceAll(/[^a-z ]/gi, "")
        .slice(0, NOTE_LENGTH)
        .trim(),
      email: JSON.stringify(`${first}.${last}.${index}@example.com`),
    };
  });
}

/** Amounts from the operator's to a tenth more, as fine as the operator writes them, and of the same JSON type. */
export function amountsAround(amount: unknown): Row[] {
  const text = String(amount);
  const decimals = text.split(".")[1]?.length ?? 0;
  const least = Number(text);
  const unit = 10 ** -decimals;
  const steps = Math.floor((least * AMOUNT_SPREAD) / unit + 1e-9);
  const faker = seededFaker(2);
  return Array.from({ length: INVENTED }, () => {
    const one = (least + faker.number.int({ min: 0, max: steps }) * unit).toFixed(decimals);
    return { amount: JSON.stringify(typeof amount === "string" ? one : Number(one)) };
  });
}
