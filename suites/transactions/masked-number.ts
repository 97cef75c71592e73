/** Digits of a card number that a masked form of it may leave readable (PCI DSS 3.4.1). */
const MOST_FIRST = 8;
const MOST_LAST = 4;

/** How many digits of a card number are readable on either side of a mask. */
export interface Exposure {
  readonly first: number;
  readonly last: number;
}

/** Finds a masked form of the card number that shows too much of it; `undefined` when there is none. */
export function overexposed(text: string, cardNumber: string): Exposure | undefined {
  const digits = cardNumber.replaceAll(/\D/g, "");
  const compact = text.replaceAll(/(?<=[\d*#•xX])[ -](?=[\d*#•xX])/g, "");
  return [...compact.matchAll(/(\d*)[*#•xX]{2,}(\d*)/g)]
    .map(([, first = "", last = ""]) => ({ first, last }))
    .filter(({ first, last }) => digits.startsWith(first) && digits.endsWith(last))
    .map(({ first, last }) => ({ first: first.length, last: last.length }))
    .find(({ first, last }) => first > MOST_FIRST || last > MOST_LAST);
}
