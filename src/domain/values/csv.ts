// Rows of CSV (RFC 4180) that a spreadsheet opens as text: no cell is taken for a formula.
/** What begins a formula, or hides the character that does. */
const FORMULA = /^[=+\-@\t\r]/
const QUOTED = /[",\r\n]/

/** One row with its line break; null and undefined are empty cells. */
export function csvRow(cells: readonly (string | number | null | undefined)[]): string {
  return `${cells.map((cell) => cellOf(String(cell ?? ''))).join(',')}\r\n`
}

function cellOf(text: string): string {
  const plain = FORMULA.test(text) ? `'${text}` : text
  return QUOTED.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}
