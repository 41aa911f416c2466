// The figures at the top of the overview, each with the one of the period before and a link to what it counts.
import type { ComponentChildren } from 'preact'
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
  const compare = (own?: number, then?: number): ComponentChildren =>
    own === undefined || then === undefined ? (
      <Reserved text={`none in ${nameOfBefore(period)}`} />
    ) : (
      comparison(own, then, nameOfBefore(period))
    )
  const sum = (of: Parameters<typeof paid>[0] | undefined): ComponentChildren =>
    of ? paid(of) : <Reserved text="payments, 10,000.00 USDC" />
  return (
    <div class="figures">
      <Figure
        label="Spent"
        value={now && decimal(now.executed.amount)}
        unit={now ? `USDC, ${plural(now.executed.count, 'payment')}` : <Reserved text="USDC" />}
        href={payments('EXECUTED')}
        below={compare(now?.executed.amount, before?.executed.amount)}
      />
      <Figure
        label="Requested"
        value={now && grouped(now.requested.count)}
        unit={sum(now?.requested)}
        href={payments()}
        below={compare(now?.requested.count, before?.requested.count)}
      />
      <Figure
        label="Denied"
        value={now && grouped(now.denied.count)}
        unit={sum(now?.denied)}
        href={payments('DENIED')}
        below={compare(now?.denied.count, before?.denied.count)}
      />
      <Figure
        label="Pending"
        value={now && grouped(now.pendingApproval.count)}
        unit={sum(now?.pendingApproval)}
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
  unit: ComponentChildren
  href: string
  below?: ComponentChildren
}

/** The place of what is not known yet, so that nothing moves when it is. */
const Reserved = ({ text }: { text: string }) => <span class="reserved">{text}</span>

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
