import type { Created } from "../verdicts/verdict.ts";

/**
 * Renders `created.csv` (RFC 4180), which lists everything that the run created and cannot delete. A cell that a
 * spreadsheet would run as a formula gets a leading apostrophe.
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

function cell(value: string): string {
  const harmless = /^[=+\-@\t\r\n]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
