// The figures at the top of the overview, each with the one of the period before and a link to what it counts.
import { decimal, grouped, money, plural } from '../format/money.js'
import { to } from '../router.js'
import { comparison } from './comparison.js'
import { nameOfBefore, type ShownPeriod } from './period.js'
import type { Overviewed } from './read.js'

interface Props {
  of: Overviewed | undefined
  period: ShownPeriod
  /** Undefined until it is known. */
  failedDeliveries: number | undefined
}

function paid({ count, amount }: { count: number; amount: number }): string {
  if (count === 0) return 'payments'
  return `${count === 1 ? 'payment' : 'payments'}, ${money(amount).replace(' ', '\u00a0')}`
}

export function Figures({ of: data, period, failedDeliveries }: Props) {
  const { totals: now, before } = data ?? {}
  const { from, to: until } = period
  const payments = (status?: string): string => to('payments', { status, from, until })
  const compare = (own?: number, then?: number): string | undefined =>
    own === undefined || then === undefined ? undefined : comparison(own, then, nameOfBefore(period))
  return (
    <div class="figures">
      <Figure
        label="Spent"
        value={now && decimal(now.executed.amount)}
        unit={now && `USDC, ${plural(now.executed.count, 'payment')}`}
        href={payments('EXECUTED')}
        below={compare(now?.executed.amount, before?.executed.amount)}
      />
      <Figure
        label="Requested"
        value={now && grouped(now.requested.count)}
        unit={now && paid(now.requested)}
        href={payments()}
        below={compare(now?.requested.count, before?.requested.count)}
      />
      <Figure
        label="Denied"
        value={now && grouped(now.denied.count)}
        unit={now && paid(now.denied)}
        href={payments('DENIED')}
        below={compare(now?.denied.count, before?.denied.count)}
      />
      <Figure
        label="Pending"
        value={now && grouped(now.pendingApproval.count)}
        unit={now && paid(now.pendingApproval)}
        href={payments('REQUIRES_APPROVAL')}
      />
      <Figure
        label="Failed deliveries"
        value={failedDeliveries === undefined ? undefined : grouped(failedDeliveries)}
        unit="in 7 days"
        href={to('webhooks', { status: 'FAILED' })}
      />
    </div>
  )
}

interface FigureProps {
  label: string
  /** Undefined until it is known. */
  value: string | undefined
  unit: string | undefined
  href: string
  below?: string | undefined
}

function Figure({ label, value = '…', unit, href, below }: FigureProps) {
  return (
    <a class="figure" href={href}>
      <span>{label}</span>
      <strong>{value}</strong>
      <span>{unit}</span>
      {below && <span>{below}</span>}
    </a>
  )
}
