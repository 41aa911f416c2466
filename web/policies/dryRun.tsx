// A dry run: the decision that a payment would get now, by this policy and all others. Nothing is stored.
import { useState } from 'preact/hooks'
import { api } from '../api.js'
import { readAgentOptions } from '../components/agentOptions.js'
import { ButtonLink } from '../components/button.js'
import { DecisionFacts, type Decision } from '../components/triedDecision.js'
import { Fields, type Rows } from '../components/fields.js'
import { Form, useSending } from '../components/form.js'
import { Empty, When } from '../components/loadingStates.js'
import { useDraft } from '../edit.js'
import { useLoad } from '../load.js'
import { to } from '../router.js'
import type { Policy } from '../records.js'

export function DryRun({ policy }: { policy: Policy }) {
  const assigned = policy.assignments.agents
  const offered = useLoad(() => readAgentOptions(assigned), [assigned])
  return (
    <When of={offered}>
      {({ agents, label }) =>
        agents.length === 0 ? (
          <Empty icon="agents" title="No agents" action={<ButtonLink href={to('agents')} label="View agents" />} />
        ) : (
          <DryRunForm policy={policy} agents={agents} label={label} />
        )
      }
    </When>
  )
}

const NOTHING_PAID = { amount: '10', recipientAddress: '', category: '' }

/** What the agent has requested last, which is what people try first. */
async function lastPaymentOf(agentId: string): Promise<typeof NOTHING_PAID> {
  const { payments } = await api.call('GET /api/payments', { query: { agentId, limit: 1 } })
  const [last] = payments
  if (last === undefined || last.recipientAddress === null) return NOTHING_PAID
  return { amount: String(last.amount), recipientAddress: last.recipientAddress, category: last.category ?? '' }
}

interface FormProps {
  policy: Policy
  agents: { id: string; name: string }[]
  label: string
}

function DryRunForm({ policy, agents, label }: FormProps) {
  const [first] = [...agents.filter(({ id }) => policy.assignments.agents.includes(id)), ...agents]
  const [agentId, setAgentId] = useState(first!.id)
  const last = useLoad(() => lastPaymentOf(agentId), [agentId])
  const choice = { name: 'agentId', label, options: agents.map(({ id, name }) => [id, name] as const) } as const
  return (
    <When of={last}>
      {(start) => <Trying key={agentId} start={{ agentId, ...start }} choice={choice} onAgent={setAgentId} />}
    </When>
  )
}

type Tried = typeof NOTHING_PAID & { agentId: string }

interface TryingProps {
  start: Tried
  choice: Exclude<Rows<Tried>[number], false | readonly unknown[]>
  onAgent: (agentId: string) => void
}

function Trying({ start, choice, onAgent }: TryingProps) {
  const { draft, set } = useDraft(start)
  const [decision, setDecision] = useState<Decision>()
  const sending = useSending(async () => {
    setDecision(undefined)
    const { agentId, category, ...more } = draft
    const payment = { ...more, ...(category !== '' && { category }) }
    setDecision(await api.call('POST /api/policies/evaluate', { body: { agentId, payment } }))
    return undefined
  })
  const fields: Rows<typeof draft> = [
    choice,
    { name: 'amount', label: 'Amount in USDC', path: 'payment.amount', inputMode: 'decimal', required: true },
    {
      name: 'recipientAddress',
      label: "Recipient's address",
      path: 'payment.recipientAddress',
      required: true,
      placeholder: '0x…',
    },
    { name: 'category', label: 'Category', path: 'payment.category' },
  ]
  return (
    <div class="edit">
      <div class="card">
        <Form sending={sending} submit="Evaluate">
          <p class="hint">
            Evaluates the saved policies of the agent against its current limits. Nothing is stored or reserved.
          </p>
          <Fields draft={draft} set={(part) => (part.agentId ? onAgent(part.agentId) : set(part))} of={fields} />
        </Form>
      </div>
      <aside class="edit-side" aria-label="Result" aria-live="polite">
        <div class="card">
          <h2>Result</h2>
          {decision ? <DecisionFacts of={decision} /> : <p class="hint">Evaluate a payment to see the decision.</p>}
        </div>
      </aside>
    </div>
  )
}
