import type { Created } from "../verdicts/verdict.ts";
import { printable } from "../wording.ts";

/**
 * Renders `created.csv` (RFC 4180), which lists everything that the run created and cannot delete. What a spreadsheet
 * would run as a formula gets a leading apostrophe: also after a separator, since some take more than the comma.
 */
export function renderCreatedCsv(created: readonly Created[]): string {
  const rows = created.map(({ operation, reference, identifier = "", at }) => [
    operation,
    reference,
    identifier,
    at,
  ]);
  return [["operation", "reference", "identifier", "time"], ...rows]
    .map((row) => `${row.map(cell).join(",")}\r\n`)
    .join("");
}

const FORMULA = /(?<=^|[;,|"])(?=\s*[=+\-@\uff1d\uff0b\uff0d\uff20])/g;

function cell(value: string): string {
  const harmless = printable(value).replace(FORMULA, "'");
  return /[",;|]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
