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

/** By the share of the limit that is used, in percent. */
const usageTone = (percent: number): string => (percent >= 90 ? 'bad' : percent >= 70 ? 'waiting' : 'good')

export function LimitBar({ label, limit, used, resetsAt }: Props) {
  if (limit === null) {
    return (
      <div class="limit">
        <span class="limit-label">{label}</span>
        <span>{decimal(fromMicros(used))} used, no limit</span>
      </div>
    )
  }
  return (
    <div class="limit">
      <span class="limit-label">{label}</span>
      <LimitLeft label={label} limit={limit} used={used} />
      {resetsAt && (
        <span class="hint">
          Resets <Time at={resetsAt} as="relative" />
        </span>
      )}
    </div>
  )
}

interface Limited extends Props {
  limit: number
}

/** What is left, and the bar. */
export function LimitLeft({ label, limit, used }: Limited) {
  const left = micros(limit) - used
  return (
    <>
      <span class="limit-left">
        <strong>{decimal(fromMicros(left < 0n ? 0n : left))}</strong> left of {decimal(limit)}
      </span>
      <UsageBar label={label} limit={limit} used={used} />
    </>
  )
}

export function UsageBar({ label, limit, used }: Limited) {
  const percent = share(used, limit)
  return <progress class={usageTone(percent)} max={100} value={percent} aria-label={`${label}: ${percent} % used`} />
}
