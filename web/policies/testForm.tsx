// The form for a test of a policy: a payment, its conditions, and the expected outcome.
import { useState } from 'preact/hooks'
import { Field, Form, Select, useSending } from '../components/form.js'
import { Icon } from '../components/icon.js'
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

interface TestFormProps {
  /** The path that the test will have in the body. */
  at: string
  keep: (test: TestCase) => Promise<void>
  onDone: () => void
}

export function TestForm({ at, keep, onDone }: TestFormProps) {
  const [name, setName] = useState('')
  const [payment, setPayment] = useState<Payment>({ amount: '', category: '', recipientAddress: '' })
  const [expect, setExpect] = useState<string>('APPROVED')
  const [facts, setFacts] = useState<[name: string, text: string][]>([])
  const sending = useSending(async () => {
    const known = Object.fromEntries(facts.map(([fact, text]) => [fact, factOf(fact, text)]))
    await keep({ name, payment: writtenOf(payment), facts: known, expect: expect as TestCase['expect'] })
    return 'The test case was saved'
  })
  const send = async (): Promise<boolean> => {
    const isDone = await sending.send()
    if (isDone) onDone()
    return isDone
  }
  return (
    <Form
      sending={{ ...sending, send }}
      submit="Save test case"
      beside={
        <button type="button" onClick={onDone}>
          Cancel
        </button>
      }
    >
      <Field
        label="Name"
        path={`${at}.name`}
        required
        maxLength={100}
        value={name}
        onValue={setName}
        placeholder="A small cloud bill"
      />
      <PaymentFields at={`${at}.payment`} payment={payment} onPayment={setPayment} />
      <Conditions at={`${at}.facts`} facts={facts} onFacts={setFacts} />
      <Select
        label="Expected decision"
        path="expect"
        value={expect}
        onValue={setExpect}
        options={[
          ['APPROVED', 'Approved'],
          ['REQUIRES_APPROVAL', 'Requires approval'],
          ['DENIED', 'Denied'],
        ]}
      />
    </Form>
  )
}

interface Payment {
  amount: string
  category: string
  recipientAddress: string
}

/** Empty fields are omitted. */
function writtenOf({ amount, ...more }: Payment): TestCase['payment'] {
  const given = Object.entries(more).filter(([, text]) => text !== '')
  return { amount: String(Number(amount)) === amount ? Number(amount) : amount, ...Object.fromEntries(given) }
}

interface PaymentFieldsProps {
  at: string
  payment: Payment
  onPayment: (payment: Payment) => void
}

function PaymentFields({ at, payment, onPayment }: PaymentFieldsProps) {
  const { amount, category, recipientAddress } = payment
  const change = (changes: Partial<Payment>): void => onPayment({ ...payment, ...changes })
  return (
    <>
      <div class="fields">
        <Field
          label="Amount in USDC"
          path={`${at}.amount`}
          inputMode="decimal"
          required
          value={amount}
          onValue={(next) => change({ amount: next })}
        />
        <Field
          label="Category"
          path={`${at}.category`}
          value={category}
          onValue={(next) => change({ category: next })}
        />
      </div>
      <Field
        label="Recipient's address"
        path={`${at}.recipientAddress`}
        value={recipientAddress}
        onValue={(next) => change({ recipientAddress: next })}
      />
    </>
  )
}

type Facts = [name: string, text: string][]

function Conditions({ at: path, facts, onFacts }: { at: string; facts: Facts; onFacts: (facts: Facts) => void }) {
  const put = (at: number, changed: Facts[number]): void =>
    onFacts(facts.map((one, index) => (index === at ? changed : one)))
  const free = FACTS.filter(([name]) => !facts.some(([used]) => used === name))
  return (
    <div class="stack">
      {facts.map(([name, text], at) => (
        <div class="removable" key={name}>
          <div class="fields">
            <Select
              label="Condition"
              value={name}
              onValue={(next) => put(at, [next, text])}
              options={LABELS.filter(([one]) => one === name || free.some(([other]) => other === one))}
            />
            <Field
              label="Value"
              path={`${path}.${name}`}
              required
              value={text}
              onValue={(next) => put(at, [name, next])}
              hint={FACTS.find(([one]) => one === name)?.[2]}
            />
          </div>
          <button
            type="button"
            class="icon-button"
            aria-label="Remove condition"
            onClick={() => onFacts(facts.filter((_, index) => index !== at))}
          >
            <Icon name="close" />
          </button>
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
