// The figures as Markdown tables that can be read as plain text, too.
import type { Block } from './blocks.js'
import type { MeasuredRow, Missing } from './measure.js'

const WHAT_WIDTH = 34

/** The first column is text, the others are figures. The result does not end with a line break. */
export function markdown(head: string[], rows: string[][]): string {
  const widths = head.map((_, at) => Math.max(...[head, ...rows].map((cells) => cells[at]!.length)))
  const line = (cells: string[]): string =>
    `| ${cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!))).join(' | ')} |`
  const dashes = widths.map((width, at) => (at === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`))
  const rule = `|${dashes.join('|')}|`
  return [line(head), rule, ...rows.map(line)].join('\n')
}

const HEAD = ['', 'connections', 'req/s', 'spread', 'p50 ms', 'p99 ms', 'CPU µs/req', 'of echo', 'events/s']

/** Each row with its ratio to the echo at the same number of connections, and the missing rows by name. */
export function tableOf(rows: MeasuredRow[], missing: Missing[]): string {
  const gone = missing.flatMap(({ name, connections }) =>
    connections.map((count) => [name, String(count), 'NOT RUN', ...Array<string>(HEAD.length - 3).fill('')]),
  )
  return markdown(HEAD, [...rows.map((row) => cells(row, rows)), ...gone])
}

function cells(row: MeasuredRow, rows: MeasuredRow[]): string[] {
  const { name, connections, requestsPerSecond, spread, p50Ms, p99Ms, cpuMicrosPerRequest, deliveriesPerSecond } = row
  const echo = rows.find((other) => other.name === 'echo' && other.connections === connections)
  const share = echo === undefined || echo === row ? '' : (requestsPerSecond / echo.requestsPerSecond).toFixed(3)
  const figures = [`${(spread * 100).toFixed(0)} %`, p50Ms.toFixed(2), p99Ms.toFixed(2), cpuMicrosPerRequest.toFixed(0)]
  const events = deliveriesPerSecond === 0 ? '' : deliveriesPerSecond.toFixed(0)
  return [name, String(connections), requestsPerSecond.toFixed(0), ...figures, share, events]
}

/** What blocked the event loop for longest, one line each. The result does not end with a line break. */
export function blocksOf(blocks: readonly Block[], mostMs: number): string {
  const lines = blocks.map(({ what, longestMs }) => {
    const standing = longestMs < mostMs ? '' : `  target ${mostMs} missed`
    return `${what.padEnd(WHAT_WIDTH)}${longestMs.toFixed(1).padStart(8)}${standing}`
  })
  return [`${'longest block of the event loop'.padEnd(WHAT_WIDTH)}      ms`, ...lines].join('\n')
}
