// The figures for people: one line a row, each measured path with its share of the echo at the same connections.
import type { Block } from './blocks.js'
import type { Row } from './measure.js'

const HEAD = ['', 'connections', 'req/s', 'p50 ms', 'p99 ms', 'CPU µs/req', 'of echo']
const WHAT_WIDTH = 34
const WIDTHS = [8, 12, 9, 9, 9, 11, 8]

/** Lines without a line break at the end. */
export function tableOf(rows: Row[]): string {
  return [HEAD, ...rows.map((row) => cells(row, rows))].map(line).join('\n')
}

function cells(row: Row, rows: Row[]): string[] {
  const { name, connections, requestsPerSecond, p50Ms, p99Ms, cpuMicrosPerRequest } = row
  const echo = rows.find((other) => other.name === 'echo' && other.connections === connections)
  const share = echo === undefined || echo === row ? '' : (requestsPerSecond / echo.requestsPerSecond).toFixed(3)
  const figures = [requestsPerSecond.toFixed(0), p50Ms.toFixed(2), p99Ms.toFixed(2), cpuMicrosPerRequest.toFixed(0)]
  return [name, String(connections), ...figures, share]
}

function line(texts: string[]): string {
  return texts.map((text, at) => (at === 0 ? text.padEnd(WIDTHS[at]!) : text.padStart(WIDTHS[at]!))).join('').trimEnd()
}

/** What the event loop was blocked for longest by, one line each. Lines without a line break at the end. */
export function blocksOf(blocks: readonly Block[], mostMs: number): string {
  const lines = blocks.map(({ what, longestMs }) => {
    const standing = longestMs < mostMs ? '' : `  target ${mostMs} missed`
    return `${what.padEnd(WHAT_WIDTH)}${longestMs.toFixed(1).padStart(8)}${standing}`
  })
  return [`${'longest block of the event loop'.padEnd(WHAT_WIDTH)}      ms`, ...lines].join('\n')
}
