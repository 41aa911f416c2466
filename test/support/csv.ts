// A strict reader of CSV (RFC 4180): throws for whatever the grammar does not allow.

/** Rows of cells. Every row ends with a carriage return and a line feed, and has as many cells as the first. */
export function readCsv(text: string): string[][] {
  const rows: string[][] = []
  let at = 0
  while (at < text.length) {
    const row: string[] = []
    for (;;) {
      const { cell, end } = cellAt(text, at)
      row.push(cell)
      at = end + 1
      if (text[end] === ',') continue
      if (text.slice(end, end + 2) !== '\r\n') throw new Error(`No end of a cell at ${end} of ${JSON.stringify(text)}`)
      at = end + 2
      break
    }
    if (rows[0] && row.length !== rows[0].length) throw new Error(`A row of ${row.length} cells: ${row.join('|')}`)
    rows.push(row)
  }
  return rows
}

/** The cell that begins here, and where what follows it stands. */
function cellAt(text: string, start: number): { cell: string; end: number } {
  if (text[start] !== '"') {
    const end = start + /^[^",\r\n]*/.exec(text.slice(start))![0].length
    return { cell: text.slice(start, end), end }
  }
  const quoted = /^"((?:[^"]|"")*)"/.exec(text.slice(start))
  if (!quoted) throw new Error(`An open quotation mark at ${start}`)
  return { cell: quoted[1]!.replaceAll('""', '"'), end: start + quoted[0].length }
}

/** Each row after the first as an object. */
export function recordsIn(text: string): { [column: string]: string }[] {
  const [names, ...rows] = readCsv(text)
  return rows.map((row) => Object.fromEntries(names!.map((name, at) => [name, row[at]!])))
}
