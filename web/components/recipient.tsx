// What is known of an address: its standing here, and what all organizations of the installation saw of it.
import { api } from '../api.js'
import { useLoad } from '../load.js'
import { about, plural } from '../format/money.js'
import { words } from '../format/words.js'
import { to } from '../router.js'
import { Badge } from './badge.js'
import { Facts } from './facts.js'
import { Time } from './figures.js'
import { Notice, When } from './states.js'

export function Recipient({ address }: { address: string }) {
  const known = useLoad(async () => {
    const [here, network] = await Promise.all([
      api.call('GET /api/counterparties/lookup', { query: { address } }),
      api.call('GET /api/counterparties/network-trust', { query: { address } }),
    ])
    const counterpartyId = here.counterparty?.id
    const history = counterpartyId === undefined
      ? undefined
      : await api.call('GET /api/counterparties/{counterpartyId}/transactions', { path: { counterpartyId }, query: { limit: 1 } })
    return { here, network, history }
  }, [address])
  return (
    <When of={known} rows={2}>
      {({ here: { counterparty }, network, history }) => (
        <>
          {network.riskIndicators.ofacMatch && <Notice tone="danger">This address is on the sanctions list.</Notice>}
          {counterparty === null && <Notice tone="warning">Nobody here has paid this address before.</Notice>}
          <Facts of={[
            ['Known as', counterparty && <><a href={to('counterparties', counterparty.id)}>{counterparty.name}</a> <Badge status={counterparty.status} /></>],
            ['Trust', counterparty && `${counterparty.trustScore} of 100`],
            ['Paid before', history && (history.summary.transactionCount === 0
              ? 'never'
              : `${plural(history.summary.transactionCount, 'time')}, ${about(history.summary.averageAmount)} on average`)],
            ['Last paid', history?.transactions[0] && <Time at={history.transactions[0].createdAt} />],
            ['Network', `${plural(network.networkTrust.transactionCount, 'payment')} by ${plural(network.networkTrust.organizationCount, 'organization')}, score ${network.networkTrust.globalScore}`],
            ['Flags', network.networkTrust.flags.length > 0 ? network.networkTrust.flags.map(words).join(', ') : undefined],
          ]} />
        </>
      )}
    </When>
  )
}
