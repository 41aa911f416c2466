// The form for a test of a policy: a payment, its conditions, and the expected outcome.
import { useState } from 'preact/hooks'
import { IconButton } from '../components/button.js'
import { Fields, type Rows } from '../components/fields.js'
import { CLOSES, Field, Form, Select, useSending } from '../components/form.js'
import { Icon } from '../components/icon.js'
import { useDraft } from '../edit.js'
import { put, without } from './ruleValue.js'
import type { TestCase } from '../records.js'

const FACTS: readonly (readonly [name: string, says: string, hint: string])[] = [
  ['dayTotal', 'Spent that day', 'By the agent, this payment included, in USDC'],
  ['weekTotal', 'Spent that week', 'By the agent, this payment included, in USDC'],
  ['monthTotal', 'Spent that month', 'By the agent, this payment included, in USDC'],
  ['total', 'Total spent', 'By the agent, this payment included, in USDC'],
  ['count:HOUR', 'Payments in an hour', 'This one included'],
  ['count:DAY', 'Payments in 24 hours', 'This one included'],
  ['counterpartyStatus', 'Counterparty status', 'TRUSTED, VERIFIED, UNKNOWN or BLOCKED'],
  ['trustScore', 'Trust score', 'Of the recipient, 0 to 100'],
  ['newCounterparty', 'First payment to recipient', 'true or false'],
  ['now', 'Time', 'Such as 2026-01-31T09:00:00Z'],
]
const LABELS = FACTS.map(([name, says]) => [name, says] as const)

/** A fact in the service's form: amounts as written, times as epoch milliseconds. */
function factOf(name: string, text: string): unknown {
  if (name === 'now') return Date.parse(text)
  if (name === 'newCounterparty') return text.trim() === 'true'
  if (name.startsWith('count:') || name === 'trustScore') return Number(text)
  return text.trim()
}

const NEW = { name: '', amount: '', category: '', recipientAddress: '', expect: 'APPROVED' }
type Draft = typeof NEW

const FIELDS: Rows<Draft> = [
  { name: 'name', label: 'Name', required: true, maxLength: 100, placeholder: 'A small cloud bill' },
  [
    { name: 'amount', label: 'Amount in USDC', path: 'payment.amount', required: true, inputMode: 'decimal' },
    { name: 'category', label: 'Category', path: 'payment.category' },
  ],
  { name: 'recipientAddress', label: "Recipient's address", path: 'payment.recipientAddress' },
]
const EXPECT: Rows<Draft> = [
  {
    name: 'expect',
    label: 'Expected decision',
    options: [
      ['APPROVED', 'Approved'],
      ['REQUIRES_APPROVAL', 'Requires approval'],
      ['DENIED', 'Denied'],
    ],
  },
]

interface Props {
  /** The path that the test will have in the body. */
  at: string
  save: (test: TestCase) => Promise<void>
}

export function TestForm({ at, save }: Props) {
  const { draft, set } = useDraft(NEW)
  const [facts, setFacts] = useState<Facts>([])
  const sending = useSending(async () => {
    const { name, expect, ...payment } = draft
    const known = Object.fromEntries(facts.map(([fact, text]) => [fact, factOf(fact, text)]))
    await save({ name, payment: paymentIn(payment), facts: known, expect: expect as TestCase['expect'] })
    return 'The test case was saved'
  }, CLOSES)
  return (
    <Form sending={sending} submit="Save test case" cancel>
      <Fields draft={draft} set={set} at={at} of={FIELDS} />
      <Conditions at={`${at}.facts`} facts={facts} onFacts={setFacts} />
      <Fields draft={draft} set={set} of={EXPECT} />
    </Form>
  )
}

/** Empty fields are omitted. */
function paymentIn({ amount, ...more }: Omit<Draft, 'name' | 'expect'>): TestCase['payment'] {
  const given = Object.entries(more).filter(([, text]) => text !== '')
  return { amount: String(Number(amount)) === amount ? Number(amount) : amount, ...Object.fromEntries(given) }
}

type Facts = [name: string, text: string][]

function Conditions({ at: path, facts, onFacts }: { at: string; facts: Facts; onFacts: (facts: Facts) => void }) {
  const free = FACTS.filter(([name]) => !facts.some(([used]) => used === name))
  return (
    <div class="stack">
      {facts.map(([name, text], at) => (
        <div class="removable" key={name}>
          <div class="fields">
            <Select
              label="Condition"
              value={name}
              onValue={(next) => onFacts(put(facts, at, [next, text]))}
              options={LABELS.filter(([one]) => one === name || free.some(([other]) => other === one))}
            />
            <Field
              label="Value"
              path={`${path}.${name}`}
              required
              value={text}
              onValue={(next) => onFacts(put(facts, at, [name, next]))}
              hint={FACTS.find(([one]) => one === name)?.[2]}
            />
          </div>
          <IconButton icon="close" says="Remove condition" act={() => onFacts(without(facts, at))} />
        </div>
      ))}
      {free.length > 0 && (
        <div>
          <button type="button" onClick={() => onFacts([...facts, [free[0]![0], '']])}>
            <Icon name="plus" />
            Add condition
          </button>
        </div>
      )}
    </div>
  )
}
