// How much of a limit is used, as a bar with numbers, and when it is reset.
import { decimal, fromMicros, micros, share } from '../format/money.js'
import { Time } from './amounts.js'

interface Props {
  label: string
  /** Null if there is no limit. */
  limit: number | null
  /** Micro-units. */
  used: bigint
  resetsAt?: string
}

export function LimitBar({ label, limit, used, resetsAt }: Props) {
  if (limit === null) {
    return (
      <div class="limit">
        <span class="limit-label">{label}</span>
        <span>{decimal(fromMicros(used))} used, no limit</span>
      </div>
    )
  }
  const left = micros(limit) - used
  const percent = share(used, limit)
  const tone = percent >= 90 ? 'bad' : percent >= 70 ? 'waiting' : 'good'
  return (
    <div class="limit">
      <span class="limit-label">{label}</span>
      <span class="limit-left">
        <strong>{decimal(fromMicros(left < 0n ? 0n : left))}</strong> left of {decimal(limit)}
      </span>
      <progress class={tone} max={100} value={percent} aria-label={`${label}: ${percent} % used`} />
      {resetsAt && (
        <span class="hint">
          Resets <Time at={resetsAt} as="relative" />
        </span>
      )}
    </div>
  )
}
