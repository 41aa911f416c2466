// A dry run: the decision that a payment would get now, by this policy and all others. Nothing is stored.
import { useState } from 'preact/hooks'
import { api, type Answer } from '../api.js'
import { readAgentOptions } from '../components/agentOptions.js'
import { Badge } from '../components/badge.js'
import { Facts } from '../components/facts.js'
import { Money, Time } from '../components/amounts.js'
import { ButtonLink } from '../components/button.js'
import { Fields, type Rows } from '../components/fields.js'
import { Form, useSending } from '../components/form.js'
import { Empty, When } from '../components/loadingStates.js'
import { Violations } from '../components/trace.js'
import { useDraft } from '../edit.js'
import { useLoad } from '../load.js'
import { to } from '../router.js'
import type { Policy } from '../records.js'

type Decision = Answer<'POST /api/policies/evaluate'>

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

interface FormProps {
  policy: Policy
  agents: { id: string; name: string }[]
  label: string
}

function DryRunForm({ policy, agents, label }: FormProps) {
  const [first] = [...agents.filter(({ id }) => policy.assignments.agents.includes(id)), ...agents]
  const { draft, set } = useDraft({ agentId: first!.id, amount: '10', recipientAddress: '', category: '' })
  const [decision, setDecision] = useState<Decision>()
  const sending = useSending(async () => {
    setDecision(undefined)
    const { agentId, category, ...more } = draft
    const payment = { ...more, ...(category !== '' && { category }) }
    setDecision(await api.call('POST /api/policies/evaluate', { body: { agentId, payment } }))
    return undefined
  })
  const fields: Rows<typeof draft> = [
    { name: 'agentId', label, options: agents.map(({ id, name }) => [id, name]) },
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
          <Fields draft={draft} set={set} of={fields} />
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

const SAYS: { [status: string]: string } = {
  APPROVED: 'It would be approved.',
  REQUIRES_APPROVAL: 'It would require approval.',
  DENIED: 'It would be denied.',
}

function DecisionFacts({ of }: { of: Decision }) {
  const { status, amount, currency, violations, violationsTotal, nearest, hint } = of
  const { maxAmountNow, earliestAt } = nearest ?? {}
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
          ['Maximum amount now', maxAmountNow && <Money amount={maxAmountNow} currency={currency} />],
          ['Earliest time', earliestAt && <Time at={earliestAt} />],
        ]}
      />
    </>
  )
}
