/** Aligns the cells of rows: the first `texts` columns to the left, figures to the right. */
export function alignColumns(rows: readonly (readonly string[])[], texts = 1): string[] {
  const widthOf = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  const pad = (cell: string, column: number) =>
    column < texts ? cell.padEnd(widthOf(column)) : cell.padStart(widthOf(column));
  return rows.map((row) => row.map(pad).join("  ").trimEnd());
}
