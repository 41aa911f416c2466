// The result of a fuzzed run, as text.
import type { Fuzzed } from './fuzz.js'

/** No other organization waits so long. */
export const STALL_MS = 500

const SHOWN = 10

export function told({ answers, succeeded, problems, quiet }: Fuzzed, again: string): string {
  const total = [...answers.values()].reduce((sum, count) => sum + count, 0)
  const byStatus = [...answers].toSorted(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`)
  return [
    ...problems.slice(0, SHOWN).map(({ method, path, body, what, before }) => {
      return [...before, `${method} ${path} ${body ?? ''}`, `  ${what}`, ''].join('\n')
    }),
    `${total} answers (${byStatus.join(', ')}), ${problems.length} problems`,
    `${succeeded.size} routes answered with success`,
    `${quiet.calls} calls of another organization, the longest ${Math.round(quiet.longestMs)} ms`,
    again,
  ].join('\n')
}
