// A payment that waits for a person: who wants to pay whom and for what, why it needs a person, and what is known of
// the recipient and the agent's budget. Text by agents is shown only as text.
import { api, unlessRemoved } from '../api.js'
import type { Loaded } from '../load.js'
import { cardName, words } from '../format/words.js'
import type { Delegation, PaymentApproval } from '../records.js'
import { DelegationLimits } from './delegationLimits.js'
import { Facts } from './facts.js'
import { AgentLink, Long, Money, Time } from './amounts.js'
import { RecipientAddress } from './recipientName.js'
import { LineItems, purchaseFacts } from './purchase.js'
import { readRecipient, RecipientFacts, type KnownRecipient } from './recipient.js'
import { When } from './loadingStates.js'
import { TraceTree, type Trace } from './trace.js'
import { AnyValue } from './anyValue.js'

type Payment = PaymentApproval['payment']

/** What a person needs to know before deciding. */
export interface Surroundings {
  /** Null on a card. */
  recipient: KnownRecipient | null
  trace: Trace
  /** The agent's delegations of the wallet that would pay. */
  delegations: Delegation[]
}

export async function readSurroundings({ id, agentId, wallet, recipientAddress }: Payment): Promise<Surroundings> {
  const [recipient, { trace }, agent] = await Promise.all([
    recipientAddress === null ? null : readRecipient(recipientAddress),
    api.call('GET /api/payments/{paymentId}', { path: { paymentId: id } }),
    unlessRemoved(api.call('GET /api/agents/{agentId}', { path: { agentId } })),
  ])
  return { recipient, trace, delegations: agent?.wallets.filter(({ walletId }) => walletId === wallet?.id) ?? [] }
}

interface Props {
  approval: PaymentApproval
  surroundings: Loaded<Surroundings>
}

export function RequestedPayment({ approval: { payment, createdAt }, surroundings }: Props) {
  return (
    <>
      <div class="card">
        <Facts
          of={[
            ['Amount', <Amount of={payment} />],
            ['To', <RecipientAddress of={payment} />],
            ['Purpose', payment.purpose ?? <span class="hint">none given</span>],
            ...purchaseFacts(payment),
            ['Category', payment.category && words(payment.category)],
            ['Urgency', payment.urgency !== 'NORMAL' && words(payment.urgency)],
            ['Agent', <AgentLink id={payment.agentId} />],
            ['From wallet', payment.wallet && <From of={payment.wallet} />],
            ['From card', payment.card && cardName(payment.card)],
            ['Requested', <Time at={createdAt} />],
            ['Context', payment.context && <AnyValue of={payment.context} />],
          ]}
        />
      </div>
      <LineItems of={payment} />
      <When of={surroundings}>{(known) => <Around of={known} />}</When>
    </>
  )
}

function Amount({ of: { amount, currency } }: { of: Payment }) {
  return (
    <strong class="big">
      <Money amount={amount} currency={currency} />
    </strong>
  )
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
function Around({ of: { recipient, trace, delegations } }: { of: Surroundings }) {
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
        <TraceTree trace={trace} />
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
