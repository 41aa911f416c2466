// A payment that waits for a person: who wants to pay whom what for, why a person is asked, and what is known of the
// recipient and the agent's budget. What agents wrote is shown as text and nothing else.
import { api } from '../api.js'
import { useLoad } from '../load.js'
import { words } from '../format/words.js'
import type { AskedPayment } from './asked.js'
import { Facts } from './facts.js'
import { AgentLink, Long, Money, Time } from './figures.js'
import { DelegationLimits } from './delegationLimits.js'
import { When } from './states.js'
import { Recipient } from './recipient.js'
import { TraceTree } from './trace.js'
import { Value } from './value.js'

export function PaymentAsked({ asked: { payment, createdAt } }: { asked: AskedPayment }) {
  const { agentId, recipientAddress, wallet } = payment
  const about = useLoad(async () => {
    const [agent, traced] = await Promise.all([
      api.call('GET /api/agents/{agentId}', { path: { agentId } }),
      api.call('GET /api/payments/{paymentId}', { path: { paymentId: payment.id } }),
    ])
    return { agent, trace: traced.trace }
  }, [payment.id])
  return (
    <>
      <div class="card">
        <Facts of={[
          ['Amount', <strong class="big"><Money amount={payment.amount} currency={payment.currency} /></strong>],
          ['To', <>{payment.recipientName && <>{payment.recipientName} </>}<Long text={recipientAddress} /></>],
          ['Purpose', payment.purpose ?? <span class="hint">none was given</span>],
          ['Category', payment.category && words(payment.category)],
          ['Urgency', payment.urgency === 'NORMAL' ? undefined : words(payment.urgency)],
          ['Agent', <AgentLink id={agentId} />],
          ['From wallet', <><Long text={wallet.address} />{wallet.availableBalance !== undefined && <> with <Money amount={wallet.availableBalance} /> free</>}</>],
          ['Asked', <Time at={createdAt} />],
          ['Context', payment.context && <Value of={payment.context} />],
        ]} />
      </div>
      <div class="card"><h2>The recipient</h2><Recipient address={recipientAddress} /></div>
      <When of={about}>
        {({ agent, trace }) => (
          <>
            <div class="card"><h2>Why a person is asked</h2><TraceTree trace={trace} /></div>
            {agent.wallets.filter(({ walletId }) => walletId === wallet.id).map((delegation) => (
              <div class="card" key={delegation.id}><h2>The agent's limits</h2><DelegationLimits of={delegation} /></div>
            ))}
          </>
        )}
      </When>
    </>
  )
}
