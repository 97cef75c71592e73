/** Digits of a card number that its masked form may show (PCI DSS 3.4.1). */
const MOST_FIRST = 8;
const MOST_LAST = 4;

/** Counts the digits that a masked form of the card number shows, if there are too many before or after its mask. */
export function overexposed(text: string, cardNumber: string) {
  const digits = cardNumber.replaceAll(/\D/g, "");
  const compact = text.replaceAll(/(?<=[\d*#•xX])[ -](?=[\d*#•xX])/g, "");
  return [...compact.matchAll(/(\d*)[*#•xX]{2,}(\d*)/g)]
    .map(([, first = "", last = ""]) => ({ first, last }))
    .filter(({ first, last }) => digits.startsWith(first) && digits.endsWith(last))
    .map(({ first, last }) => ({ first: first.length, last: last.length }))
    .find(({ first, last }) => first > MOST_FIRST || last > MOST_LAST);
}
