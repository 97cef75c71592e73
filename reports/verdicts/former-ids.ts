/**
 * Ids that checks had in earlier versions, each with the checks that prove the same now. Waivers and `--select` may still
 * name them. An id that goes must leave an entry here.
 */
const FORMER_IDS: Readonly<Record<string, readonly string[]>> = {
  "listTransfers/status-filter-with-paging": filtered("listTransfers"),
  "listTransfers/status-before-paging": filtered("listTransfers"),
  "listTransfers/reference-before-paging": filtered("listTransfers"),
  "listRecipients/search-before-paging": filtered("listRecipients"),
  "listCustomers/search-before-paging": filtered("listCustomers"),
};

/** The ids of the checks that `id` names today. */
export const currentIds = (id: string): readonly string[] => FORMER_IDS[id] ?? [id];

/** All former ids. */
export const formerIds = Object.keys(FORMER_IDS);

/** The rules of paging under a filter. */
function filtered(operation: string): string[] {
  return ["limit", "union", "pages-disjoint", "end"].map((rule) => `${operation}/paging/filtered-${rule}`);
}
