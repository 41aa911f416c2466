// Formats records for people: tables, names with values, trees. Texts from the service come from others, so control
// characters in them must not reach the terminal.
import type { Style } from './command.js'

export type Cell = string | number | boolean | null | undefined

/** The columns of a table: title → cell of a row. */
export type Columns<Row> = { [title: string]: (row: Row) => Cell }

export interface Branch {
  text: string
  branches?: Branch[]
}

const CONTROL = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu
const CONTROL_BUT_LINES = /[^\n\P{Cc}]|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu
const STATUS = /^(ACTIVE|APPROVED|EXECUTED|PASSED|CONFIRMED|DELIVERED)$|^(DENIED|FAILED|REVOKED|SUSPENDED|FROZEN)$/

/** One line in which characters that move the cursor or change the writing direction are shown by their codes. */
export function clean(cell: Cell): string {
  if (cell === null || cell === undefined) return '-'
  return String(cell).replace(CONTROL, (character) => `[U+${codeOf(character)}]`)
}

/** JSON, in which such characters are escaped. */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(CONTROL_BUT_LINES, (one) => `\\u${codeOf(one).toLowerCase()}`)
}

function codeOf(character: string): string {
  return character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
}

export function table<Row>(columns: Columns<Row>, rows: readonly Row[], style: Style): string[] {
  const titles = Object.keys(columns)
  const cells = rows.map((row) => titles.map((title) => clean(columns[title]!(row))))
  const widths = titles.map((title, at) => Math.max(title.length, ...cells.map((line) => line[at]!.length)))
  const heading = titles
    .map((title, at) => title.padEnd(widths[at]!))
    .join('  ')
    .trimEnd()
  const line = (row: string[]): string =>
    row
      .map((cell, at) => status(cell, style) + ' '.repeat(widths[at]! - cell.length))
      .join('  ')
      .trimEnd()
  return [style('dim', heading), ...cells.map(line)]
}

/** Colours good statuses green and bad ones red. */
export function status(word: string, style: Style): string {
  const [, good, bad] = STATUS.exec(word) ?? []
  return good ? style('green', word) : bad ? style('red', word) : word
}

/** A payment's recipient: its address, then what the agent calls it. */
export function recipient({ recipientAddress, recipientName }: Recipient): string {
  if (recipientAddress === null) return `“${recipientName}” by card`
  return recipientName === null ? recipientAddress : `${recipientAddress} “${recipientName}”`
}

interface Recipient {
  /** Null on a card. */
  recipientAddress: string | null
  recipientName: string | null
}

export function record(fields: { [name: string]: Cell }, style: Style): string[] {
  const width = Math.max(...Object.keys(fields).map((name) => name.length))
  return Object.entries(fields).map(
    ([name, value]) => `${style('dim', name.padEnd(width))}  ${status(clean(value), style)}`,
  )
}

export function tree({ text, branches = [] }: Branch): string[] {
  const below = branches.flatMap((branch, at) => {
    const last = at === branches.length - 1
    const [first, ...rest] = tree(branch)
    return [`${last ? '└─' : '├─'} ${first}`, ...rest.map((line) => `${last ? '  ' : '│ '} ${line}`)]
  })
  return [text, ...below]
}
