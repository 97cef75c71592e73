const DAY_MS = 24 * 60 * 60 * 1000;

/** The date `days` from now, in a form made of YYYY, MM and DD. */
export function dateIn(days: number, form = "YYYY-MM-DD"): string {
  const [year = "", month = "", day = ""] = new Date(Date.now() + days * DAY_MS)
    .toISOString()
    .slice(0, 10)
    .split("-");
  return form.replace("YYYY", year).replace("MM", month).replace("DD", day);
}
