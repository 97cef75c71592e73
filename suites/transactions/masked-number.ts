/** Digits of a card number that its masked form may show (PCI DSS 3.4.1). */
const MOST_FIRST = 8;
const MOST_LAST = 4;

/** How many digits a masked card number shows before and after its mask. */
export interface Exposure {
  readonly first: number;
  readonly last: number;
}

/** Finds a masked form of the card number that shows too many digits; `undefined` if there is none. */
export function overexposed(text: string, cardNumber: string): Exposure | undefined {
  const digits = cardNumber.replaceAll(/\D/g, "");
  const compact = text.replaceAll(/(?<=[\d*#•xX])[ -](?=[\d*#•xX])/g, "");
  return [...compact.matchAll(/(\d*)[*#•xX]{2,}(\d*)/g)]
    .map(([, first = "", last = ""]) => ({ first, last }))
    .filter(({ first, last }) => digits.startsWith(first) && digits.endsWith(last))
    .map(({ first, last }) => ({ first: first.length, last: last.length }))
    .find(({ first, last }) => first > MOST_FIRST || last > MOST_LAST);
}
