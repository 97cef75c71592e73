const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** Zones reach from UTC-12 to UTC+14, so a day has begun in some zone, or has not ended in another, for this much longer. */
const FARTHEST_MS = 14 * HOUR_MS;

/** A day as YYYY-MM-DD, or an instant in milliseconds. */
type Reading = string | number;

/** Notations that have one meaning. What follows the day is its time. */
const DAYS = [
  /^(?<year>\d{4})(?<by>[-/.])(?<first>\d\d)\k<by>(?<second>\d\d)(?=$|[ T])/i,
  /^(?<year>(?:19|20)\d\d)(?<first>\d\d)(?<second>\d\d)(?=$|[ T])/i,
  /^(?<first>\d\d)(?<by>[-/.])(?<second>\d\d)\k<by>(?<year>\d{4})(?=$|[ ,])/,
];
const TIME =
  /^(?:T|,? )(\d\d):?(\d\d)(?::?(\d\d)(?:[.,]\d+)?)? ?(?:Z|UTC|GMT|([+-]\d\d):?(\d\d)?)?(?:\[[\w/+-]+\])?$/i;
const SECONDS = /^-?\d{9,10}$/;
const MILLISECONDS = /^-?\d{13}$/;
const WITH_MONTH_NAME =
  /^(?:[a-z]{3,9},? )?(?:\d{1,2}[ -][a-z]{3,9}|[a-z]{3,9} \d{1,2}),?[ -]\d{4}(?=$|[ ,])/i;
const ZONE = / (?:Z|UTC|GMT|[+-]\d{4})/i;

/** Whether a value shows the day that was sent, in any zone; `undefined` unless both are dates in a certain notation. */
export function agreesAsDate(sent: string, shown: string): boolean | undefined {
  const days = daysIn(sent);
  const readings = readingsOf(shown);
  if (days.length === 0 || readings.length === 0) return undefined;
  return days.some(({ day }) => readings.some((reading) => isOn(day, reading)));
}

function isOn(day: string, reading: Reading): boolean {
  if (typeof reading === "string") return reading === day;
  const start = Date.parse(day);
  // 30 February is read as a day of March, and no instant is on it.
  const exists = new Date(start).toISOString().startsWith(day);
  return exists && reading >= start - FARTHEST_MS && reading <= start + DAY_MS + FARTHEST_MS;
}

/** The days that the beginning of a text may mean, and the rest of the text: 05/06/2031 is in May or in June. */
function daysIn(text: string): { readonly day: string; readonly rest: string }[] {
  const found = DAYS.map((notation) => notation.exec(text)).find((match) => match !== null);
  if (!found) return [];
  const { year = "", first = "", second = "" } = found.groups ?? {};
  const rest = text.slice(found[0].length);
  const orders = [[first, second] as const, ...(text.startsWith(year) ? [] : [[second, first] as const])];
  return orders.flatMap(([month, day]) =>
    isUpTo(12, month) && isUpTo(31, day) ? [{ day: `${year}-${month}-${day}`, rest }] : [],
  );
}

const isUpTo = (most: number, digits: string) => Number(digits) >= 1 && Number(digits) <= most;

function readingsOf(text: string): Reading[] {
  if (SECONDS.test(text)) return [Number(text) * 1000];
  if (MILLISECONDS.test(text)) return [Number(text)];
  const readings = WITH_MONTH_NAME.test(text)
    ? [Date.parse(ZONE.test(text) ? text : `${text} UTC`)].map((instant) =>
        text.includes(":") || Number.isNaN(instant) ? instant : new Date(instant).toISOString().slice(0, 10),
      )
    : daysIn(text).map(({ day, rest }) => (rest === "" ? day : instantOf(day, rest)));
  return readings.filter((reading) => !Number.isNaN(reading));
}

/** The instant of a day and a time, which is taken for one of UTC if it names no zone; `NaN` for another text. */
function instantOf(day: string, time: string): number {
  const [found, hour, minute, second = "00", zoneHour = "+00", zoneMinute = "00"] = TIME.exec(time) ?? [];
  return found === undefined
    ? Number.NaN
    : Date.parse(`${day}T${hour}:${minute}:${second}${zoneHour}:${zoneMinute}`);
}
