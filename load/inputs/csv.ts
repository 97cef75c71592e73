/** A row of a CSV file, and the line on which it begins. */
export interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** A quoted cell, in which two quotes stand for one, or a plain one; then what ends it. */
const CELL = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;

/**
 * Reads comma-separated values as RFC 4180 has them; empty lines are left out. Returns the line of the first cell that
 * cannot be read instead.
 */
export function readCsv(text: string): readonly CsvRow[] | { readonly badLine: number } {
  const rows: CsvRow[] = [];
  let cells: string[] = [];
  let [line, begun] = [1, 1];
  for (CELL.lastIndex = 0; CELL.lastIndex < text.length; ) {
    const found = CELL.exec(text);
    if (!found) return { badLine: line };
    const [all, quoted, plain = "", end] = found;
    cells.push(quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'));
    line += all.split("\n").length - 1;
    if (end === ",") continue;
    if (cells.some(Boolean)) rows.push({ line: begun, cells });
    [cells, begun] = [[], line];
  }
  // The last row ends with a comma, so its last cell is empty.
  if (cells.some(Boolean)) rows.push({ line: begun, cells: [...cells, ""] });
  return rows;
}
