// The decision that a payment would get now, explained.
import type { Answer } from '../api.js'
import { Money, Time } from './amounts.js'
import { Badge } from './badge.js'
import { Facts } from './facts.js'
import { Violations } from './trace.js'

export type Decision = Answer<'POST /api/policies/evaluate'>

const SAYS: { [status: string]: string } = {
  APPROVED: 'It would be approved.',
  REQUIRES_APPROVAL: 'It would require approval.',
  DENIED: 'It would be denied.',
}

export function DecisionFacts({ of }: { of: Decision }) {
  const { status, amount, currency, violations, violationsTotal, nearest, hint } = of
  const { maxAmountNow, earliestAt } = nearest ?? {}
  return (
    <>
      <p>
        <Badge status={status} /> {SAYS[status]}
      </p>
      <Violations title="Reasons" of={violations ?? []} total={violationsTotal} />
      {hint && <p class="hint">{hint}</p>}
      <Facts
        of={[
          ['Amount', <Money amount={amount} currency={currency} />],
          ['Maximum amount now', maxAmountNow && <Money amount={maxAmountNow} currency={currency} />],
          ['Earliest time', earliestAt && <Time at={earliestAt} />],
        ]}
      />
    </>
  )
}
