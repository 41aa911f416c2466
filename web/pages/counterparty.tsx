// One counterparty: trust and blocks, what all organizations know of its address, and its payments.
import type { Answer, Entry } from '../api.js'
import { Badge } from '../components/badge.js'
import { CounterpartyActions } from '../components/counterpartyActions.js'
import { Facts } from '../components/facts.js'
import { AgentLink, Long, Money, Time } from '../components/amounts.js'
import { Records } from '../components/list.js'
import { Page, Section } from '../components/page.js'
import { NamedBy, seenBy } from '../components/recipient.js'
import { Notice, When } from '../components/loadingStates.js'
import type { Columns } from '../components/table.js'
import { about, money, plural } from '../format/money.js'
import { words } from '../format/words.js'
import { useList, useRead } from '../load.js'
import type { Counterparty } from '../records.js'
import { to } from '../router.js'
import type { PageProps } from '../page.js'

type NetworkFigures = Answer<'GET /api/counterparties/network-trust'>['networkTrust']
type Transaction = Entry<'GET /api/counterparties/{counterpartyId}/transactions', 'transactions'>

export default function CounterpartyPage({ params }: PageProps) {
  const counterpartyId = params['id']!
  const counterparty = useRead('GET /api/counterparties/{counterpartyId}', { path: { counterpartyId } })
  const shown = counterparty.data
  return (
    <Page
      title={shown?.name ?? 'Counterparty'}
      back={{ href: to('counterparties'), label: 'Counterparties' }}
      status={shown && <Badge status={shown.status} />}
      lead={shown && <Long text={shown.address} />}
      actions={shown && <CounterpartyActions of={shown} reload={counterparty.reload} />}
    >
      <When of={counterparty} rows={6}>
        {(data) => (
          <>
            {data.status === 'BLOCKED' && <Notice tone="danger">Every payment to this address is denied.</Notice>}
            <div class="cards">
              <Here of={data} />
              <Network address={data.address} />
            </div>
            <Transactions counterpartyId={counterpartyId} />
          </>
        )}
      </When>
    </Page>
  )
}

function Here({ of }: { of: Counterparty }) {
  return (
    <div class="card">
      <h2>Your organization</h2>
      <Facts
        of={[
          ['Name', of.nameSource === 'AGENT' && <NamedBy source={of.nameSource} />],
          ['Trust score', `${of.trustScore} of 100`],
          ['Category', words(of.category)],
          ['Payments', `${plural(of.transactionCount, 'payment')}, ${money(of.totalVolume)}`],
          ['Average amount', of.transactionCount > 0 ? about(of.averageAmount) : undefined],
          ['Last payment', of.lastTransactionAt && <Time at={of.lastTransactionAt} />],
          ['Website', of.website],
          ['Notes', of.notes],
          ['Added', <Time at={of.createdAt} />],
        ]}
      />
    </div>
  )
}

/** Of several organizations, the lower end of a range. */
function averageIn({ transactionCount, organizationCount, averageAmount }: NetworkFigures): string | undefined {
  if (transactionCount === 0) return undefined
  return `${about(averageAmount)}${organizationCount > 1 ? ' or more' : ''}`
}

/** The figures of all organizations of this installation, without their names. */
function Network({ address }: { address: string }) {
  const network = useRead('GET /api/counterparties/network-trust', { query: { address } })
  return (
    <div class="card">
      <h2>Network</h2>
      <When of={network} rows={3}>
        {({ networkTrust, riskIndicators }) => (
          <>
            {riskIndicators.ofacMatch && <Notice tone="danger">This address is on the sanctions list.</Notice>}
            <Facts
              of={[
                ['Payments', seenBy({ networkTrust, riskIndicators, address })],
                ['Success rate', networkTrust.transactionCount > 0 ? `${networkTrust.successRate} %` : undefined],
                ['Average amount', averageIn(networkTrust)],
                ['First seen', networkTrust.firstSeen && <Time at={networkTrust.firstSeen} />],
                ['Last seen', networkTrust.lastSeen && <Time at={networkTrust.lastSeen} />],
                ['Flags', networkTrust.flags.length === 0 ? 'none' : networkTrust.flags.map(words).join(', ')],
                ['Pattern', riskIndicators.unusualPattern && 'unusual'],
              ]}
            />
          </>
        )}
      </When>
    </div>
  )
}

const COLUMNS: Columns<Transaction> = [
  { head: 'Paid', cell: ({ createdAt }) => <Time at={createdAt} /> },
  { head: 'Amount', align: 'end', cell: ({ amount, currency }) => <Money amount={amount} currency={currency} /> },
  { head: 'Agent', cell: ({ agentId }) => <AgentLink id={agentId} /> },
  { head: 'Purpose', cell: ({ purpose }) => purpose ?? '–' },
  { head: 'Status', cell: ({ status }) => <Badge status={status} /> },
]

function Transactions({ counterpartyId }: { counterpartyId: string }) {
  const path = { counterpartyId }
  const transactions = useList('GET /api/counterparties/{counterpartyId}/transactions', 'transactions', {
    path,
    query: { limit: 20 },
  })
  return (
    <Section title="Payments">
      <Records
        caption="Transactions"
        of={transactions}
        columns={COLUMNS}
        none={{ icon: 'payments', title: 'No payments yet', children: 'Executed payments appear here.' }}
      />
    </Section>
  )
}
