// What is known about an address: its standing here, and what all organizations of the installation know of it.
import { api, type Answer } from '../api.js'
import { useLoad } from '../load.js'
import { about, plural } from '../format/money.js'
import { words } from '../format/words.js'
import { to } from '../router.js'
import { Badge } from './badge.js'
import { Facts } from './facts.js'
import { Time } from './amounts.js'
import { Notice, When } from './loadingStates.js'

type Here = Answer<'GET /api/counterparties/lookup'>['counterparty']
type Network = Answer<'GET /api/counterparties/network-trust'>
type History = Answer<'GET /api/counterparties/{counterpartyId}/transactions'>

export interface KnownRecipient {
  here: Here
  network: Network
  history: History | undefined
}

export async function readRecipient(address: string): Promise<KnownRecipient> {
  const [{ counterparty: here }, network] = await Promise.all([
    api.call('GET /api/counterparties/lookup', { query: { address } }),
    api.call('GET /api/counterparties/network-trust', { query: { address } }),
  ])
  return { here, network, history: here ? await historyOf(here.id) : undefined }
}

function historyOf(counterpartyId: string): Promise<History> {
  const parts = { path: { counterpartyId }, query: { limit: 1 } }
  return api.call('GET /api/counterparties/{counterpartyId}/transactions', parts)
}

export function Recipient({ address }: { address: string }) {
  const known = useLoad(() => readRecipient(address), [address])
  return (
    <When of={known} rows={2}>
      {(recipient) => <RecipientFacts of={recipient} />}
    </When>
  )
}

export function RecipientFacts({ of: { here, network, history } }: { of: KnownRecipient }) {
  return (
    <>
      {network.riskIndicators.ofacMatch && <Notice tone="danger">This address is on the sanctions list.</Notice>}
      {here === null && <Notice tone="warning">This address is not one of your counterparties.</Notice>}
      {history?.summary.transactionCount === 0 && (
        <Notice tone="warning">Your organization has not paid this address before.</Notice>
      )}
      <Facts
        of={[
          ['Name', here && <KnownAs of={here} />],
          ['Trust score', here && `${here.trustScore} of 100`],
          ['Previous payments', history && paidBefore(history)],
          ['Last payment', history?.transactions[0] && <Time at={history.transactions[0].createdAt} />],
          ['Network', seenBy(network)],
          ['Flags', network.networkTrust.flags.map(words).join(', ') || undefined],
        ]}
      />
    </>
  )
}

/** Its name here, with the link, and its standing. */
export function KnownAs({ of: { id, name, nameSource, status } }: { of: NonNullable<Here> }) {
  return (
    <>
      <a href={to('counterparties', id)}>
        <CounterpartyName of={{ name, nameSource }} />
      </a>{' '}
      <Badge status={status} />
      <NamedBy source={nameSource} />
    </>
  )
}

type Named = Pick<NonNullable<Here>, 'name' | 'nameSource'>

/** The name that a person gave; an agent's is a claim, and in quotation marks. */
export function CounterpartyName({ of: { name, nameSource } }: { of: Named }) {
  return nameSource === 'AGENT' ? (
    <q title="Name given by an agent, not verified">
      <bdi>{name}</bdi>
    </q>
  ) : (
    <>{name}</>
  )
}

export function NamedBy({ source }: { source: Named['nameSource'] }) {
  return source === 'AGENT' ? <div class="hint">name given by an agent, not verified</div> : null
}

function paidBefore({ summary: { transactionCount, averageAmount } }: History): string {
  if (transactionCount === 0) return 'none'
  return `${plural(transactionCount, 'payment')}, ${about(averageAmount)} on average`
}

/** `3 payments by 1 organization, score 30`, or `20 or more payments by 5 or more organizations, score 44`. */
export function seenBy({ networkTrust: { transactionCount, organizationCount, globalScore } }: Network): string {
  // The figures of several organizations are the lower ends of ranges.
  const more = organizationCount > 1 ? 'or more ' : ''
  const counted = (count: number, noun: string): string => plural(count, `${more}${noun}`)
  return `${counted(transactionCount, 'payment')} by ${counted(organizationCount, 'organization')}, score ${globalScore}`
}
