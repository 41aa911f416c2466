// A dry run: the decision that a payment would get now, by this policy and all others. Nothing is stored.
import { useState } from 'preact/hooks'
import { api, type Answer } from '../api.js'
import { readAgentOptions } from '../components/agentOptions.js'
import { Badge } from '../components/badge.js'
import { Facts } from '../components/facts.js'
import { Money, Time } from '../components/amounts.js'
import { Field, Form, Select, useSending } from '../components/form.js'
import { Empty, When } from '../components/loadingStates.js'
import { Violations } from '../components/trace.js'
import { useLoad } from '../load.js'
import { to } from '../router.js'
import type { Policy } from '../records.js'

type Decision = Answer<'POST /api/policies/evaluate'>
type Agent = Pick<Answer<'GET /api/agents'>['agents'][number], 'id' | 'name'>

export function TryOut({ policy }: { policy: Policy }) {
  const assigned = policy.assignments.agents
  const offered = useLoad(() => readAgentOptions(assigned), [assigned])
  return (
    <When of={offered}>
      {({ agents, label }) =>
        agents.length === 0 ? (
          <Empty
            icon="agents"
            title="No agents"
            action={
              <a class="button" href={to('agents')}>
                View agents
              </a>
            }
          />
        ) : (
          <Tried policy={policy} agents={agents} label={label} />
        )
      }
    </When>
  )
}

function Tried({ policy, agents, label }: { policy: Policy; agents: Agent[]; label: string }) {
  const [first] = [...agents.filter(({ id }) => policy.assignments.agents.includes(id)), ...agents]
  const [agentId, setAgentId] = useState(first!.id)
  const [amount, setAmount] = useState('10')
  const [recipientAddress, setRecipientAddress] = useState('')
  const [category, setCategory] = useState('')
  const [decision, setDecision] = useState<Decision>()
  const sending = useSending(async () => {
    setDecision(undefined)
    const payment = { amount, recipientAddress, ...(category !== '' && { category }) }
    setDecision(await api.call('POST /api/policies/evaluate', { body: { agentId, payment } }))
    return undefined
  })
  return (
    <div class="edit">
      <div class="card">
        <Form sending={sending} submit="Evaluate">
          <p class="hint">
            Evaluates the saved policies of the agent against its current limits. Nothing is stored or reserved.
          </p>
          <Select
            label={label}
            path="agentId"
            value={agentId}
            onValue={setAgentId}
            options={agents.map(({ id, name }) => [id, name] as const)}
          />
          <Field
            label="Amount in USDC"
            path="payment.amount"
            inputMode="decimal"
            required
            value={amount}
            onValue={setAmount}
          />
          <Field
            label="Recipient's address"
            path="payment.recipientAddress"
            required
            value={recipientAddress}
            onValue={setRecipientAddress}
            placeholder="0x…"
          />
          <Field label="Category" path="payment.category" value={category} onValue={setCategory} />
        </Form>
      </div>
      <aside class="edit-side" aria-label="Result" aria-live="polite">
        <div class="card">
          <h2>Result</h2>
          {decision ? <Answered decision={decision} /> : <p class="hint">Evaluate a payment to see the decision.</p>}
        </div>
      </aside>
    </div>
  )
}

const SAYS: { [status: string]: string } = {
  APPROVED: 'It would be approved.',
  REQUIRES_APPROVAL: 'It would require approval.',
  DENIED: 'It would be denied.',
}

function Answered({ decision }: { decision: Decision }) {
  const { status, amount, currency, violations, violationsTotal, nearest, hint } = decision
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
          [
            'Maximum amount not denied now',
            nearest?.maxAmountNow === undefined ? undefined : (
              <>
                up to <Money amount={nearest.maxAmountNow} currency={currency} />
              </>
            ),
          ],
          ['Possible from', nearest?.earliestAt === undefined ? undefined : <Time at={nearest.earliestAt} />],
        ]}
      />
    </>
  )
}
