// What one payment did to a limit: what counted before, the payment itself, and what counts after it.
import { decimal, fromMicros } from '../format/money.js'

/** In micro-units, or in payments. */
export interface LimitFigures {
  before: bigint
  now: bigint
  limit: bigint
  /** Payments are counted, not amounts. */
  isCount: boolean
}

export function LimitStep({ label, of: { before, now, limit, isCount } }: { label: string; of: LimitFigures }) {
  const after = before + now
  const isOver = after > limit
  const shown = (figure: bigint): string => (isCount ? String(figure) : decimal(fromMicros(figure)))
  const width = (figure: bigint): number => (100 * Number(figure)) / Math.max(Number(isOver ? after : limit), 1)
  const parts = [
    ['Before', before],
    ['This payment', now],
    ['After', after],
    ['Limit', limit],
  ] as const
  return (
    <div class={`limit-step ${isOver ? 'bad' : 'good'}`} role="group" aria-label={label}>
      <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
        <rect class="limit-before" width={width(before)} height={8} />
        <rect class="limit-now" x={width(before)} width={width(now)} height={8} />
        {isOver && <rect class="limit-end" x={width(limit) - 0.4} width={0.8} height={8} />}
      </svg>
      <dl>
        {parts.map(([name, figure]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{shown(figure)}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}
