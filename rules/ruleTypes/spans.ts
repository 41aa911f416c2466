// Spans between written bounds, as conditions on `now`. An evaluation compares few of them, however many there are.
import * as v from 'valibot'
import type { Condition, Leaf } from '../condition.js'
import { isBefore, isBound, type RuleSpan } from '../instant.js'
import { quoted } from '../shown.js'

/** Written and stored as text. */
export const bound = v.custom<string>(
  isBound,
  ({ input }) => `must be a timestamp such as 2026-01-31T09:00:00Z or a date such as 2026-01-31, not ${quoted(input)}`,
)

export function inOrder<Bounds extends { start: string; end: string }>() {
  return v.check<Bounds, string>(({ start, end }) => isBefore(start, end), 'must have a start that is before its end')
}

export function during({ from, to }: RuleSpan): Condition {
  return {
    all: [
      { fact: 'now', operator: 'greaterThanInclusive', value: from },
      { fact: 'now', operator: 'lessThan', value: to },
    ],
  }
}

const FEW = 4

/** True during any of the spans, which may overlap and come in any order. */
export function duringAny(spans: readonly RuleSpan[]): Condition {
  return search(merged(spans))
}

function merged(spans: readonly RuleSpan[]): RuleSpan[] {
  const apart: RuleSpan[] = []
  for (const { from, to } of [...spans].sort((a, b) => a.from - b.from)) {
    const last = apart.at(-1)
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to)
    else apart.push({ from, to })
  }
  return apart
}

/** A binary search: the comparison with the middle has priority, so that the other half is not evaluated. */
function search(spans: readonly RuleSpan[]): Condition {
  if (spans.length <= FEW) return { any: spans.map(during) }
  const half = Math.ceil(spans.length / 2)
  const middle = spans[half]!.from
  const before: Leaf = { fact: 'now', operator: 'lessThan', value: middle }
  const after: Leaf = { fact: 'now', operator: 'greaterThanInclusive', value: middle }
  return {
    any: [
      { all: [{ ...before, priority: 2 }, search(spans.slice(0, half))] },
      { all: [{ ...after, priority: 2 }, search(spans.slice(half))] },
    ],
  }
}
