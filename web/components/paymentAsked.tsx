// A payment that waits for a person: who wants to pay whom what for, why a person is asked, and what is known of the
// recipient and the agent's budget. What agents wrote is shown as text and nothing else.
import { api } from '../api.js'
import { useLoad } from '../load.js'
import { words } from '../format/words.js'
import type { AskedPayment } from './asked.js'
import { DelegationLimits } from './delegationLimits.js'
import { Facts } from './facts.js'
import { AgentLink, Long, Money, Time } from './figures.js'
import { Recipient } from './recipient.js'
import { Copy } from './secret.js'
import { When } from './states.js'
import { TraceTree } from './trace.js'
import { Value } from './value.js'

type Payment = AskedPayment['payment']

export function PaymentAsked({ asked: { payment, createdAt } }: { asked: AskedPayment }) {
  return (
    <>
      <div class="card">
        <Facts
          of={[
            ['Amount', <Amount of={payment} />],
            ['To', <To of={payment} />],
            ['Purpose', payment.purpose ?? <span class="hint">none was given</span>],
            ['Category', payment.category && words(payment.category)],
            ['Urgency', payment.urgency !== 'NORMAL' && words(payment.urgency)],
            ['Agent', <AgentLink id={payment.agentId} />],
            ['From wallet', <From of={payment} />],
            ['Asked', <Time at={createdAt} />],
            ['Context', payment.context && <Value of={payment.context} />],
          ]}
        />
      </div>
      <div class="card">
        <h2>The recipient</h2>
        <Recipient address={payment.recipientAddress} />
      </div>
      <Why of={payment} />
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

/** The whole address: two that begin and end alike are easily made, and the name is the agent's own word. */
function To({ of: { recipientName, recipientAddress } }: { of: Payment }) {
  return (
    <>
      <code class="whole">{recipientAddress}</code> <Copy text={recipientAddress} what="address" />
      {recipientName && <span class="hint">the agent calls it {recipientName}</span>}
    </>
  )
}

function From({ of: { wallet } }: { of: Payment }) {
  return (
    <>
      <Long text={wallet.address} />
      {wallet.availableBalance !== undefined && (
        <>
          with <Money amount={wallet.availableBalance} /> free
        </>
      )}
    </>
  )
}

/** What the policies said, and how much of the agent's limits the payment would leave. */
function Why({ of: { id: paymentId, agentId, wallet } }: { of: Payment }) {
  const about = useLoad(async () => {
    const [agent, { trace }] = await Promise.all([
      api.call('GET /api/agents/{agentId}', { path: { agentId } }),
      api.call('GET /api/payments/{paymentId}', { path: { paymentId } }),
    ])
    return { trace, delegations: agent.wallets.filter(({ walletId }) => walletId === wallet.id) }
  }, [paymentId])
  return (
    <When of={about}>
      {({ trace, delegations }) => (
        <>
          <div class="card">
            <h2>Why a person is asked</h2>
            <TraceTree trace={trace} />
          </div>
          {delegations.map((delegation) => (
            <div class="card" key={delegation.id}>
              <h2>The agent's limits</h2>
              <DelegationLimits of={delegation} />
            </div>
          ))}
        </>
      )}
    </When>
  )
}
