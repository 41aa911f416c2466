// The latest payments of an agent or from a wallet, and the way to all of them.
import { useRead } from '../load.js'
import { to } from '../router.js'
import { ButtonLink } from './button.js'
import { Empty, When } from './loadingStates.js'
import { Section } from './page.js'
import { AGENT_COLUMNS, BRIEF_COLUMNS } from './paymentColumns.js'
import { Table } from './table.js'

const MOST_SHOWN = 8

interface Props {
  of: 'agent' | 'wallet'
  id: string
  everyMs: number
}

export function RecentPayments({ of, id, everyMs }: Props) {
  const query = { ...(of === 'agent' ? { agentId: id } : { walletId: id }), limit: MOST_SHOWN }
  const payments = useRead('GET /api/payments', { query }, { everyMs })
  const columns = of === 'agent' ? AGENT_COLUMNS : BRIEF_COLUMNS
  return (
    <Section title="Recent payments" actions={<ButtonLink href={to('payments', { [of]: id })} label="View all" />}>
      <When of={payments}>
        {(page) =>
          page.payments.length > 0 ? (
            <Table caption="Payments" columns={columns} rows={page.payments} keyOf={(payment) => payment.id} />
          ) : (
            <Empty icon="payments" title="No payments yet">
              Payment requests {of === 'agent' ? 'of this agent' : 'for this wallet'} appear here with their decisions.
            </Empty>
          )
        }
      </When>
    </Section>
  )
}
