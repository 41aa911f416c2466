// A payment that waits for a person: what a decision needs in brief, then everything else that is known of the request,
// its recipient and the agent's budget. Text by agents is shown only as text.
import { api, everyOne, unlessRemoved } from '../api.js'
import { cardName, words } from '../format/words.js'
import { useLoad } from '../load.js'
import { useAwaited } from '../names.js'
import type { Delegation, PaymentApproval } from '../records.js'
import { DelegationLimits } from './delegationLimits.js'
import { Facts, type Fact } from './facts.js'
import { Long, Money, Time } from './amounts.js'
import { LineItems, purchaseFacts } from './purchase.js'
import { readRecipient, RecipientFacts, type KnownRecipient } from './recipient.js'
import { ClaimedName } from './recipientName.js'
import { RequestInBrief, type Today } from './requestInBrief.js'
import { When } from './loadingStates.js'
import { TraceTree, type Trace } from './trace.js'
import { resourceFacts } from './x402.js'
import { AnyValue } from './anyValue.js'

type Payment = PaymentApproval['payment']

const EVERY_MS = 5000
/** A purpose that is longer may be cut in brief on a phone. */
const SHORT_CHARS = 80

/** What a person needs to know before deciding. */
interface Surroundings {
  /** Null on a card. */
  recipient: KnownRecipient | null
  trace: Trace
  /** The agent's delegations of the wallet that would pay. */
  delegations: Delegation[]
  today: Today | null
}

async function readSurroundings({ id, agentId, wallet, card, recipientAddress }: Payment): Promise<Surroundings> {
  const [recipient, { trace }, agent, onCard] = await Promise.all([
    recipientAddress === null ? null : readRecipient(recipientAddress),
    api.call('GET /api/payments/{paymentId}', { path: { paymentId: id } }),
    unlessRemoved(api.call('GET /api/agents/{agentId}', { path: { agentId } })),
    card === undefined ? null : spentOnCard(agentId, card.id),
  ])
  const delegations = agent?.wallets.filter(({ walletId }) => walletId === wallet?.id) ?? []
  return { recipient, trace, delegations, today: onCard ?? spentFrom(delegations[0]) }
}

const spentFrom = (delegation: Delegation | undefined): Today | null =>
  delegation ? { spent: delegation.spent.day, reserved: delegation.reserved, limit: delegation.spendLimitDaily } : null

async function spentOnCard(agentId: string, paidWith: string): Promise<Today | null> {
  const parts = { path: { agentId }, query: { limit: 100 } }
  const cards = await unlessRemoved(everyOne(api.list('GET /api/agents/{agentId}/cards', 'cards', parts)))
  const card = cards?.find(({ cardId }) => cardId === paidWith)
  return card ? { spent: card.spentToday, reserved: card.reserved, limit: card.spendLimitDaily } : null
}

export function RequestedPayment({ approval }: { approval: PaymentApproval }) {
  const { payment, status } = approval
  const surroundings = useLoad(
    () => readSurroundings(payment),
    [approval.id],
    status === 'PENDING' ? { everyMs: EVERY_MS } : {},
  )
  const known = surroundings.data
  useAwaited(known === undefined)
  return (
    <>
      <RequestInBrief approval={approval} recipient={known?.recipient} today={known?.today} />
      <Details of={approval} />
      <LineItems of={payment} />
      <When of={surroundings}>{(around) => <Around of={around} payment={payment} />}</When>
    </>
  )
}

function Details({ of: { payment, createdAt, expiresAt, status } }: { of: PaymentApproval }) {
  return (
    <div class="card">
      <h2>Request</h2>
      <Facts
        of={[
          [
            'Recipient',
            payment.recipientAddress && payment.recipientName && <ClaimedName name={payment.recipientName} />,
          ],
          ['Purpose', (payment.purpose ?? '').length > SHORT_CHARS && payment.purpose],
          ...boughtFacts(payment),
          ['From wallet', payment.wallet && <From of={payment.wallet} />],
          ['From card', payment.card && cardName(payment.card)],
          ['Requested', <Time at={createdAt} />],
          ['Expires', status === 'PENDING' && <Time at={expiresAt} />],
          ['Context', payment.context && <AnyValue of={payment.context} isPlain />],
        ]}
      />
    </div>
  )
}

/** What the agent says that it buys. */
export function boughtFacts(payment: Payment): Fact[] {
  return [
    ...resourceFacts(payment),
    ...purchaseFacts(payment),
    ['Category', payment.category && words(payment.category)],
    ['Urgency', payment.urgency !== 'NORMAL' && words(payment.urgency)],
  ]
}

function From({ of: wallet }: { of: NonNullable<Payment['wallet']> }) {
  return (
    <>
      <Long text={wallet.address} />
      {wallet.availableBalance !== undefined && (
        <>
          with <Money amount={wallet.availableBalance} /> available
        </>
      )}
    </>
  )
}

/** The recipient, the decision of the policies, and how much the payment would leave of the agent's limits. */
function Around({ of: { recipient, trace, delegations }, payment }: { of: Surroundings; payment: Payment }) {
  return (
    <>
      {recipient && (
        <div class="card">
          <h2>Recipient</h2>
          <RecipientFacts of={recipient} />
        </div>
      )}
      <div class="card">
        <h2>Why approval is required</h2>
        <TraceTree trace={trace} payment={payment} />
      </div>
      {delegations.map((delegation) => (
        <div class="card" key={delegation.id}>
          <h2>Agent limits</h2>
          <DelegationLimits of={delegation} />
        </div>
      ))}
    </>
  )
}
