/** Removes from a body what shows when it was made: dates with a time, and seconds or milliseconds since 1970. */
export const withoutTimes = (text: string) =>
  text.replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d[\d:.]*(Z|[+-]\d\d:?\d\d)?|\b1\d{9}(\d{3})?\b/g, "");
